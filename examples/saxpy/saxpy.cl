// y = a*x + y. 1000 elements in groups of 64: the last group has work-items that must do nothing.
//
//   visor run examples/saxpy/saxpy.cl -g 1024 -l 64 -a iota:f32:1000 fill:f32:1000:2 2.5 1000 --print y:8

__kernel void saxpy(__global float* y, __global const float* x, float a, int n) {
    const int i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}
