// Narrows `mov` of one lane. To store to an array in registers at a divergent index, the compiler emits a
// `mov` of all lanes for each lane, under a predicate with that lane's bit alone: 16 stores of 16 lanes, or
// 32 of 32.
#pragma once

#include "program/program.h"

#include <optional>

namespace visor::jit {

// The program with these instructions narrowed to one lane, at the same indices. They are equivalent unless
// they fault; the interpreter fallback executes those of `program`. Nothing: there are none. Time: linear.
[[nodiscard]] std::optional<Program> narrowed(const Program& program);

} // namespace visor::jit
