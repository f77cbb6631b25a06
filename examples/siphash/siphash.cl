// SipHash-2-4: a keyed hash of 64-bit sums and rotations.
//
//   visor run examples/siphash/siphash.cl -g 64 -l 32 -a zeros:u64:64 iota:u8:64 7 11 --print 0:4

void mix(ulong4* v, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        v->x += v->y;
        v->z += v->w;
        v->y = rotate(v->y, 13ul) ^ v->x;
        v->w = rotate(v->w, 16ul) ^ v->z;
        v->x = rotate(v->x, 32ul);
        v->z += v->y;
        v->x += v->w;
        v->y = rotate(v->y, 17ul) ^ v->z;
        v->w = rotate(v->w, 21ul) ^ v->x;
        v->z = rotate(v->z, 32ul);
    }
}

__kernel void siphash(__global ulong* hashes, __global const uchar* message, ulong key0, ulong key1) {
    const int length = get_global_id(0); // each work-item hashes as many bytes as its number
    ulong4 v = (ulong4)(key0, key1, key0, key1) ^
               (ulong4)(0x736f6d6570736575ul, 0x646f72616e646f6dul, 0x6c7967656e657261ul, 0x7465646279746573ul);
    for (int at = 0; at <= length; at += 8) {
        ulong word = at + 8 > length ? (ulong)length << 56 : 0; // the last word ends with the length
        for (int k = 0; k < 8 && at + k < length; ++k)
            word |= (ulong)message[at + k] << (8 * k);
        v.w ^= word;
        mix(&v, 2);
        v.x ^= word;
    }
    v.z ^= 0xff;
    mix(&v, 4);
    hashes[length] = v.x ^ v.y ^ v.z ^ v.w;
}
