// Points in a quarter of a circle, by a xorshift generator of each item.
kernel void pi(global uint* hits, global const uint* seeds, int rounds) {
    uint state = seeds[get_global_id(0)] | 1;
    uint inside = 0;
    for (int i = 0; i < rounds; ++i) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        const float x = (state & 0xffff) * (1.0f / 65536);
        const float y = (state >> 16) * (1.0f / 65536);
        inside += x * x + y * y < 1;
    }
    hits[get_global_id(0)] = inside;
}
