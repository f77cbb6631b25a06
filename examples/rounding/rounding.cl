// The float functions that have one right answer: rounding, remainders, parts of a number, and what is next to it.
//
//   visor run examples/rounding/rounding.cl -g 64 -l 64
//       -a zeros:f32:1280 zeros:i32:128 rand:f32:64:1 rand:f32:64:2 --print 0:8

__kernel void rounding(__global float* out, __global int* integers, __global const float* left,
                       __global const float* right) {
    const int i = get_global_id(0);
    const float a = left[i], b = right[i];
    __global float* mine = out + 20 * i;
    mine[0] = floor(a);
    mine[1] = ceil(a);
    mine[2] = trunc(a);
    mine[3] = rint(a);
    mine[4] = round(a);
    mine[5] = fmod(a, b);
    mine[6] = remainder(a, b);
    mine[7] = copysign(a, b);
    mine[8] = fmin(a, b);
    mine[9] = fmax(a, b);
    mine[10] = fdim(a, b);
    mine[11] = ldexp(a, i % 21 - 10);
    int exponent;
    mine[12] = frexp(a, &exponent);
    float whole;
    mine[13] = modf(a, &whole);
    mine[14] = whole;
    mine[15] = nextafter(a, b);
    mine[16] = fma(a, b, -a);
    mine[17] = logb(a);
    mine[18] = maxmag(a, b) - minmag(a, b);
    mine[19] = fabs(a) * sign(b);
    integers[2 * i] = exponent;
    integers[2 * i + 1] = ilogb(b);
}
