// Loads and stores of vectors at places that are multiples of their elements only.
//
//   visor run examples/vector_memory/vector_memory.cl -g 16 -l 16
//       -a zeros:i32:160 zeros:u8:160 zeros:i64:80 iota:i32:160 iota:u8:160 iota:i64:80
//       --print 0:10 --print 1:10 --print 2:5

__kernel void vector_memory(__global int* ints, __global uchar* bytes, __global long* longs,
                            __global const int* ints_in, __global const uchar* bytes_in,
                            __global const long* longs_in) {
    const int i = get_global_id(0);
    const int at = 10 * i;
    vstore8(vload8(0, ints_in + at + 1) * 3, 0, ints + at + 1);
    vstore2(vload2(0, bytes_in + at), 0, bytes + at);
    vstore4(vload4(0, bytes_in + at + 3) + (uchar4)(1), 0, bytes + at + 3);
    vstore3(vload3(0, bytes_in + at + 7) ^ (uchar3)(0xff), 0, bytes + at + 7);
    vstore4(-vload4(0, longs_in + 5 * i + 1), 0, longs + 5 * i + 1);
}
