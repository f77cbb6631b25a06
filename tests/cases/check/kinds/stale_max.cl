// A maximum is kept with a plain compare and store.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:1 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:1 iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
kernel void stale_max(global int* best, global const int* in) {
    const int value = in[get_global_id(0)];
#ifdef BUG
    if (value > *best)
        *best = value;
#else
    atomic_max(best, value);
#endif
}
