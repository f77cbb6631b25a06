// Sums and products of 64 bits that compilers make of 32, for GPUs that have no others: of low and high
// halves, with carries and high halves of products. They become what they were, so that others can see what
// is known of lanes.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Behind `straighten`. Vectors alone: numbers cost less. Time: linear.
void join_qwords(llvm::Function& function);

} // namespace visor::jit
