// Maps bitwise functions of three vectors, however many operations they were written with (choice and
// majority of a hash have three to five), to the 3-input instruction of AVX-512 (VPTERNLOG), by cut
// enumeration. LLVM finds those of two operations alone.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// For CPUs with AVX-512, behind LLVM's own passes, which do not look into that instruction. Time: linear.
void map_ternary_logic(llvm::Function& function);

} // namespace visor::jit
