// Arithmetic on 16-bit floats (cl_khr_fp16): every result is rounded to half.
//
//   visor run examples/half_arithmetic/half_arithmetic.cl -g 64 -l 64
//       -a zeros:f16:512 zeros:i32:128 rand:f16:64:1 rand:f16:64:2 --print 0:8

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

__kernel void half_arithmetic(__global half* out, __global int* flags, __global const half* left,
                              __global const half* right) {
    const int i = get_global_id(0);
    const half a = left[i], b = right[i];
    __global half* mine = out + 8 * i;
    mine[0] = a + b;
    mine[1] = a - b;
    mine[2] = a * b;
    mine[3] = fma(a, b, (half)0.5h);
    mine[4] = a / b;
    mine[5] = sqrt(fabs(a));
    mine[6] = fmin(a, b) + floor(b);
    const half4 v = (half4)(a, b, -a, 1.0h) * (half4)(2.0h); // doubling is exact
    mine[7] = v.x + v.w;
    flags[2 * i] = (a < b) | (a == b) << 1 | (a >= (half)0.0h) << 2;
    flags[2 * i + 1] = (int)(a * (half)0.75h);
}
