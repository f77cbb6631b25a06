// A counter is counted with atomics and read without.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:1 zeros:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:1 zeros:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
kernel void atomic_and_plain(volatile global int* count, global int* out) {
    const int i = get_global_id(0);
#ifdef BUG
    atomic_inc(count);
    out[i] = *count > 4;
#else
    out[i] = atomic_inc(count) > 4;
#endif
}
