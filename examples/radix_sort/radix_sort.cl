// One pass of a radix sort, by four bits: count the digits of each group, add up the counts, put every key in its
// place. Equal digits keep their order, so that passes over all digits sort.
//
//   visor run examples/radix_sort/radix_sort.cl -k count_digits -g 256 -l 64 -a zeros:u32:64 rand:u32:256:1 0
//       --print 0:16

#define DIGITS 16
#define GROUP 64

// counts[digit][group]: added up in this order they are places.
__kernel void count_digits(__global uint* counts, __global const uint* keys, int shift) {
    __local uint mine[DIGITS];
    const int me = get_local_id(0);
    if (me < DIGITS)
        mine[me] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&mine[keys[get_global_id(0)] >> shift & (DIGITS - 1)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < DIGITS)
        counts[me * get_num_groups(0) + get_group_id(0)] = mine[me];
}

// By one group of as many work-items as there are counts: what comes before each.
__kernel void add_up(__global uint* counts, __local uint* sums) {
    const int me = get_local_id(0);
    const uint count = counts[me];
    sums[me] = count;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < (int)get_local_size(0); step *= 2) {
        const uint left = me >= step ? sums[me - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[me] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    counts[me] = sums[me] - count;
}

__kernel void place(__global uint* sorted, __global const uint* places, __global const uint* keys, int shift) {
    __local uchar digits[GROUP];
    const int me = get_local_id(0);
    const uint key = keys[get_global_id(0)], digit = key >> shift & (DIGITS - 1);
    digits[me] = (uchar)digit;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint rank = 0;
    for (int k = 0; k < me; ++k)
        rank += digits[k] == digit;
    sorted[places[digit * get_num_groups(0) + get_group_id(0)] + rank] = key;
}
