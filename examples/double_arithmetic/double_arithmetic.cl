// Arithmetic on 64-bit floats (cl_khr_fp64) where the device has them, with conversions from and to everything else.
//
//   visor run examples/double_arithmetic/double_arithmetic.cl -g 64 -l 64
//       -a zeros:f64:640 zeros:i64:256 rand:f64:64:1 rand:f64:64:2 --print 0:8

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void double_arithmetic(__global double* out, __global long* integers, __global const double* left,
                                __global const double* right) {
    const int i = get_global_id(0);
    const double a = left[i], b = right[i];
    __global double* mine = out + 10 * i;
    mine[0] = a + b;
    mine[1] = a - b;
    mine[2] = a * b;
    mine[3] = fma(a, b, -1.0);
    mine[4] = a / b;
    mine[5] = sqrt(fabs(a));
    mine[6] = fmax(a, b) + floor(a);
    mine[7] = (double)(float)a + (double)((int)b);
    mine[8] = convert_double(convert_long(a * 1e6)) + convert_double(convert_ulong(fabs(b)));
    mine[9] = trunc(a) + rint(b);
    __global long* ours = integers + 4 * i;
    ours[0] = (a < b) | (a == b) << 1 | isgreaterequal(a, b) << 2 | signbit(b) << 3;
    ours[1] = convert_long_rte(a * 0.5);
    ours[2] = convert_int_sat(a * 1e7);
    ours[3] = as_long(a);
}
