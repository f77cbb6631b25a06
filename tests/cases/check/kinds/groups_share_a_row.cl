// Every group writes the same row, each with its own numbers.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
kernel void groups_share_a_row(global int* out) {
#ifdef BUG
    out[get_local_id(0)] = get_global_id(0);
#else
    out[get_global_id(0)] = get_global_id(0);
#endif
}
