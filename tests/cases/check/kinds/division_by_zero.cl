// One of the divisors is zero.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [division-by-zero]
// EXIT: 1
kernel void division_by_zero(global int* out, global const int* in) {
    const int i = get_global_id(0);
#ifdef BUG
    out[i] = 100 / in[i];
#else
    out[i] = in[i] == 0 ? 0 : 100 / in[i];
#endif
}
