// Work-items that have nothing to do leave before the barrier.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 i32:50 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 i32:50 --check=all
// ERR: [divergent-barrier]
// EXIT: 1
kernel void early_return(global int* out, int n) {
    local int tile[32];
    const int l = get_local_id(0), i = get_global_id(0);
#ifdef BUG
    if (i >= n)
        return;
#endif
    tile[l] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n)
        out[i] = tile[l];
}
