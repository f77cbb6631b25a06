// The error function and the gamma function.
//
//   visor run examples/math_special/math_special.cl -g 64 -l 64 -a zeros:f32:256 rand:f32:64:1 --print 0:4

__kernel void math_special(__global float* out, __global const float* in) {
    const int i = get_global_id(0), count = get_global_size(0);
    const float x = in[i];
    out[i] = erf(x);
    out[count + i] = erfc(x);
    out[2 * count + i] = tgamma(fabs(x) + 0.5f);
    out[3 * count + i] = lgamma(fabs(x) + 3.0f);
}
