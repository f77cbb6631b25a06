// Shared local memory that only half of the work-items fill.
// RUN: visor run %s -g 32 -l 32 -a zeros:i32:32 --check=init
// ERR: no findings
// RUN: visor run %s --options -DHALF -g 32 -l 32 -a zeros:i32:32 --check=init
// ERR: a value that nobody wrote is stored to global memory [uninitialized-store]
// ERR: at argument 0 `out` + 0x
// ERR: reads shared local memory + 0x
// EXIT: 1
// RUN: visor run %s --options -DBRANCH -g 32 -l 32 -a zeros:i32:32 --check=init
// ERR: a branch depends on a value that nobody wrote [uninitialized-branch]
// EXIT: 1
kernel void uninitialized(global int* out) {
    local int tile[32];
    const int l = get_local_id(0);
#if defined(HALF) || defined(BRANCH)
    if (l < 16)
#endif
        tile[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef BRANCH
    for (int i = 0; i < (tile[31 - l] & 3); ++i)
        out[l * 0 + i] = 1;
#else
    out[l] = tile[31 - l];
#endif
}
