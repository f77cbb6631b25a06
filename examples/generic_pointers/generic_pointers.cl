// Pointers of OpenCL C 2.0 that may point anywhere: one function for private, local and global memory, and a pointer
// whose kind of memory differs from one work-item to the next.
//
//   visor run examples/generic_pointers/generic_pointers.cl --options -cl-std=CL2.0 -g 64 -l 32
//       -a zeros:i32:64 zeros:i32:64 iota:i32:128 --print 0:8 --print 1:8

__attribute__((noinline)) int sum_and_mark(int* values, int count, int mark) {
    int sum = 0;
    for (int k = 0; k < count; ++k)
        sum += values[k];
    values[count - 1] = mark;
    return sum;
}

__kernel void generic_pointers(__global int* sums, __global int* local_ones, __global int* data) {
    __local int shared[64];
    const int i = get_global_id(0), me = get_local_id(0);
    int mine[2] = {i, 1};
    shared[2 * me] = 2 * me;
    shared[2 * me + 1] = 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    int* anywhere = i % 3 == 0 ? (int*)(data + 2 * i) : i % 3 == 1 ? (int*)(shared + 2 * me) : (int*)mine;
    const int first = sum_and_mark(anywhere, 2, 1000 + i);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    sums[i] = first + mine[1] + shared[2 * me + 1] + data[2 * i + 1];
    local_ones[i] = to_local(anywhere) != 0; // to_private finds nothing: the compiler takes private for global memory
}
