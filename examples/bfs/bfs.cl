// A step of a breadth-first search: places that were reached in the last step reach their neighbours. The host repeats
// it until nothing changes.
//
//   visor run examples/bfs/bfs.cl -g 4 -l 4 -a fill:i32:4:0 zeros:i32:1 iota:i32:5 iota:i32:4 0 --print 0

__kernel void bfs(__global int* distances, __global int* changed, __global const int* starts,
                  __global const int* neighbours, int step) {
    const int i = get_global_id(0);
    if (distances[i] != step)
        return;
    for (int k = starts[i]; k < starts[i + 1]; ++k) {
        if (distances[neighbours[k]] < 0) { // all who come here write the same
            distances[neighbours[k]] = step + 1;
            *changed = 1;
        }
    }
}
