// The fast functions: what the machine computes by itself, with less precision.
//
//   visor run examples/native_math/native_math.cl -g 64 -l 64 -a zeros:f32:768 rand:f32:64:1 --print 0:4

__kernel void native_math(__global float* out, __global const float* in) {
    const int i = get_global_id(0), count = get_global_size(0);
    const float x = in[i] + 0.25f;
    out += i;
    out[0] = native_exp(x);
    out[count] = native_exp2(x);
    out[2 * count] = native_log(x + 1.0f);
    out[3 * count] = native_log2(x + 1.0f);
    out[4 * count] = native_sqrt(x);
    out[5 * count] = native_rsqrt(x);
    out[6 * count] = native_recip(x);
    out[7 * count] = native_divide(1.5f, x);
    out[8 * count] = half_powr(x, 1.5f);
    out[9 * count] = half_exp(x);
    out[10 * count] = native_sin(x);
    out[11 * count] = native_cos(x);
}
