// A dot product whose groups add their parts under a lock, as textbooks had it: nothing makes the sum known when the
// lock is given back.
// RUN: visor run %s -g 64 -l 16 -a zeros:i32:1 zeros:i32:1 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 16 -a zeros:i32:1 zeros:i32:1 iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 16 -a zeros:i32:1 zeros:i32:1 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 16 -a zeros:i32:1 zeros:i32:1 iota:i32:64 --check=all
// ERR: [data-race]
// EXIT: 1
kernel void dot_with_lock(global volatile int* lock, global volatile int* sum, global const int* in) {
    local int part;
    const int i = get_global_id(0);
    if (get_local_id(0) == 0)
        part = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&part, in[i] * in[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) != 0)
        return;
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
#ifndef BUG
    mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
    *sum += part;
#ifndef BUG
    mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
    atomic_xchg(lock, 0);
}
