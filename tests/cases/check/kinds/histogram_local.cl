// A histogram of the group that counts without atomics.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:16 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:16 iota:i32:64 --check=all
// ERR: [lost-update]
// EXIT: 1
kernel void histogram_local(global int* bins, global const int* in) {
    local int mine[8];
    const int l = get_local_id(0);
    if (l < 8)
        mine[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int bin = in[get_global_id(0)] & 7;
#ifdef BUG
    mine[bin] += 1;
#else
    atomic_inc(&mine[bin]);
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8)
        bins[get_group_id(0) * 8 + l] = mine[l];
}
