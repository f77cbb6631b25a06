// Two buffers, of which one is filled while the other is used: one barrier a round is needed, and there is none.
// RUN: visor run %s -g 64 -l 64 -a zeros:i32:64 iota:i32:512 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 64 -a zeros:i32:64 iota:i32:512 --check=all
// ERR: [data-race]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 64 -a zeros:i32:64 iota:i32:512 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 64 -a zeros:i32:64 iota:i32:512 --check=all
// ERR: [data-race]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(16))) kernel void prefetch_next(global int* out, global const int* in) {
    local int tile[2][64];
    const int l = get_local_id(0);
    int sum = 0;
    tile[0][l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int round = 0; round < 8; ++round) {
        if (round + 1 < 8)
            tile[(round + 1) & 1][l] = in[(round + 1) * 64 + l];
        sum += tile[round & 1][63 - l];
#ifndef BUG
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    out[l] = sum;
}
