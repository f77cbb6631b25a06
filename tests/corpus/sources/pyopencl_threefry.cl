// The generators have no kernel of their own.
#include <pyopencl-random123/threefry.cl>

kernel void threefry4x32_fill(uint seed, global uint4* out, uint rounds) {
    threefry4x32_key_t key = {{get_global_id(0), seed, 0, 0}};
    threefry4x32_ctr_t counter = {{0, 0, 0, 0}};
    for (uint round = 0; round < rounds; ++round) {
        const threefry4x32_ctr_t drawn = threefry4x32(counter, key);
        ++counter.v[0];
        out[get_global_id(0) * rounds + round] = (uint4)(drawn.v[0], drawn.v[1], drawn.v[2], drawn.v[3]);
    }
}

kernel void threefry2x64_fill(ulong seed, global ulong2* out) {
    threefry2x64_key_t key = {{seed, 0}};
    threefry2x64_ctr_t counter = {{get_global_id(0), 0}};
    const threefry2x64_ctr_t drawn = threefry2x64(counter, key);
    out[get_global_id(0)] = (ulong2)(drawn.v[0], drawn.v[1]);
}
