// XTEA, a small block cipher: 64-bit blocks through 32 rounds, and back again.
//
//   visor run examples/xtea/xtea.cl -g 64 -l 32 -a zeros:u32:128 zeros:u32:128 iota:u32:128 1,2,3,4 --print 0:4
//       --print 1:4

#define DELTA 0x9e3779b9u

__kernel void xtea(__global uint2* encrypted, __global uint2* decrypted, __global const uint2* blocks,
                   uint4 key_words) {
    const int i = get_global_id(0);
    const uint key[4] = {key_words.x, key_words.y, key_words.z, key_words.w};
    uint2 v = blocks[i];
    uint sum = 0;
    for (int round = 0; round < 32; ++round) {
        v.x += ((v.y << 4 ^ v.y >> 5) + v.y) ^ (sum + key[sum & 3]);
        sum += DELTA;
        v.y += ((v.x << 4 ^ v.x >> 5) + v.x) ^ (sum + key[sum >> 11 & 3]);
    }
    encrypted[i] = v;
    for (int round = 0; round < 32; ++round) {
        v.y -= ((v.x << 4 ^ v.x >> 5) + v.x) ^ (sum + key[sum >> 11 & 3]);
        sum -= DELTA;
        v.x -= ((v.y << 4 ^ v.y >> 5) + v.y) ^ (sum + key[sum & 3]);
    }
    decrypted[i] = v;
}
