// Items are appended to a list, and its length is counted without an atomic.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:1 zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:1 zeros:i32:64 iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 32 -a zeros:i32:1 zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 32 -a zeros:i32:1 zeros:i32:64 iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
kernel void append(global int* length, global int* list, global const int* in) {
    const int value = in[get_global_id(0)];
    if ((value & 1) == 0) {
#ifdef BUG
        const int at = (*length)++;
#else
        const int at = atomic_inc(length);
#endif
        list[at] = value;
    }
}
