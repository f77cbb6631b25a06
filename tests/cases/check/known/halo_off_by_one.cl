// A stencil of radius two: one element fewer of the right edge is fetched than is read.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:68 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:68 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 32 -a zeros:i32:64 iota:i32:68 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:68 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
kernel void halo_off_by_one(global int* out, global const int* in) {
    local int tile[36];
    const int l = get_local_id(0), i = get_global_id(0);
    tile[l + 2] = in[i + 2];
    if (l < 2)
        tile[l] = in[i];
#ifdef BUG
    if (l > 30)
#else
    if (l >= 30)
#endif
        tile[l + 4] = in[i + 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[l] + tile[l + 1] + tile[l + 2] + tile[l + 3] + tile[l + 4];
}
