// The second half of the group returns before the barrier: whole hardware threads, so that no lane waits for another.
// RUN: visor run %s -g 64 -l 64 -a zeros:i32:64 i32:32 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 64 -a zeros:i32:64 i32:32 --check=all
// ERR: [missed-barrier]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 64 -a zeros:i32:64 i32:32 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 64 -a zeros:i32:64 i32:32 --check=all
// ERR: [missed-barrier]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(16))) kernel void whole_thread_returns(global int* out, int n) {
    local int tile[64];
    const int l = get_local_id(0);
#ifdef BUG
    if (l >= n)
        return;
#endif
    tile[l] = l * n;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < n)
        out[l] = tile[n - 1 - l];
}
