// Recognizes comparisons of 64-bit numbers by halves, as compilers emit them for GPUs that compare 32 bits
// at once: un-legalizes them.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Those of numbers that are no vectors become one comparison each, if one of the two numbers is known as a
// whole. Behind LLVM's own passes, which bring them into one form. Time: linear.
void recognize_i64_compares(llvm::Function& function);

} // namespace visor::jit
