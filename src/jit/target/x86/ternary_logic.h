// Bitwise functions of three vectors, however many operations compilers write them with (the choice and the
// majority of a hash have three to five), are the one instruction that AVX-512 has for all of them. LLVM
// finds those of two operations alone.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// For CPUs with AVX-512, behind LLVM's own passes, which do not look into that instruction. Time: linear.
void join_logic(llvm::Function& function);

} // namespace visor::jit
