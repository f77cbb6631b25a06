// Two buffers that take turns, one barrier a round; the turn is taken wrongly.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(8))) kernel void double_buffer(global int* out, global const int* in) {
    local int data[2][32];
    const int l = get_local_id(0);
    data[0][l] = in[get_global_id(0)];
    data[1][l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int from = 0;
    for (int round = 0; round < 4; ++round) {
#ifdef BUG
        const int to = from;
#else
        const int to = 1 - from;
#endif
        data[to][l] = data[from][(l + 9) % 32] + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        from = to;
    }
    out[get_global_id(0)] = data[from][l];
}
