// A message from one group to the next: the flag is an atomic, and nothing makes the message known before it.
// RUN: visor run %s -g 32 -l 16 -a zeros:i32:16 zeros:i32:1 zeros:i32:16 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 32 -l 16 -a zeros:i32:16 zeros:i32:1 zeros:i32:16 --check=all
// ERR: [data-race]
// EXIT: 1
// RUN: visor run %s --device pvc -g 32 -l 16 -a zeros:i32:16 zeros:i32:1 zeros:i32:16 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 32 -l 16 -a zeros:i32:16 zeros:i32:1 zeros:i32:16 --check=all
// ERR: [missing-fence]
// EXIT: 1
kernel void message_flag(global volatile int* message, global volatile int* flag, global int* out) {
    const int l = get_local_id(0);
    if (get_group_id(0) == 0) {
        message[l] = l + 1;
#ifdef BUG
        barrier(CLK_LOCAL_MEM_FENCE);
#else
        barrier(CLK_GLOBAL_MEM_FENCE);
#endif
        if (l == 0)
            atomic_xchg(flag, 1);
    } else {
        if (l == 0)
            while (atomic_or(flag, 0) == 0)
                ;
        barrier(CLK_GLOBAL_MEM_FENCE);
        out[l] = message[l];
    }
}
