// Makes a program that shows a difference smaller, for as long as there is time.
#pragma once

#include "recipe.h"
#include "rig.h"

namespace visor::jit_fuzz {

// Runs a drawn program, without the lines that are refused; they are taken out of the recipe.
[[nodiscard]] Trial run_drawn(Rig& rig, Recipe& recipe);

[[nodiscard]] Recipe minimised(Rig& rig, Recipe recipe, double seconds);

} // namespace visor::jit_fuzz
