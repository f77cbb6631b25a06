// Running sums of a long array in three steps: each group sums up its part, one group the groups' totals, and all add
// what came before them.
//
//   visor run examples/prefix_sum/prefix_sum.cl -k scan_groups -g 512 -l 64
//       -a zeros:i32:512 zeros:i32:8 iota:i32:512 --print 0:8 --print 1

int scan(__local int* sums, int value) {
    const int me = get_local_id(0), size = get_local_size(0);
    sums[me] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < size; step *= 2) {
        const int left = me >= step ? sums[me - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[me] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return sums[me];
}

__kernel void scan_groups(__global int* out, __global int* totals, __global const int* in) {
    __local int sums[64];
    const int i = get_global_id(0);
    out[i] = scan(sums, in[i]);
    if (get_local_id(0) == get_local_size(0) - 1)
        totals[get_group_id(0)] = out[i];
}

__kernel void scan_totals(__global int* totals) {
    __local int sums[64];
    const int i = get_global_id(0);
    totals[i] = scan(sums, totals[i]);
}

__kernel void add_totals(__global int* out, __global const int* totals) {
    const int group = get_group_id(0);
    if (group > 0)
        out[get_global_id(0)] += totals[group - 1];
}
