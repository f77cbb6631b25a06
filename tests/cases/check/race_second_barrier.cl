// A tile that is used again: the barrier behind the reads matters as much as the one before them.
// RUN: visor run %s -g 32 -l 32 -a zeros:i32:32 --check=race
// ERR: no findings
// RUN: visor run %s --options -DNO_SECOND -g 32 -l 32 -a zeros:i32:32 --check=race
// ERR: [data-race]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(8))) kernel void race_second_barrier(global int* out) {
    local int tile[32];
    const int l = get_local_id(0);
    int sum = 0;
    for (int round = 0; round < 3; ++round) {
        tile[l] = l + round;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += tile[31 - l];
#ifndef NO_SECOND
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    out[l] = sum;
}
