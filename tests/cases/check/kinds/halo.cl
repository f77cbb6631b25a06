// The border of a tile is never loaded.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:66 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:66 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
kernel void halo(global int* out, global const int* in) {
    local int tile[34];
    const int l = get_local_id(0), i = get_global_id(0);
    tile[l + 1] = in[i + 1];
#ifdef BUG
    if (l == 1)
#else
    if (l == 0)
#endif
        tile[l] = in[i];
    if (l == 31)
        tile[33] = in[i + 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[l] + tile[l + 1] + tile[l + 2];
}
