// A sum in local memory that nobody set to zero.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:2 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:2 iota:i32:64 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
kernel void local_accumulator(global int* out, global const int* in) {
    local int sum;
    const int l = get_local_id(0);
#ifndef BUG
    if (l == 0)
        sum = 0;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, in[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        out[get_group_id(0)] = sum;
}
