// A sum by halves in a group whose size is no power of two: half of the next one leads past what was filled.
// RUN: visor run %s -g 48 -l 24 -a zeros:i32:2 iota:i32:48 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 48 -l 24 -a zeros:i32:2 iota:i32:48 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
// RUN: visor run %s --device pvc -g 48 -l 24 -a zeros:i32:2 iota:i32:48 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 48 -l 24 -a zeros:i32:2 iota:i32:48 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
kernel void reduction_of_24(global int* sums, global const int* in) {
    local int tile[32];
    const int l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    for (int stride = 16; stride > 0; stride /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
#ifdef BUG
        if (l < stride)
#else
        if (l < stride && l + stride < 24)
#endif
            tile[l] += tile[l + stride];
    }
    if (l == 0)
        sums[get_group_id(0)] = tile[0];
}
