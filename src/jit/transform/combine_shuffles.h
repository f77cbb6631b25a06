// What SROA makes of registers that are written and read in parts (every second dword of a qword, half of the
// lanes): chains of shuffles, blends and insertions. Each becomes one shuffle of where its elements were
// made.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// While registers are values. Time: linear in the instructions, with the length of chains (at most 64) and of
// vectors.
void straighten(llvm::Function& function);

} // namespace visor::jit
