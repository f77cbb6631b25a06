// 1024 complex points a group, radix 4 after Stockham: five passes through local memory, two barriers each.
// turns[i] is exp(-2 pi i sqrt(-1) / 1024).
#define POINTS 1024
#define QUARTER 256

float2 product(float2 a, float2 b) {
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__attribute__((reqd_work_group_size(QUARTER, 1, 1)))
kernel void fft(global float2* to, global const float2* from, global const float2* turns) {
    local float2 points[POINTS];
    const int l = get_local_id(0);
    const size_t base = get_group_id(0) * POINTS;
    float2 a = from[base + l];
    float2 b = from[base + l + QUARTER];
    float2 c = from[base + l + 2 * QUARTER];
    float2 d = from[base + l + 3 * QUARTER];
    for (int done = 1; done < POINTS; done *= 4) {
        const int k = l & (done - 1);
        const int turn = k * (QUARTER / done);
        b = product(b, turns[turn]);
        c = product(c, turns[2 * turn]);
        d = product(d, turns[3 * turn]);
        const float2 even = a + c;
        const float2 odd = a - c;
        const float2 sum = b + d;
        const float2 quarter_turn = (float2)(b.y - d.y, d.x - b.x);
        local float2* out = points + 4 * (l - k) + k;
        out[0] = even + sum;
        out[done] = odd + quarter_turn;
        out[2 * done] = even - sum;
        out[3 * done] = odd - quarter_turn;
        barrier(CLK_LOCAL_MEM_FENCE);
        a = points[l];
        b = points[l + QUARTER];
        c = points[l + 2 * QUARTER];
        d = points[l + 3 * QUARTER];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    to[base + l] = a;
    to[base + l + QUARTER] = b;
    to[base + l + 2 * QUARTER] = c;
    to[base + l + 3 * QUARTER] = d;
}
