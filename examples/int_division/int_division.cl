// Quotients and remainders by a variable, in 8, 16 and 32 bits, signed and unsigned.
//
//   visor run examples/int_division/int_division.cl -g 64 -l 64
//       -a zeros:u32:768 rand:u32:64:1 iota:u32:64:1 --print 0:12

__kernel void int_division(__global uint* out, __global const uint* left, __global const uint* right) {
    const int i = get_global_id(0);
    const uint a = left[i], b = right[i];
    __global uint* mine = out + 12 * i;
    mine[0] = a / b;
    mine[1] = a % b;
    // Another dividend: for dg2 the compiler takes a signed and an unsigned division of the same operands for one.
    mine[2] = (uint)((int)~a / (int)b);
    mine[3] = (uint)((int)~a % (int)b);
    // Narrow divisors are made odd so that none is zero.
    const ushort ua = (ushort)a, ub = (ushort)(b | 1);
    const short sa = (short)a, sb = (short)(b | 1);
    mine[4] = ua / ub;
    mine[5] = ua % ub;
    mine[6] = (uint)(sa / sb);
    mine[7] = (uint)(sa % sb);
    const uchar uca = (uchar)a, ucb = (uchar)(b | 1);
    const char ca = (char)a, cb = (char)(b | 1);
    mine[8] = uca / ucb;
    mine[9] = uca % ucb;
    mine[10] = (uint)(ca / cb);
    mine[11] = (uint)(ca % cb);
}
