// Which registers and predicates are wanted where: at the entries of a function, and by lanes that wait while
// others go on.
#pragma once

#include "jit/program/function_info.h"

namespace visor::jit {

// Fills Plan::alive and Plan::keeps_nothing; everything else of the plan is there.
void find_alive(const Program& program, uint32_t simd, bool full, Plan& plan);

} // namespace visor::jit
