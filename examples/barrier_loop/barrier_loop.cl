// Barriers inside a loop that each group goes round a different number of times: values wander through the group.
//
//   visor run examples/barrier_loop/barrier_loop.cl -g 192 -l 48 -a zeros:i32:192 iota:i32:192 --print 0:8

__kernel void barrier_loop(__global int* out, __global const int* in) {
    __local int ring[48];
    const int i = get_global_id(0), me = get_local_id(0), size = get_local_size(0);
    int value = in[i];
    for (int step = 1; step <= 3 * ((int)get_group_id(0) + 1); ++step) {
        ring[me] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        value = value * 3 + ring[(me + step) % size];
        if (step % 4 == 0 && ring[0] % 2 == 0) { // the same for all of the group
            barrier(CLK_LOCAL_MEM_FENCE);
            ring[size - 1 - me] = value;
            barrier(CLK_LOCAL_MEM_FENCE);
            value ^= ring[me];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = value;
}
