// A fence where a barrier is meant: it orders one work-item's own accesses and waits for nobody.
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
__attribute__((intel_reqd_sub_group_size(16))) kernel void fence_for_barrier(global int* out, global const int* in) {
    local int tile[64];
    const int l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
#ifdef BUG
    mem_fence(CLK_LOCAL_MEM_FENCE);
#else
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    out[get_global_id(0)] = tile[63 - l];
}
