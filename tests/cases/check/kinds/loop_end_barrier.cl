// The next round fills the tile while others still read it.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:256 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:256 --check=all
// ERR: [data-race]
// EXIT: 1
kernel void loop_end_barrier(global int* out, global const int* in) {
    local int tile[32];
    const int l = get_local_id(0);
    int sum = 0;
    for (int round = 0; round < 4; ++round) {
        tile[l] = in[round * 64 + get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int n = 0; n < 32; ++n)
            sum += tile[n] * (n + l);
#ifndef BUG
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    out[get_global_id(0)] = sum;
}
