// A stencil in place: neighbours of the next group are read while that writes them.
// RUN: visor run %s -g 64 -l 32 -a iota:i32:65 zeros:i32:65 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a iota:i32:65 zeros:i32:65 --check=all
// ERR: [data-race]
// EXIT: 1
kernel void in_place_stencil(global int* data, global int* other) {
    const int i = get_global_id(0);
    const int sum = data[i] + data[i + 1];
#ifdef BUG
    data[i] = sum;
#else
    other[i] = sum;
#endif
}
