// Places of numbers in a sorted table, also of those that are not in it.
//
//   visor run examples/binary_search/binary_search.cl -g 64 -l 32 -a zeros:i32:64 iota:i32:100 100 iota:i32:64
//       --print 0:8

__kernel void binary_search(__global int* places, __global const int* table, int length, __global const int* wanted) {
    const int i = get_global_id(0), value = wanted[i];
    int low = 0, high = length;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (table[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    places[i] = low;
}
