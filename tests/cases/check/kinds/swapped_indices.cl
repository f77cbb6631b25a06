// Rows and columns are mixed up in a picture that is not square.
// RUN: visor run %s -g 16,8 -l 16,2 -a zeros:i32:128 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 16,8 -l 16,2 -a zeros:i32:128 --check=all
// ERR: [out-of-bounds-write]
// EXIT: 1
kernel void swapped_indices(global int* out) {
    const int x = get_global_id(0), y = get_global_id(1);
#ifdef BUG
    out[x * 16 + y] = x;
#else
    out[y * 16 + x] = x;
#endif
}
