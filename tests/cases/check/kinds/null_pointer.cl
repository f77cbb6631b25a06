// A buffer that may be null is used all the same.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 null --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 null --check=all
// ERR: [out-of-bounds-read]
// EXIT: 1
kernel void null_pointer(global int* out, global const int* weights) {
    const int i = get_global_id(0);
#ifdef BUG
    out[i] = weights[i];
#else
    out[i] = weights ? weights[i] : 1;
#endif
}
