// Which operand of a sampler's message each parameter is. A row names its parameters in order, behind their
// count; newer devices have others for two of them. Ruling 120 has the parts of parameters that pack several
// numbers.
#pragma once

#include "isa/device.h"
#include "isa/row.h"

#include <array>
#include <cstdint>

namespace visor::isa {

// Numbers of parameters, from 0; -1: the row does not have it.
struct SamplerParameters {
    std::array<int8_t, 3> uvr{-1, -1, -1};
    int8_t reference = -1;
    std::array<int8_t, 2> lane_offsets{-1, -1}; // dwords for u and v
    // A parameter that packs texel offsets with another number, or else a layer with one.
    int8_t packed = -1;
    uint8_t packed_offsets = 0; // how many
    bool packed_layer = false;  // an integer in bits 0 to 11, the offsets above
    bool multisample = false;   // control data precede the coordinates

    // Packed numbers need 32 bits.
    [[nodiscard]] bool needs_dwords() const { return packed >= 0; }
    [[nodiscard]] bool has_lane_offsets() const { return packed_offsets != 0 || lane_offsets[0] >= 0; }
};

// Of a row of the sampler family. Thread-safe; constant time but for the first call.
[[nodiscard]] const SamplerParameters& sampler_parameters(const Row& row, const Device& device);

// The texel offsets that all lanes of a message share, from its operand: four signed bits each, u in 11..8,
// v in 7..4, r in 3..0.
[[nodiscard]] std::array<int32_t, 3> shared_texel_offsets(uint64_t bits);

} // namespace visor::isa
