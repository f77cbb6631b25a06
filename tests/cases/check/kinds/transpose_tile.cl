// A tile is read by columns before all rows are there.
// RUN: visor run %s -g 8,8 -l 8,8 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 8,8 -l 8,8 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(8))) kernel void transpose_tile(global int* out, global const int* in) {
    local int tile[8][8];
    const int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = in[y * 8 + x];
#ifndef BUG
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    out[y * 8 + x] = tile[x][y];
}
