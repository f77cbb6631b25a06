// y = a*x + y, the first kernel of everybody.
//
//   visor run examples/saxpy/saxpy.cl -g 1024 -a y=fill:f32:1024:1 -a x=iota:f32:1024 -a a=2.5 -a n=1000 --print y:8

__kernel void saxpy(__global float* y, __global const float* x, float a, int n) {
    const int i = get_global_id(0);
    if (i < n)
        y[i] = fma(a, x[i], y[i]);
}
