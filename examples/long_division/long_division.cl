// Quotients and remainders of 64-bit integers by a variable: no machine has an instruction for them.
//
//   visor run examples/long_division/long_division.cl -g 64 -l 64
//       -a zeros:i64:128 zeros:u64:128 rand:i64:64:1 iota:i64:64:1 --print 0:4

__kernel void long_division(__global long* of_signed, __global ulong* of_unsigned, __global const long* left,
                            __global const long* right) {
    const int i = get_global_id(0);
    const long a = left[i], b = right[i];
    of_signed[2 * i] = a / b;
    of_signed[2 * i + 1] = a % b;
    of_unsigned[2 * i] = (ulong)a / (ulong)b;
    of_unsigned[2 * i + 1] = (ulong)a % (ulong)b;
}
