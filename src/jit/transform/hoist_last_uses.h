// Arithmetic moves up to where its operands are made, when they are wanted nowhere else: compilers for GPUs
// load as much as their many registers hold before they look at any of it.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Never makes more values alive at a time, and nothing runs more often than before but on unlikely ways.
// Time: linear, but for the dominator trees.
void compute_early(llvm::Function& function);

} // namespace visor::jit
