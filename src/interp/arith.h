// The parts of the arithmetic family that stand in files of their own.
#pragma once

#include "interp/interp.h"

namespace visor::interp::arithmetic {

// Transcendental and rounding functions (math.cpp); nullptr for other instructions.
[[nodiscard]] Handler math(const Program& program, const PreparedInstruction& instruction);

// What is not one value a lane: second destinations, groups of lanes, packed bytes (tuple.cpp).
[[nodiscard]] Handler tuple(const Program& program, const PreparedInstruction& instruction);

} // namespace visor::interp::arithmetic
