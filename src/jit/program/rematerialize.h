// Rematerialization across barriers: recomputes registers in each block that uses them, instead of saving
// them while a thread waits. Covers a few cheap instructions on inputs that are never written: GPU compilers
// compute dozens of addresses early and keep them in registers.
#pragma once

#include "jit/program/function_info.h"

namespace visor::jit {

// Fills FunctionInfo::rematerialized, and Root::constant and Root::rematerialized. Roots, leaders,
// convergence and waits are known.
void find_rematerializable(const Program& program, FunctionInfo& info);

} // namespace visor::jit
