// Groups leave partial sums in an array that has room for half of them.
// RUN: visor run %s -g 128 -l 16 -a zeros:i32:4 iota:i32:128 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 128 -l 16 -a zeros:i32:4 iota:i32:128 --check=all
// ERR: [out-of-bounds-write]
// EXIT: 1
// RUN: visor run %s --device pvc -g 128 -l 16 -a zeros:i32:4 iota:i32:128 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 128 -l 16 -a zeros:i32:4 iota:i32:128 --check=all
// ERR: memory access outside every allocation
// EXIT: 1
kernel void partial_sums_too_small(global int* sums, global const int* in) {
    local int sum;
    if (get_local_id(0) == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, in[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef BUG
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
#else
    if (get_local_id(0) == 0)
        atomic_add(&sums[get_group_id(0) % 4], sum);
#endif
}
