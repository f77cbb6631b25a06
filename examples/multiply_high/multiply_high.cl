// The upper half of a product, of every width: mul_hi and mad_hi.
//
//   visor run examples/multiply_high/multiply_high.cl -g 64 -l 64
//       -a zeros:u64:576 rand:u64:64:1 rand:u64:64:2 --print 0:9

__kernel void multiply_high(__global ulong* out, __global const ulong* left, __global const ulong* right) {
    const int i = get_global_id(0);
    const ulong a = left[i], b = right[i];
    __global ulong* mine = out + 9 * i;
    mine[0] = mul_hi(a, b);
    mine[1] = (ulong)mul_hi((long)a, (long)b);
    mine[2] = mul_hi((uint)a, (uint)b);
    mine[3] = (ulong)mul_hi((int)a, (int)b);
    mine[4] = mul_hi((ushort)a, (ushort)b);
    mine[5] = (ulong)mul_hi((short)a, (short)b);
    mine[6] = mul_hi((uchar)a, (uchar)b);
    mine[7] = (ulong)mul_hi((char)a, (char)b);
    mine[8] = (ulong)mad_hi((int)a, (int)b, (int)(a >> 32));
}
