// A prefix sum in place, with one barrier a step instead of two.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(8))) kernel void scan_in_place(global int* out, global const int* in) {
    local int sums[32];
    const int l = get_local_id(0);
    sums[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < 32; step *= 2) {
        const int left = l >= step ? sums[l - step] : 0;
#ifndef BUG
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        sums[l] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sums[l];
}
