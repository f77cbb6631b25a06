// The integer functions of OpenCL C on 32-bit numbers.
//
//   visor run examples/integer_builtins/integer_builtins.cl -g 64 -l 64
//       -a zeros:i32:1152 rand:i32:64:1 rand:i32:64:2 rand:i32:64:3 --print 0:18

__kernel void integer_builtins(__global int* out, __global const int* first, __global const int* second,
                               __global const int* third) {
    const int i = get_global_id(0);
    const int a = first[i], b = second[i], c = third[i];
    __global int* mine = out + 18 * i;
    mine[0] = mul24(a >> 8, b >> 8); // 24 bits are what they are defined for
    mine[1] = mad24(a >> 8, b >> 8, c);
    mine[2] = (int)mul24((uint)a >> 8, (uint)b >> 8);
    mine[3] = rotate(a, b);
    mine[4] = popcount(a);
    mine[5] = clz(a >> (b & 31));
    mine[6] = hadd(a, b);
    mine[7] = rhadd(a, b);
    mine[8] = (int)hadd((uint)a, (uint)b);
    mine[9] = (int)rhadd((uint)a, (uint)b);
    mine[10] = (int)abs_diff(a, b);
    mine[11] = add_sat(a, b);
    mine[12] = sub_sat(a, b);
    mine[13] = (int)add_sat((uint)a, (uint)b);
    mine[14] = (int)sub_sat((uint)a, (uint)b);
    mine[15] = upsample((short)a, (ushort)b);
    mine[16] = clamp(a, min(b, c), max(b, c));
    mine[17] = mad_sat(a >> 12, b >> 12, c);
}
