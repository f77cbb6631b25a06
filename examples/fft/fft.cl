// The fast Fourier transform of 256 complex numbers in shared local memory: eight rounds of butterflies over places in
// bit-reversed order.
//
//   visor run examples/fft/fft.cl -g 128 -l 128 -a zeros:f32:512 iota:f32:512 --print 0:4

#define BITS 8
#define POINTS (1 << BITS)

float2 times(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

int reversed(int number) {
    int result = 0;
    for (int bit = 0; bit < BITS; ++bit)
        result |= (number >> bit & 1) << (BITS - 1 - bit);
    return result;
}

__kernel void fft(__global float2* out, __global const float2* in) {
    __local float2 points[POINTS];
    const int me = get_local_id(0), start = POINTS * get_group_id(0);
    points[reversed(me)] = in[start + me];
    points[reversed(me + POINTS / 2)] = in[start + me + POINTS / 2];
    for (int half_size = 1; half_size < POINTS; half_size *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int within = me & (half_size - 1), low = 2 * me - within, high = low + half_size;
        float cosine;
        const float sine = sincos(-M_PI_F * (float)within / (float)half_size, &cosine);
        const float2 a = points[low], b = times(points[high], (float2)(cosine, sine));
        points[low] = a + b;
        points[high] = a - b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[start + me] = points[me];
    out[start + me + POINTS / 2] = points[me + POINTS / 2];
}
