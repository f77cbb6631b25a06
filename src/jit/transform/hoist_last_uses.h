// Hoisting, for register pressure: arithmetic moves up to the definition of its operands when it is their
// last use. Compilers for GPUs load as much as their many registers hold before the first use.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Never increases register pressure; only instructions of cold paths may run more often. Time: linear, apart
// from the dominator trees.
void hoist_last_uses(llvm::Function& function);

} // namespace visor::jit
