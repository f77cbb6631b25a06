// Bitonic sort: 256 keys of a group in shared local memory, two to a work-item, a barrier after each of the 36 rounds.
//
//   visor run examples/bitonic_sort/bitonic_sort.cl -g 256 -l 128 -a rand:u32:512:1 --print 0:8

#define KEYS 256

__kernel void bitonic_sort(__global uint* data) {
    __local uint keys[KEYS];
    const int me = get_local_id(0), start = KEYS * get_group_id(0);
    keys[me] = data[start + me];
    keys[me + KEYS / 2] = data[start + me + KEYS / 2];
    for (int length = 2; length <= KEYS; length *= 2) {
        for (int distance = length / 2; distance > 0; distance /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            const int low = 2 * me - (me & (distance - 1)), high = low + distance;
            const bool rising = (low & length) == 0;
            const uint a = keys[low], b = keys[high];
            if ((a > b) == rising) {
                keys[low] = b;
                keys[high] = a;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[start + me] = keys[me];
    data[start + me + KEYS / 2] = keys[me + KEYS / 2];
}
