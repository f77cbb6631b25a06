// The last work-group sums up what the others left: a fence and an atomic order it. Without the fence the sums may not
// be there yet.
// RUN: visor run %s -g 64 -l 16 -a zeros:i32:4 zeros:i32:1 zeros:i32:1 --print 2 --check=race,sync
// OUT: 2 = 6
// ERR: no findings
// RUN: visor run %s --options -DNO_FENCE -g 64 -l 16 -a zeros:i32:4 zeros:i32:1 zeros:i32:1 --check=race,sync
// ERR: data race in global memory between work-groups [data-race]
// EXIT: 1
kernel void last_group(global volatile int* parts, global volatile int* done, global int* sum) {
    if (get_local_id(0) != 0)
        return;
    parts[get_group_id(0)] = get_group_id(0);
#ifndef NO_FENCE
    mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
    if (atomic_inc(done) != (int)get_num_groups(0) - 1)
        return;
    int all = 0;
    for (int i = 0; i < (int)get_num_groups(0); ++i)
        all += parts[i];
    *sum = all;
}
