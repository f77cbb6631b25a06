// A histogram that counts without atomics.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:8 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:8 iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
kernel void histogram_global(global int* bins, global const int* in) {
    const int bin = in[get_global_id(0)] & 7;
#ifdef BUG
    bins[bin] += 1;
#else
    atomic_inc(&bins[bin]);
#endif
}
