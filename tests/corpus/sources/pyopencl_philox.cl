// The generators have no kernel of their own.
#include <pyopencl-random123/philox.cl>

kernel void philox4x32_fill(uint seed, global uint4* out, uint rounds) {
    philox4x32_key_t key = {{get_global_id(0), seed}};
    philox4x32_ctr_t counter = {{0, 0, 0, 0}};
    union {
        philox4x32_ctr_t counter;
        uint4 bits;
    } drawn;
    for (uint round = 0; round < rounds; ++round) {
        drawn.counter = philox4x32(counter, key);
        ++counter.v[0];
        out[get_global_id(0) * rounds + round] = drawn.bits;
    }
}

kernel void philox2x32_fill(uint seed, global uint2* out) {
    philox2x32_key_t key = {{seed}};
    philox2x32_ctr_t counter = {{get_global_id(0), 0}};
    const philox2x32_ctr_t drawn = philox2x32(counter, key);
    out[get_global_id(0)] = (uint2)(drawn.v[0], drawn.v[1]);
}
