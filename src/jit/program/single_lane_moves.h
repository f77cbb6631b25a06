// Narrows `mov` of one lane. A compiler stores an element of an array in registers, at an index of each
// lane's own, by a `mov` of all lanes for each lane, under a predicate that holds that lane's bit alone:
// sixteen stores of sixteen lanes, or thirty-two.
#pragma once

#include "program/program.h"

#include <optional>

namespace visor::jit {

// The program with such instructions made into ones of one lane, at the same indices, which do the same where
// they do not fault; the reference executes the ones of `program` in their place. Nothing: there are none.
// Time: linear.
[[nodiscard]] std::optional<Program> narrowed(const Program& program);

} // namespace visor::jit
