// A histogram with more bins than work-items: only the first bins are set to zero.
// RUN: visor run %s -g 64 -l 32 -a zeros:i32:128 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --options -DBUG -g 64 -l 32 -a zeros:i32:128 iota:i32:64 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
// RUN: visor run %s --device pvc -g 64 -l 32 -a zeros:i32:128 iota:i32:64 --check=all
// ERR: no findings
// RUN: visor run %s --device pvc --options -DBUG -g 64 -l 32 -a zeros:i32:128 iota:i32:64 --check=all
// ERR: [uninitialized-store]
// EXIT: 1
kernel void histogram_bins_left(global int* bins, global const int* in) {
    local int mine[64];
    const int l = get_local_id(0);
#ifdef BUG
    mine[l] = 0;
#else
    for (int bin = l; bin < 64; bin += 32)
        mine[bin] = 0;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&mine[in[get_global_id(0)] & 63]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int bin = l; bin < 64; bin += 32)
        bins[get_group_id(0) * 64 + bin] = mine[bin];
}
