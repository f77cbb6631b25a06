// Shuffle combining: SROA makes chains of shuffles, blends and insertions of registers that are written and
// read in parts (every second dword of a qword, half of the lanes). Each chain becomes one shuffle of where
// its elements were computed.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// While registers are values. Time: linear in the instructions, with the length of chains (at most 64) and of
// vectors.
void combine_shuffles(llvm::Function& function);

} // namespace visor::jit
