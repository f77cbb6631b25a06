// AES-128: the group works out the substitution table in shared local memory, each work-item encrypts a block with
// look-ups in it.
//
//   visor run examples/aes/aes.cl -g 16 -l 16 -a zeros:u8:256 iota:u8:256 iota:u8:16 --print 0:16

uchar times_two(uchar x) { return (uchar)(x << 1 ^ (x & 0x80 ? 0x1b : 0)); }

uchar times(uchar a, uchar b) { // in the field of 256 elements
    uchar result = 0;
    for (; b != 0; b >>= 1, a = times_two(a)) {
        if (b & 1)
            result ^= a;
    }
    return result;
}

uchar substitute(uchar x) { // the inverse, x^254, and a mixture of its bits
    uchar inverse = 1;
    for (int bit = 7; bit >= 0; --bit) {
        inverse = times(inverse, inverse);
        if (254 >> bit & 1)
            inverse = times(inverse, x);
    }
    uchar result = 0x63;
    for (int turn = 0; turn < 5; ++turn)
        result ^= rotate(inverse, (uchar)turn);
    return result;
}

__kernel void aes(__global uchar16* encrypted, __global const uchar16* blocks, __constant uchar* key_given) {
    __local uchar table[256];
    for (int entry = get_local_id(0); entry < 256; entry += get_local_size(0))
        table[entry] = substitute((uchar)entry);
    barrier(CLK_LOCAL_MEM_FENCE);

    uchar key[16], state[16];
    vstore16(blocks[get_global_id(0)], 0, state);
    for (int k = 0; k < 16; ++k) {
        key[k] = key_given[k];
        state[k] ^= key[k];
    }
    uchar constant_of_round = 1;
    for (int round = 1; round <= 10; ++round) {
        // The next round's key.
        for (int k = 0; k < 4; ++k)
            key[k] ^= table[key[12 + (k + 1) % 4]] ^ (k == 0 ? constant_of_round : 0);
        for (int k = 4; k < 16; ++k)
            key[k] ^= key[k - 4];
        constant_of_round = times_two(constant_of_round);
        // Substituted, rows shifted.
        uchar next[16];
        for (int k = 0; k < 16; ++k)
            next[k] = table[state[(5 * k) % 16]];
        // Columns mixed, but for the last round.
        for (int c = 0; c < 16; c += 4) {
            const uchar all = next[c] ^ next[c + 1] ^ next[c + 2] ^ next[c + 3];
            for (int r = 0; r < 4; ++r) {
                const uchar mixed = times_two(next[c + r] ^ next[c + (r + 1) % 4]) ^ all;
                state[c + r] = next[c + r] ^ (round < 10 ? mixed : 0) ^ key[c + r];
            }
        }
    }
    encrypted[get_global_id(0)] = vload16(0, state);
}
