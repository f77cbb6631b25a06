// Runtime entry points that generated code calls for its group, whatever engine it is of: barriers, clearing
// of memory.
#pragma once

#include "jit/engine/runtime_abi.h"

#include <cstdint>

namespace visor::jit {

// State::meet: threads of a group run on one CPU thread, in turn.
uint32_t meet(State* state, uint32_t index, uint32_t actions);

// State::clear, and what it clears.
inline constexpr uint32_t clear_shared_local = 1;
inline constexpr uint32_t clear_scratch = 2;
uint32_t clear(State* state, uint32_t what);

} // namespace visor::jit
