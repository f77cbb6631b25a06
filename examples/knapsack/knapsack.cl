// The best load of a knapsack: for every thing the values of all capacities, a work-item to a capacity.
//
//   visor run examples/knapsack/knapsack.cl -g 128 -l 128 -a zeros:i32:128 iota:i32:16:3 iota:i32:16:5 16 --print 0:16

__kernel void knapsack(__global int* best, __constant int* weights, __constant int* values, int things) {
    __local int row[2][128];
    const int capacity = get_local_id(0);
    row[0][capacity] = 0;
    for (int thing = 0; thing < things; ++thing) {
        barrier(CLK_LOCAL_MEM_FENCE);
        __local const int* without = row[thing & 1];
        const int weight = weights[thing];
        int value = without[capacity];
        if (weight <= capacity)
            value = max(value, without[capacity - weight] + values[thing]);
        row[(thing + 1) & 1][capacity] = value;
    }
    best[capacity] = row[things & 1][capacity];
}
