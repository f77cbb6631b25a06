// Each group sorts 512 keys in local memory: 45 steps, a barrier after each. The loops stay loops: unrolled, this is
// one block of 45 barriers, which takes longer to compile than to sort with.
#define KEYS 512

__attribute__((reqd_work_group_size(KEYS / 2, 1, 1)))
kernel void bitonic(global uint* to, global const uint* from) {
    local uint keys[KEYS];
    const int l = get_local_id(0);
    const size_t base = get_group_id(0) * KEYS;
    keys[l] = from[base + l];
    keys[l + KEYS / 2] = from[base + l + KEYS / 2];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
    for (int size = 2; size <= KEYS; size *= 2) {
        const bool upwards = (l & (size / 2)) == 0;
#pragma unroll 1
        for (int stride = size / 2; stride > 0; stride /= 2) {
            const int i = 2 * l - (l & (stride - 1));
            const uint a = keys[i];
            const uint b = keys[i + stride];
            const uint low = min(a, b);
            const uint high = max(a, b);
            keys[i] = upwards ? low : high;
            keys[i + stride] = upwards ? high : low;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    to[base + l] = keys[l];
    to[base + l + KEYS / 2] = keys[l + KEYS / 2];
}
