// Exponentials, logarithms, powers and roots within the errors that OpenCL allows.
//
//   visor run examples/math_exponential/math_exponential.cl -g 64 -l 64
//       -a zeros:f32:1088 iota:f32:64:-20 rand:f32:64:2 --print 0:4

__kernel void math_exponential(__global float* out, __global const float* any_sign, __global const float* positive) {
    const int i = get_global_id(0), count = get_global_size(0);
    const float x = any_sign[i], y = positive[i];
    out += i;
    out[0] = exp(x);
    out[count] = exp2(x);
    out[2 * count] = exp10(x);
    out[3 * count] = expm1(x);
    out[4 * count] = log(y);
    out[5 * count] = log2(y);
    out[6 * count] = log10(y);
    out[7 * count] = log1p(y);
    out[8 * count] = pow(y, x);
    out[9 * count] = powr(y, x * 0.5f);
    out[10 * count] = sqrt(y);
    out[11 * count] = rsqrt(y);
    out[12 * count] = cbrt(x);
    out[13 * count] = hypot(x, y);
    out[14 * count] = x / y;
    out[15 * count] = 1.0f / x;
    out[16 * count] = pown(x, i % 7 - 3);
}
