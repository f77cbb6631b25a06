// Recognizes 64-bit sums and products that compilers build from 32-bit halves with carries, for GPUs without
// 64-bit integers: un-legalizes them, so that later analyses see the 64-bit value.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Behind `combine_shuffles`. Vectors alone: numbers cost less. Time: linear.
void recognize_i64(llvm::Function& function);

} // namespace visor::jit
