// Stores of one and two bytes: what the compiler makes scatter_scaled of.
//
//   visor run examples/bytes/bytes.cl -g 100 -l 50 -a zeros:u8:100 zeros:i16:100 iota:u8:100 3 --print 0:10

__kernel void bytes(__global uchar* bytes_out, __global short* words_out, __global const uchar* in, int factor) {
    const int i = get_global_id(0);
    bytes_out[i] = (uchar)(in[i] * factor + 1);
    words_out[i] = (short)(in[i] * -factor);
}
