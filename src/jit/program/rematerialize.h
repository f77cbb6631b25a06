// Registers that are made again wherever a block looks at them, instead of being kept while a thread waits at
// a barrier: what a few cheap instructions make of inputs that nobody writes, always the same for a thread.
// Compilers for GPUs compute addresses long before they are wanted, and keep dozens of them in registers.
#pragma once

#include "jit/program/function_info.h"

namespace visor::jit {

// Fills Plan::remade, and Root::constant and Root::remade. Roots, leaders, convergence and waits are known.
void find_remade(const Program& program, Plan& plan);

} // namespace visor::jit
