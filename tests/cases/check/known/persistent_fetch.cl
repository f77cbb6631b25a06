// Groups that fetch work until there is none: the next number is fetched before all have read the last one.
// RUN: visor run %s -g 64 -l 64 -a zeros:i32:1 zeros:i32:512 i32:8 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 64 -a zeros:i32:1 zeros:i32:512 i32:8 --check=all
// ERR: [data-race]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 64 -a zeros:i32:1 zeros:i32:512 i32:8 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 64 -a zeros:i32:1 zeros:i32:512 i32:8 --check=all
// ERR: [data-race]
// EXIT: 1
__attribute__((intel_reqd_sub_group_size(16)))
kernel void persistent_fetch(global int* next, global int* out, int items) {
    local int item;
    const int l = get_local_id(0);
    for (;;) {
        if (l == 0)
            item = atomic_inc(next);
        barrier(CLK_LOCAL_MEM_FENCE);
        const int mine = item;
#ifndef BUG
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        if (mine >= items)
            break;
        out[mine * 64 + l] = mine + l;
    }
}
