// Three local arrays given by the host, of different types and sizes, beside one that the kernel declares.
//
//   visor run examples/local_arguments/local_arguments.cl -g 64 -l 32 -a zeros:i32:64 local:32 local:64 local:256
//       iota:i32:64 --print 0:8

__kernel void local_arguments(__global int* out, __local uchar* bytes, __local short* words, __local long* longs,
                              __global const int* in) {
    __local int own[32];
    const int i = get_global_id(0), me = get_local_id(0), size = get_local_size(0);
    const int value = in[i];
    own[me] = value;
    bytes[me] = (uchar)value;
    words[me] = (short)(value * 3);
    longs[me] = (long)value << 33;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int left = (me + size - 1) % size, right = (me + 1) % size;
    out[i] = own[left] + bytes[right] * 1000 + words[size - 1 - me] + (int)(longs[left] >> 32);
}
