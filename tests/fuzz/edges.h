// Writes to every register of a drawn program: all its variables, inputs among them, the predefined ones,
// predicates and addresses; by name and through addresses, at both ends of the variable, behind them, and
// where offsets wrap. A write that leaves its variable is a fault (ruling 147), the same on both engines.
#pragma once

#include "../jit/fuzz/recipe.h"
#include "exec/plan.h"

namespace visor::fuzz {

// Puts some of them between the program's own lines.
void add_edges(jit_fuzz::Recipe& recipe, exec_test::Random& random);

// A text but for some of its lines: numbers from 1, ascending.
[[nodiscard]] std::string without(const std::vector<uint32_t>& lines, const std::string& text);

} // namespace visor::fuzz
