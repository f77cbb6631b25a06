// Shuffle combining: SROA leaves chains of shuffles, blends and insertions of registers that the program
// accesses in parts (every second dword of a qword, half of the lanes). Each chain becomes one shuffle of the
// vectors that compute its elements.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Requires registers as SSA values. Time: linear in the instructions, chain lengths (at most 64) and lanes.
void combine_shuffles(llvm::Function& function);

} // namespace visor::jit
