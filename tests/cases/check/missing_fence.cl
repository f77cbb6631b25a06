// A barrier of local memory does not make writes to global memory seen.
// RUN: visor run %s -g 32 -l 32 -a zeros:i32:32 zeros:i32:32 --check=race,sync
// ERR: no findings
// RUN: visor run %s --options -DLOCAL -g 32 -l 32 -a zeros:i32:32 zeros:i32:32 --check=race,sync
// ERR: a barrier orders these accesses to global memory, and no fence makes the write seen [missing-fence]
// ERR: put a fence of global memory before the barrier
// EXIT: 1
#ifdef LOCAL
#define FENCE CLK_LOCAL_MEM_FENCE
#else
#define FENCE CLK_GLOBAL_MEM_FENCE
#endif
__attribute__((intel_reqd_sub_group_size(8))) kernel void missing_fence(global int* between, global int* out) {
    const int l = get_local_id(0);
    between[l] = l;
    barrier(FENCE);
    out[l] = between[31 - l];
}
