// Part of a private array is never set.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
kernel void private_array(global int* out, global const int* in) {
    const int i = get_global_id(0);
    int seen[16];
#ifdef BUG
    for (int n = 0; n < (in[i] & 7); ++n)
#else
    for (int n = 0; n < 16; ++n)
#endif
        seen[n] = n * in[i];
    out[i] = seen[in[63 - i] & 15];
}
