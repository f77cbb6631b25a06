// A histogram of 256 bins: atomics on shared local memory, then one global atomic a bin and group.
//
//   visor run examples/histogram/histogram.cl -g 1024 -l 128 -a zeros:u32:256 iota:u8:4096 4096 --print 0:8

#define BINS 256

__kernel void histogram(__global uint* bins, __global const uchar* data, int count) {
    __local uint local_bins[BINS];
    for (int i = get_local_id(0); i < BINS; i += get_local_size(0))
        local_bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(&local_bins[data[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_id(0); i < BINS; i += get_local_size(0)) {
        if (local_bins[i] != 0)
            atomic_add(&bins[i], local_bins[i]);
    }
}
