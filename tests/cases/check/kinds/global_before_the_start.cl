// The first work-item reads its left neighbour, which is before the start.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [out-of-bounds-read]
// EXIT: 1
kernel void global_before_the_start(global int* out, global const int* in) {
    const int i = get_global_id(0);
#ifdef BUG
    out[i] = in[i] + in[i - 1];
#else
    out[i] = in[i] + in[max(i - 1, 0)];
#endif
}
