// Even and odd work-items each have a barrier of their own.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [divergent-barrier]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 32 -a zeros:i32:64 iota:i32:64 --check=all
// ERR: [divergent-barrier]
// EXIT: 1
kernel void barrier_in_both_branches(global int* out, global const int* in) {
    local int tile[32];
    const int l = get_local_id(0), i = get_global_id(0);
#ifdef BUG
    if (l & 1) {
        tile[l] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = tile[l - 1] * 2;
    } else {
        tile[l] = -in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = tile[l + 1] + 1;
    }
#else
    tile[l] = l & 1 ? in[i] : -in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = l & 1 ? tile[l - 1] * 2 : tile[l + 1] + 1;
#endif
}
