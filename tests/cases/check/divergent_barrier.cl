// A barrier that only some of a thread's lanes come to.
// RUN: visor run %s -g 16 -l 16 -a zeros:i32:16 16 --check=sync
// ERR: no findings
// RUN: visor run %s -g 16 -l 16 -a zeros:i32:16 5 --check=sync
// ERR: a barrier in divergent flow: 11 of the thread's 16 lanes are elsewhere [divergent-barrier]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(16))) kernel void divergent_barrier(global int* out, int n) {
    const int l = get_local_id(0);
    if (l < n) {
        barrier(CLK_LOCAL_MEM_FENCE);
        out[l] = l;
    }
}
