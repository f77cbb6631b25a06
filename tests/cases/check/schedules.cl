// The result depends on which thread comes last: --seeds tells, and names the seeds.
// RUN: visor run %s -g 32 -l 32 -a zeros:i32:1 --seeds 0..20
// ERR: the result depends on the schedule: `out`[0] is 3 and
// ERR: with --seed 0 and
// ERR: 21 schedules
// EXIT: 1
// RUN: visor run %s --options -DSUM -g 32 -l 32 -a zeros:i32:1 --seeds 0..20 --print 0
// OUT: 0 = 6
// ERR: finished, 21 schedules
// RUN: visor run %s -g 32 -l 32 -a zeros:i32:1 --seeds 3..1
// ERR: --seeds takes A..B, two numbers in order; given `3..1`
// EXIT: 2
__attribute__((intel_reqd_sub_group_size(8))) kernel void schedules(global int* out) {
    const int thread = get_local_id(0) / 8;
    if (get_local_id(0) % 8 == 0) {
#ifdef SUM
        atomic_add(out, thread);
#else
        *out = thread;
#endif
    }
}
