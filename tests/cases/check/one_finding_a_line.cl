// Barriers that are missing in six lines: a finding for each line at most, however many pairs of instructions conflict.
// The first hardware thread runs before the second one writes; its reads of five lines are what that writes.
// RUN: visor run %s -g 64 -l 64 -a zeros:i32:1 iota:i32:64 --check=race --device skl
// ERR: data race in shared local memory between hardware threads of a group [data-race]
// ERR: likewise with
// ERR: the checkers have 5 findings
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(16))) kernel void total(global int* out, global const int* in) {
    local volatile int t[64];
    const int me = get_local_id(0);
    t[me] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < 32) {
        t[me] += t[me + 32];
        t[me] += t[me + 16];
        t[me] += t[me + 8];
        t[me] += t[me + 4];
        t[me] += t[me + 2];
        t[me] += t[me + 1];
    }
    if (me == 0)
        out[get_group_id(0)] = t[0];
}
