// Work-groups that write one place, and their twin that counts with an atomic.
// RUN: visor run %s -g 64 -l 16 -a zeros:i32:1 --check=race
// ERR: no findings
// RUN: visor run %s --options -DPLAIN -g 64 -l 16 -a zeros:i32:1 --check=race
// ERR: data race in global memory between work-groups [data-race]
// ERR: at argument 0 `out` + 0x0
// ERR: work-groups run in any order: only atomics with fences order them
// EXIT: 1
kernel void race_global(global int* out) {
#ifdef PLAIN
    if (get_local_id(0) == 0)
        out[0] += 1;
#else
    atomic_add(out, 1);
#endif
}
