// Which registers hold nothing that outlives a block's mask: every element that a lane reads was written
// before in the same block, by that lane or by all. Writes to them need not keep what other lanes had.
#pragma once

#include "jit/program/function_info.h"

namespace visor::jit {

// By root of the plan; the plan's roots and leaders are known.
[[nodiscard]] std::vector<bool> find_local_roots(const Program& program, const Plan& plan);

// Registers whose every byte belongs to one lane, in the whole function: no other reads or writes it, but for
// writes of all lanes. They live and die as the lanes' own variables.
[[nodiscard]] std::vector<bool> find_lane_roots(const Program& program, const Plan& plan);

} // namespace visor::jit
