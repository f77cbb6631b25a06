// Liveness of registers and predicates: at the entries of a function, and of lanes that wait while others
// continue.
#pragma once

#include "jit/program/function_info.h"

namespace visor::jit {

// Fills FunctionInfo::alive and FunctionInfo::keeps_nothing; everything else of the plan is there.
void compute_liveness(const Program& program, uint32_t simd, bool full, FunctionInfo& info);

} // namespace visor::jit
