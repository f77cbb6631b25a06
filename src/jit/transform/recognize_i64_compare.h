// Recognizes comparisons of 64-bit numbers by halves, and choices between them, as compilers emit them for
// GPUs that compare 32 bits at once: un-legalizes them.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Each comparison by halves becomes one of i64 if one operand exists as a whole; of vectors, both do, or one
// is a constant or equal in all lanes. Two choices of halves of vectors by one condition become one. Runs
// after LLVM's pipeline, which canonicalizes the patterns. Time: linear, and in the uses of each condition.
void recognize_i64_compares(llvm::Function& function);

} // namespace visor::jit
