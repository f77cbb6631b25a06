// ocloc compile -file saxpy.cl -device DEVICE --format zebin -exclude_ir -output_no_suffix -output saxpy.DEVICE.zebin
//   -internal_options -ze-emit-zebin-visa-sections
kernel void saxpy(global float* y, global const float* x, float a, int n) {
    int i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

kernel void groups_only(global int* p) { p[get_group_id(0)] = 1; }
