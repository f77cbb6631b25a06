// A loop that a work-item leaves when it is done, while others wait in it.
// RUN: visor run %s -g 64 -l 32 -a iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a iota:i32:64 --check=all
// ERR: [divergent-barrier]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 32 -a iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 32 -a iota:i32:64 --check=all
// ERR: [divergent-barrier]
// EXIT: 1
kernel void break_before_barrier(global int* data) {
    local int best[32];
    const int l = get_local_id(0);
    int value = data[get_global_id(0)];
    best[l] = value;
    for (int round = 0; round < 8; ++round) {
#ifdef BUG
        if (value < round * 8)
            break;
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        const int other = best[(l + round) % 32];
        barrier(CLK_LOCAL_MEM_FENCE);
        value = max(value, other);
        best[l] = value;
    }
    data[get_global_id(0)] = value;
}
