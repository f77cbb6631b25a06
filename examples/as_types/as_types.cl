// The same bits as another type: as_TYPE, unions, and the parts of a float taken apart and put together.
//
//   visor run examples/as_types/as_types.cl -g 64 -l 64 -a zeros:u32:320 rand:u32:64:1 --print 0:5

typedef union {
    uint whole;
    ushort halves[2];
    uchar bytes[4];
    float number;
} Bits;

__kernel void as_types(__global uint* out, __global const uint* in) {
    const int i = get_global_id(0);
    const uint bits = in[i];
    const float number = as_float((bits & 0x807fffffu) | 0x40000000u); // between 2 and 4, or -2 and -4
    const uchar4 bytes = as_uchar4(bits);
    Bits other;
    other.number = number * 2.0f;
    other.bytes[i & 3] ^= 0xff;
    out[5 * i] = as_uint(number + 1.0f);
    out[5 * i + 1] = as_uint(bytes.wzyx);
    out[5 * i + 2] = other.whole;
    out[5 * i + 3] = other.halves[1] * 3u + as_ushort2(bits).x;
    const ulong two = as_ulong((uint2)(bits, ~bits));
    out[5 * i + 4] = as_uint2(two * 5).y;
}
