// Pins the association order of sums: LLVM's instruction selection adds a sum's constant last, after
// operands that are known late. On a critical path of such sums (the rounds of a hash), constants in the
// middle of a sum are loaded from memory, and stay in place.
#pragma once

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Function.h>

namespace visor::jit {

// Of vectors whose lanes all add the same constant. Behind LLVM's own passes, which would look into the
// memory. Time: linear.
void pin_association_order(llvm::BasicBlock& block);
// In blocks that compute for long.
void pin_association_order(llvm::Function& function);

} // namespace visor::jit
