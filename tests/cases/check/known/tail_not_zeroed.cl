// A sum of a tile: work-items past the end of the data leave their place as it was.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:2 iota:i32:50 i32:50 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:2 iota:i32:50 i32:50 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 32 -a zeros:i32:2 iota:i32:50 i32:50 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 32 -a zeros:i32:2 iota:i32:50 i32:50 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
kernel void tail_not_zeroed(global int* sums, global const int* in, int n) {
    local int tile[32];
    const int l = get_local_id(0), i = get_global_id(0);
#ifdef BUG
    if (i < n)
        tile[l] = in[i];
#else
    tile[l] = i < n ? in[i] : 0;
#endif
    for (int half_size = 16; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_size)
            tile[l] += tile[l + half_size];
    }
    if (l == 0)
        sums[get_group_id(0)] = tile[0];
}
