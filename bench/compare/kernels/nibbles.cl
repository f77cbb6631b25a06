// How often each upper nibble stands in 256 bytes of each item, counted in private memory.
kernel void nibbles(global uint* out, global const uchar* in) {
    const int item = get_global_id(0);
    uint counts[16];
    for (int i = 0; i < 16; ++i)
        counts[i] = 0;
    for (int k = 0; k < 256; ++k)
        counts[in[item * 256 + k] >> 4]++;
    for (int i = 0; i < 16; ++i)
        out[item * 16 + i] = counts[i];
}
