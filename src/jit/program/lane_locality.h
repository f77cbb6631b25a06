// Block-local and lane-private registers. In a block-local register every element that a lane reads was
// written before in the same block, by that lane or by all. Partial writes need not preserve other lanes.
#pragma once

#include "jit/program/function_info.h"

namespace visor::jit {

// By root. Needs FunctionInfo's roots and leaders.
[[nodiscard]] std::vector<bool> find_block_local_roots(const Program& program, const FunctionInfo& info);

// Lane-private registers: no other lane accesses a byte in the whole function, but for writes of all lanes.
[[nodiscard]] std::vector<bool> find_lane_roots(const Program& program, const FunctionInfo& info);

} // namespace visor::jit
