// Recognizes 64-bit sums and products that compilers build from 32-bit halves with carries, for GPUs without
// 64-bit integers, and 64-bit values that a loop carries in registers of 32-bit elements: un-legalizes them,
// so that later analyses see the 64-bit value.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Runs after `combine_shuffles`. Sums and products of vectors only; scalars would gain little. Time: linear.
void recognize_i64(llvm::Function& function);

} // namespace visor::jit
