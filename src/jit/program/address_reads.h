// Reads of address elements that are upward exposed: not preceded, in their block, by a write of the same
// lanes.
#pragma once

#include "jit/program/function_info.h"

#include <vector>

namespace visor::jit {

// By instruction, ascending. Needs FunctionInfo::leader. An element that lanes write under a mask and read
// under the same mask within a block is dead where the block begins, whatever other lanes left in it.
[[nodiscard]] std::vector<Items> upward_exposed_addresses(const Program& program, const FunctionInfo& info);

} // namespace visor::jit
