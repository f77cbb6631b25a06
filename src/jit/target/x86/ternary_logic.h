// Maps bitwise functions of three vectors to AVX-512's 3-input instruction (VPTERNLOG) by cut enumeration,
// whatever their number of operations: choice and majority of a hash have three to five. LLVM matches only
// two.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// For CPUs with AVX-512. Runs after LLVM's passes, which do not optimize the intrinsic. Time: linear.
void map_ternary_logic(llvm::Function& function);

} // namespace visor::jit
