// A reduction tree: each group adds up its part, halving the number of active work-items at every barrier.
//
//   visor run examples/reduction/reduction.cl -g 1024 -l 128 -a zeros:i32:8 iota:i32:1000 local:512 1000 --print 0

__kernel void reduction(__global int* sums, __global const int* data, __local int* part, int count) {
    const int i = get_global_id(0), l = get_local_id(0);
    part[l] = i < count ? data[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
        if (l < step)
            part[l] += part[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sums[get_group_id(0)] = part[0];
}
