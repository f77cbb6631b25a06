// Places in a queue are taken without an atomic.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:1 zeros:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:1 zeros:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
kernel void work_queue(global int* tail, global int* queue) {
    const int i = get_global_id(0);
    if (i % 16 != 3)
        return;
#ifdef BUG
    const int place = (*tail)++;
#else
    const int place = atomic_inc(tail);
#endif
    queue[place] = i;
}
