// A lock in shared local memory: what it guards does not race, with a fence before it is let go; without, it does.
// RUN: visor run %s -g 128 -l 64 -a zeros:i32:2 --check=race,sync --device skl --print 0:2
// OUT: 0 = 96 96
// ERR: no findings
// RUN: visor run %s -g 128 -l 64 -a zeros:i32:2 --check=race,sync --device icllp --print 0:2
// OUT: 0 = 96 96
// ERR: no findings
// RUN: visor run %s --options -DNO_FENCE -g 128 -l 64 -a zeros:i32:2 --check=race,sync --device skl
// ERR: data race in shared local memory between hardware threads of a group [data-race]
// EXIT: 1
kernel void lock_local(global int* out) {
    local int lock, sum;
    const int me = get_local_id(0);
    if (me == 0) {
        lock = 0;
        sum = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me % 16 == 0) {
        int done = 0;
        while (!done) {
            if (atomic_cmpxchg(&lock, 0, 1) == 0) {
                sum += me; // 0 + 16 + 32 + 48
#ifndef NO_FENCE
                mem_fence(CLK_LOCAL_MEM_FENCE);
#endif
                atomic_xchg(&lock, 0);
                done = 1;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0)
        out[get_group_id(0)] = sum;
}
