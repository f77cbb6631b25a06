// What passes a test is packed together: each group counts, takes that much of the output with one atomic, and its
// work-items find their places by a running sum.
//
//   visor run examples/stream_compaction/stream_compaction.cl -g 256 -l 64
//       -a zeros:i32:256 zeros:i32:1 iota:i32:256 --print 0:8 --print 1

__kernel void stream_compaction(__global int* out, volatile __global int* length, __global const int* in) {
    __local int sums[64];
    __local int start;
    const int i = get_global_id(0), me = get_local_id(0), size = get_local_size(0);
    const int value = in[i];
    const int passes = value % 7 == 3 || value % 5 == 0;
    sums[me] = passes;
    for (int step = 1; step < size; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int left = me >= step ? sums[me - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[me] += left;
    }
    if (me == size - 1)
        start = atomic_add(length, sums[me]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (passes)
        out[start + sums[me] - 1] = value;
}
