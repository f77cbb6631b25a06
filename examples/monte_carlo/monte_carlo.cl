// Pi from random points: each work-item has a generator of its own (xorshift) and counts points in a quarter of a
// circle.
//
//   visor run examples/monte_carlo/monte_carlo.cl -g 256 -l 64 -a zeros:u32:1 zeros:u32:256 100 --print 0

__kernel void monte_carlo(volatile __global uint* inside, __global uint* states, int points) {
    const int i = get_global_id(0);
    uint state = 2463534242u + 747796405u * i, count = 0;
    for (int k = 0; k < points; ++k) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        const uint x = state & 0x7fff, y = state >> 16 & 0x7fff;
        if (x * x + y * y < 0x40000000u)
            ++count;
    }
    states[i] = state;
    atomic_add(inside, count);
}
