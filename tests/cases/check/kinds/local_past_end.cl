// The group is larger than the array that it shares.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 --check=all
// ERR: [out-of-bounds-write]
// EXIT: 1
kernel void local_past_end(global int* out) {
#ifdef BUG
    local int tile[16];
#else
    local int tile[32];
#endif
    const int l = get_local_id(0);
    tile[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[l];
}
