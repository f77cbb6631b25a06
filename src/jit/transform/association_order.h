// Pins the association order of sums: LLVM's instruction selection adds a sum's constant last, after operands
// with high latency. On a critical path of such sums (the rounds of a hash), the pass loads constants from
// memory, which keeps them in the middle of the sum.
#pragma once

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Function.h>

namespace visor::jit {

// Splat constants in sums of vectors. Runs after LLVM's pipeline, which would fold the loads. Time: linear.
void pin_association_order(llvm::BasicBlock& block);
// Only in long blocks.
void pin_association_order(llvm::Function& function);

} // namespace visor::jit
