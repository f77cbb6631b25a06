// Simplifications of an instruction: one step at a time, the largest first.
#pragma once

#include "module/module.h"

#include <cstddef>
#include <optional>

namespace visor::reduce {

// How many steps there are for this instruction; they stay the same while it is simplified.
[[nodiscard]] size_t simplification_steps(const Instruction& instruction);
// The instruction after step `step`; nothing where the step changes nothing. `function` holds its variables.
[[nodiscard]] std::optional<Instruction> simplified(const Function& function, const Instruction& instruction,
                                                    size_t step);

} // namespace visor::reduce
