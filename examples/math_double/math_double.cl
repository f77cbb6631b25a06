// The elementary functions in double precision.
//
//   visor run examples/math_double/math_double.cl -g 64 -l 64 -a zeros:f64:384 rand:f64:64:1 --print 0:4

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void math_double(__global double* out, __global const double* in) {
    const int i = get_global_id(0), count = get_global_size(0);
    const double x = in[i];
    out += i;
    out[0] = exp(x);
    out[count] = log(fabs(x) + 0.25);
    out[2 * count] = sin(x);
    out[3 * count] = cos(x);
    out[4 * count] = pow(fabs(x) + 0.5, x);
    out[5 * count] = rsqrt(fabs(x) + 1.0);
}
