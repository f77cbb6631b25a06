// The parts of the arithmetic family in other files than arith.cpp.
#pragma once

#include "interp/interp.h"

namespace visor::interp::arithmetic {

// Transcendental and rounding functions (math.cpp); nullptr for other instructions.
[[nodiscard]] Handler math(const Program& program, const PreparedInstruction& instruction);

// Instructions that are not one value per lane: second destinations, groups of lanes, packed bytes
// (tuple.cpp).
[[nodiscard]] Handler tuple(const Program& program, const PreparedInstruction& instruction);

} // namespace visor::interp::arithmetic
