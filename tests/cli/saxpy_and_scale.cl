// Two kernels for the end-to-end tests.
__kernel void saxpy(__global float* y, __global const float* x, float a, int n) {
    int i = get_global_id(0);
    if (i < n)
        y[i] = fma(a, x[i], y[i]);
}

__kernel void scale(__global float* y, float a) { y[get_global_id(0)] *= a; }
