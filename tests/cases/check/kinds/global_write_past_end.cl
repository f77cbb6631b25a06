// A global size that was rounded up, and nobody asks whether there is such an element.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:60 i32:60 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:60 i32:60 --check=all
// ERR: [out-of-bounds-write]
// EXIT: 1
kernel void global_write_past_end(global int* out, int n) {
    const int i = get_global_id(0);
#ifndef BUG
    if (i < n)
#endif
        out[i] = i;
}
