// LLVM's instruction selection adds a sum's constant last, after what is known late. Where code waits for
// such sums rather than for the CPU's units (the rounds of a hash), constants that stand in the middle of a
// sum are loaded from memory, and stay where they are.
#pragma once

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Function.h>

namespace visor::jit {

// Of vectors whose lanes all add the same constant. Behind LLVM's own passes, which would look into the
// memory. Time: linear.
void keep_order_of_sums(llvm::BasicBlock& block);
// In blocks that compute for long.
void keep_order_of_sums(llvm::Function& function);

} // namespace visor::jit
