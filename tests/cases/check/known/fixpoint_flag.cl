// Rounds until nothing changes: the flag is set back while others have yet to look at it.
// RUN: visor run %s -g 64 -l 64 -a iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 64 -a iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 64 -a iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 64 -a iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(16))) kernel void fixpoint_flag(global int* data) {
    local int tile[64];
    local int changed;
    const int l = get_local_id(0);
    tile[l] = data[get_global_id(0)];
    for (;;) {
        if (l == 0)
            changed = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        const int left = tile[l == 0 ? 0 : l - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (left < tile[l]) {
            tile[l] = left;
            atomic_or(&changed, 1);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const int again = changed;
#ifndef BUG
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        if (!again)
            break;
    }
    data[get_global_id(0)] = tile[l];
}
