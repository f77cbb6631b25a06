// Rematerialization across barriers: registers that are recomputed in each block that uses them, instead of
// being kept while a thread waits: a few cheap instructions on inputs that nobody writes. Compilers for GPUs
// compute addresses long before their use, and keep dozens of them in registers.
#pragma once

#include "jit/program/function_info.h"

namespace visor::jit {

// Fills FunctionInfo::rematerialized, and Root::constant and Root::rematerialized. Roots, leaders,
// convergence and waits are known.
void find_rematerializable(const Program& program, FunctionInfo& info);

} // namespace visor::jit
