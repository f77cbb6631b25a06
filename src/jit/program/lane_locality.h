// Block-local and lane-private registers: those that hold nothing that outlives a block's mask, since every
// element that a lane reads was written before in the same block, by that lane or by all. Partial writes to
// them need not preserve other lanes.
#pragma once

#include "jit/program/function_info.h"

namespace visor::jit {

// By root of the plan; the plan's roots and leaders are known.
[[nodiscard]] std::vector<bool> find_block_local_roots(const Program& program, const FunctionInfo& info);

// Registers whose every byte belongs to one lane, in the whole function: no other reads or writes it, but for
// writes of all lanes. They live and die as the lanes' own variables.
[[nodiscard]] std::vector<bool> find_lane_roots(const Program& program, const FunctionInfo& info);

} // namespace visor::jit
