// A step of k-means: each point finds its nearest centre, and the centres' new sums are made with atomics, first in
// the group, then in memory.
//
//   visor run examples/kmeans/kmeans.cl -g 256 -l 64 -a zeros:i32:256 zeros:i32:24 rand:i8:512:1 rand:i8:16:2
//       --print 0:8 --print 1:6

#define CENTRES 8

__kernel void kmeans(__global int* nearest, volatile __global int* sums, __global const char2* points,
                     __constant char2* centres) {
    __local int part[3 * CENTRES];
    const int i = get_global_id(0), me = get_local_id(0);
    if (me < 3 * CENTRES)
        part[me] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int2 point = convert_int2(points[i]);
    int best = 0, least = INT_MAX;
    for (int c = 0; c < CENTRES; ++c) {
        const int2 way = point - convert_int2(centres[c]);
        const int distance = way.x * way.x + way.y * way.y;
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    nearest[i] = best;
    atomic_add(&part[3 * best], point.x);
    atomic_add(&part[3 * best + 1], point.y);
    atomic_inc(&part[3 * best + 2]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < 3 * CENTRES)
        atomic_add(&sums[me], part[me]);
}
