// Bits and lanes chosen by masks: bitselect, select, any, all, and bits spread and gathered with shifts.
//
//   visor run examples/bit_select/bit_select.cl -g 64 -l 64
//       -a zeros:u32:384 rand:u32:64:1 rand:u32:64:2 rand:u32:64:3 --print 0:6

uint morton(uint x, uint y) {
    uint z = 0;
    for (int bit = 0; bit < 16; ++bit)
        z |= (x & 1u << bit) << bit | (y & 1u << bit) << (bit + 1);
    return z;
}

uint reverse_bits(uint x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return rotate(x & 0x00ff00ffu, 24u) | (rotate(x, 8u) & 0x00ff00ffu);
}

__kernel void bit_select(__global uint* out, __global const uint* first, __global const uint* second,
                         __global const uint* third) {
    const int i = get_global_id(0);
    const uint a = first[i], b = second[i], c = third[i];
    __global uint* mine = out + 6 * i;
    mine[0] = bitselect(a, b, c);
    mine[1] = select(a, b, c & 1); // a scalar selects by "not zero"
    const int4 chosen = select((int4)(1, 2, 3, 4), (int4)(10, 20, 30, 40), as_int4((uint4)(a, b, c, ~a)));
    mine[2] = chosen.x + chosen.y + chosen.z + chosen.w; // a vector by the sign bit of each lane
    mine[3] = any(as_int2((uint2)(a, b))) | all(as_int2((uint2)(a, b))) << 1;
    mine[4] = morton(a & 0xffff, b & 0xffff);
    mine[5] = reverse_bits(a) ^ (c & -c);
}
