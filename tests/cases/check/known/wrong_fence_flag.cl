// Work-items exchange values through global memory, and the barrier makes only local memory known.
// RUN: visor run %s -g 64 -l 64 -a zeros:i32:64 zeros:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 64 -a zeros:i32:64 zeros:i32:64 --check=all
// ERR: [missing-fence]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 64 -a zeros:i32:64 zeros:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 64 -a zeros:i32:64 zeros:i32:64 --check=all
// ERR: [missing-fence]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(16)))
kernel void wrong_fence_flag(global int* out, global volatile int* between) {
    const int l = get_local_id(0);
    between[l] = l * l;
#ifdef BUG
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    barrier(CLK_GLOBAL_MEM_FENCE);
#endif
    out[l] = between[63 - l];
}
