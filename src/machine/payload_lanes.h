// Lane values of the thread payload: what the lanes of an input hold in one thread, all at once: as
// computed_value says of each, without its divisions for every lane. A launch of a few threads spends more
// time on them than on anything else.
#pragma once

#include "machine/launch.h"

#include <array>
#include <cstdint>
#include <span>

namespace visor::machine {

// Space for the lanes of any input.
using LaneValues = std::array<uint64_t, UINT8_MAX>;

// Of as many lanes as `out` has room for, from the input's first one on; `worker`: number of the CPU thread.
void lane_values(const Launch& launch, uint32_t worker, uint32_t thread, const ComputedInput& input,
                 std::span<uint64_t> out);

} // namespace visor::machine
