// A left neighbour whose number is unsigned and therefore never below zero.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [out-of-bounds-read]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: memory access outside every allocation
// EXIT: 1
kernel void unsigned_wrap(global int* out, global const int* in) {
    const uint i = get_global_id(0);
#ifdef BUG
    const uint left = i - 1;
    out[i] = in[i] + (left >= 0 ? in[left] : 0);
#else
    out[i] = in[i] + (i >= 1 ? in[i - 1] : 0);
#endif
}
