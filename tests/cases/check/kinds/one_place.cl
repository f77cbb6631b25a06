// All write their number to one place.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:1 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:1 --check=all
// ERR: [data-race]
// EXIT: 1
kernel void one_place(global int* out) {
#ifdef BUG
    *out = get_global_id(0);
#else
    if (get_global_id(0) == 0)
        *out = get_global_id(0);
#endif
}
