// A barrier in a loop that some leave early.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [divergent-barrier]
// EXIT: 1
kernel void barrier_in_loop(global int* out, global const int* in) {
    local int tile[32];
    const int l = get_local_id(0);
#ifdef BUG
    const int rounds = in[l] & 3;
#else
    const int rounds = in[32] & 3;
#endif
    int sum = 0;
    for (int n = 0; n <= rounds; ++n) {
        tile[l] = n + l;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[l];
    }
    out[get_global_id(0)] = sum;
}
