// Lane values of the thread payload: an input's values for all lanes of a thread at once. Equals
// computed_value for each lane without its divisions, which would dominate small launches.
#pragma once

#include "machine/launch.h"

#include <array>
#include <cstdint>
#include <span>

namespace visor::machine {

// Space for the lanes of any input.
using LaneValues = std::array<uint64_t, UINT8_MAX>;

// For `out.size()` lanes, from the input's first one on; `worker`: number of the CPU thread.
void lane_values(const Launch& launch, uint32_t worker, uint32_t thread, const ComputedInput& input,
                 std::span<uint64_t> out);

} // namespace visor::machine
