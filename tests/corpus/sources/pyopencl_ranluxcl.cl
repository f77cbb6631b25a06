// The generator has no kernel of its own.
#define RANLUXCL_LUX 4
#include <pyopencl-ranluxcl.cl>

kernel void ranlux_seed(uint seeds, global ranluxcl_state_t* states) {
    ranluxcl_initialization(seeds, states);
}

kernel void ranlux_fill(global ranluxcl_state_t* states, global float4* out, uint rounds) {
    ranluxcl_state_t state;
    ranluxcl_download_seed(&state, states);
    for (uint round = 0; round < rounds; ++round)
        out[get_global_id(0) * rounds + round] = ranluxcl32(&state);
    ranluxcl_upload_seed(&state, states);
}
