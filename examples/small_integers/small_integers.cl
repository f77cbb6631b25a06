// Arithmetic in 8 and 16 bits: it wraps, saturates and counts bits in the type's own width.
//
//   visor run examples/small_integers/small_integers.cl -g 64 -l 64
//       -a zeros:i8:512 zeros:i16:512 rand:i16:64:1 rand:i16:64:2 --print 0:8 --print 1:8

__kernel void small_integers(__global char* bytes, __global short* words, __global const short* left,
                             __global const short* right) {
    const int i = get_global_id(0);
    const short a = left[i], b = right[i];
    const char c = (char)a, d = (char)b;
    __global char* mine = bytes + 8 * i;
    mine[0] = c + d;
    mine[1] = c * d;
    mine[2] = add_sat(c, d);
    mine[3] = sub_sat(c, d);
    mine[4] = rotate(c, d);
    mine[5] = clz(c);
    mine[6] = popcount((uchar)c);
    mine[7] = (char)hadd((uchar)c, (uchar)d);
    __global short* ours = words + 8 * i;
    ours[0] = a + b;
    ours[1] = a * b;
    ours[2] = add_sat(a, b);
    ours[3] = sub_sat(a, b);
    ours[4] = rotate(a, b);
    ours[5] = clz(a);
    ours[6] = (short)rhadd((ushort)a, (ushort)b);
    ours[7] = (short)abs_diff(a, b);
}
