// Hoisting, for register pressure: arithmetic moves up to where its operands are computed when it is their
// last use. Compilers for GPUs load as much as their many registers hold before they use any of it.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Never makes more values alive at a time, and nothing runs more often than before but on cold paths.
// Time: linear, but for the dominator trees.
void hoist_last_uses(llvm::Function& function);

} // namespace visor::jit
