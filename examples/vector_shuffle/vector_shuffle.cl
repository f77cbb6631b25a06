// shuffle and shuffle2: lanes of vectors chosen by numbers that are known only when the kernel runs.
//
//   visor run examples/vector_shuffle/vector_shuffle.cl -g 16 -l 16
//       -a zeros:i32:64 zeros:u16:128 iota:i32:64 rand:u32:64:1 --print 0:4 --print 1:8

__kernel void vector_shuffle(__global int4* ints, __global ushort8* shorts, __global const int4* in,
                             __global const uint4* masks) {
    const int i = get_global_id(0);
    const uint4 mask = masks[i];
    ints[i] = shuffle(in[i], mask) * 10 + shuffle2(in[i], in[i] + 100, mask >> 2);
    const ushort8 eight = convert_ushort8((uint8)(mask, ~mask));
    shorts[i] = shuffle(eight, (ushort8)(7, 6, 5, 4, 3, 2, 1, 0) ^ convert_ushort8((uint8)(mask, mask)));
}
