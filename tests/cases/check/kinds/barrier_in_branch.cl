// A barrier that half of the group comes to.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 --check=all
// ERR: [divergent-barrier]
// EXIT: 1
kernel void barrier_in_branch(global int* out) {
    local int tile[32];
    const int l = get_local_id(0);
    tile[l] = l;
#ifdef BUG
    if (l < 12)
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[l];
}
