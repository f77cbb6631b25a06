// SHA-256: each work-item hashes a message of its own, of up to 119 bytes, with its padding.
//
//   visor run examples/sha256/sha256.cl -g 4 -l 4 -a zeros:u32:32 fill:u8:512:97 iota:i32:4 --print 0:8:u32

__constant uint rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint right(uint x, int bits) { return rotate(x, (uint)(32 - bits)); }

// The padded message's word: the bytes, a bit, zeros, the length in bits.
uint word_at(__global const uchar* message, int length, int blocks, int word) {
    if (word >= 16 * blocks - 2)
        return word == 16 * blocks - 1 ? 8u * length : 0;
    uint result = 0;
    for (int k = 4 * word; k < 4 * word + 4; ++k)
        result = result << 8 | (k < length ? message[k] : k == length ? 0x80 : 0);
    return result;
}

__kernel void sha256(__global uint* hashes, __global const uchar* messages, __global const int* lengths) {
    const int i = get_global_id(0), length = lengths[i];
    const int blocks = (length + 9 + 63) / 64;
    uint state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    for (int block = 0; block < blocks; ++block) {
        uint w[16];
        for (int k = 0; k < 16; ++k)
            w[k] = word_at(messages + 128 * i, length, blocks, 16 * block + k);
        uint s[8];
        for (int k = 0; k < 8; ++k)
            s[k] = state[k];
        for (int k = 0; k < 64; ++k) {
            if (k >= 16) {
                const uint a = w[(k + 1) & 15], b = w[(k + 14) & 15];
                w[k & 15] += w[(k + 9) & 15] + (right(a, 7) ^ right(a, 18) ^ a >> 3) +
                             (right(b, 17) ^ right(b, 19) ^ b >> 10);
            }
            const uint e = s[4], a = s[0];
            const uint one = s[7] + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + bitselect(s[6], s[5], e) +
                             rounds[k] + w[k & 15];
            const uint two = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & s[1]) | (s[2] & (a | s[1])));
            for (int n = 7; n > 0; --n)
                s[n] = s[n - 1];
            s[4] += one;
            s[0] = one + two;
        }
        for (int k = 0; k < 8; ++k)
            state[k] += s[k];
    }
    for (int k = 0; k < 8; ++k)
        hashes[8 * i + k] = state[k];
}
