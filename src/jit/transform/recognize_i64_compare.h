// Recognizes comparisons of 64-bit numbers by halves, as compilers emit them for GPUs that compare 32 bits
// at once: un-legalizes them.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Each scalar comparison by halves becomes one i64 comparison if one operand exists as a whole. Runs after
// LLVM's pipeline, which canonicalizes the pattern. Time: linear.
void recognize_i64_compares(llvm::Function& function);

} // namespace visor::jit
