// Local memory that two steps share: the second begins while some still read what the first left.
// RUN: visor run %s -g 64 -l 64 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 64 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 64 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 64 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(16))) kernel void storage_reuse(global int* out, global const int* in) {
    local int shared[64];
    const int l = get_local_id(0);
    const int value = in[get_global_id(0)];
    shared[l] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int first = shared[63 - l];
#ifndef BUG
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    shared[l] = value * first;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = first + shared[(l + 17) % 64];
}
