// An index from the data leaves a table.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: memory access outside every allocation
// EXIT: 1
constant int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
kernel void constant_past_end(global int* out, global const int* in) {
    const int i = get_global_id(0);
#ifdef BUG
    out[i] = table[in[i] * 4096];
#else
    out[i] = table[in[i] & 15];
#endif
}
