// A loop runs as often as local memory says, which nobody wrote.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 --check=all
// ERR: [uninitialized-branch]
// EXIT: 1
kernel void branch_on_nothing(global int* out) {
    local int rounds;
#ifndef BUG
    if (get_local_id(0) == 0)
        rounds = 3;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int n = 0; n < (rounds & 3); ++n)
        sum += n ^ (int)get_global_id(0);
    out[get_global_id(0)] = sum;
}
