// An array of each work-item's own, indexed by numbers that are known only when it runs: an insertion sort.
//
//   visor run examples/private_array/private_array.cl -g 32 -l 32 -a zeros:i32:512 rand:i32:512:1 --print 0:16

#define LENGTH 16

__kernel void private_array(__global int* out, __global const int* in) {
    const int i = get_global_id(0);
    int values[LENGTH];
    for (int k = 0; k < LENGTH; ++k) {
        const int value = in[i * LENGTH + k];
        int at = k;
        for (; at > 0 && values[at - 1] > value; --at)
            values[at] = values[at - 1];
        values[at] = value;
    }
    for (int k = 0; k < LENGTH; ++k)
        out[i * LENGTH + k] = values[k];
}
