// The parameters of the sampler's messages: which operand each is, by the row, and their values by lane.
//
// Parameters follow their count in the row's order; trailing ones may be omitted, and are then zero. They are
// 32 bits wide, or 16 where the variable's type is. Ruling 120 has the parts of parameters that pack several
// numbers.
#pragma once

#include "interp/interp.h"
#include "isa/row.h"
#include "machine/image_lanes.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace visor::interp {

// Places of parameters after the first one; -1: the row does not have it.
struct ParameterPlaces {
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
// Of a row of the sampler family.
[[nodiscard]] const ParameterPlaces& parameter_places(const Program& program, const isa::Row& row);

// The immediate's offsets of all lanes: four bits each, u in 11..8, v in 7..4, r in 3..0.
[[nodiscard]] std::array<int32_t, 3> immediate_offsets(uint64_t bits);

// Of a message that samples, or gathers.
void read_parameters(machine::Thread& thread, const PreparedInstruction& instruction, size_t first,
                     const std::array<int32_t, 3>& offsets, machine::SampleLanes& out);
// Of a message that loads.
void read_parameters(machine::Thread& thread, const PreparedInstruction& instruction, size_t first,
                     const std::array<int32_t, 3>& offsets, machine::LaneIndices& out);

} // namespace visor::interp
