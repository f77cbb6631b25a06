// Odd-even transposition sort of strings of one group: neighbours change places until a round changes nothing.
//
//   visor run examples/odd_even_sort/odd_even_sort.cl -g 32 -l 32 -a rand:i16:64:1 zeros:i32:1 --print 0:8 --print 1

#define KEYS 64

__kernel void odd_even_sort(__global short* data, __global int* rounds) {
    __local short keys[KEYS];
    __local int changes;
    const int me = get_local_id(0), start = KEYS * get_group_id(0);
    keys[2 * me] = data[start + 2 * me];
    keys[2 * me + 1] = data[start + 2 * me + 1];
    int round = 0;
    bool changed = true;
    while (changed) {
        if (me == 0)
            changes = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int odd = 0; odd < 2; ++odd) {
            const int at = 2 * me + odd;
            if (at + 1 < KEYS && keys[at] > keys[at + 1]) {
                const short kept = keys[at];
                keys[at] = keys[at + 1];
                keys[at + 1] = kept;
                atomic_inc(&changes);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        ++round;
        changed = changes != 0;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    data[start + 2 * me] = keys[2 * me];
    data[start + 2 * me + 1] = keys[2 * me + 1];
    if (me == 0)
        rounds[get_group_id(0)] = round;
}
