// 64-bit integers: sums with carry, products, shifts by variable counts, comparisons. Devices without them get pairs
// of 32-bit operations.
//
//   visor run examples/long_arithmetic/long_arithmetic.cl -g 64 -l 64 -a zeros:i64:512 rand:i64:64:1
//       rand:i64:64:2 --print 0:8

__kernel void long_arithmetic(__global long* out, __global const long* left, __global const long* right) {
    const int i = get_global_id(0);
    const long a = left[i], b = right[i];
    const int count = (int)b & 63;
    __global long* mine = out + 8 * i;
    mine[0] = a + b;
    mine[1] = a - b;
    mine[2] = a * b;
    mine[3] = a << count;
    mine[4] = a >> count;
    mine[5] = (long)((ulong)a >> count);
    mine[6] = (a < b) | ((ulong)a < (ulong)b) << 1 | (a == b) << 2 | (a >= ~b) << 3;
    mine[7] = max(a, b) ^ min(a, ~b) ^ (long)abs(a);
}
