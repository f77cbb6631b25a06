// Runtime entry points that do not depend on the engine: barriers, clearing of memory.
#pragma once

#include "jit/engine/runtime_abi.h"

#include <cstdint>

namespace visor::jit {

// State::meet. The threads of a group are time-sliced on one CPU thread, so it needs no atomics.
uint32_t meet(State* state, uint32_t index, uint32_t actions);

// State::clear, and flags that select the memory.
inline constexpr uint32_t clear_shared_local = 1;
inline constexpr uint32_t clear_scratch = 2;
uint32_t clear(State* state, uint32_t what);

} // namespace visor::jit
