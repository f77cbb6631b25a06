// Comparisons of 64-bit numbers that were made of their halves, as compilers do for GPUs that compare no more
// than 32 bits at once.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Those of numbers that are no vectors become one comparison each, if one of the two numbers is known as a
// whole. Behind LLVM's own passes, which bring them into one form. Time: linear.
void compare_whole(llvm::Function& function);

} // namespace visor::jit
