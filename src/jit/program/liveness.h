// Liveness of registers and predicates: at the entries of a function, and of parked lanes while others
// continue.
#pragma once

#include "jit/program/function_info.h"

namespace visor::jit {

// Fills FunctionInfo::live and FunctionInfo::needs_no_blend; needs all other members.
void compute_liveness(const Program& program, uint32_t simd, bool full, FunctionInfo& info);

} // namespace visor::jit
