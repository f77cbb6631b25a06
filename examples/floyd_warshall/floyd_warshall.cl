// All shortest ways in a graph of 16 places: one group holds the matrix of distances and goes through every stop
// between.
//
//   visor run examples/floyd_warshall/floyd_warshall.cl -g 16,16 -l 16,16 -a iota:i32:256 --print 0:16

#define PLACES 16

__kernel void floyd_warshall(__global int* distances) {
    __local int ways[PLACES][PLACES];
    const int from = get_local_id(1), to = get_local_id(0);
    int least = distances[from * PLACES + to];
    for (int stop = 0; stop < PLACES; ++stop) {
        ways[from][to] = least;
        barrier(CLK_LOCAL_MEM_FENCE);
        least = min(least, ways[from][stop] + ways[stop][to]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    distances[from * PLACES + to] = least;
}
