// Reassociation (n-ary) and common subexpressions of integer sums: computes sums once that share partial
// sums. Compilers for GPUs with three-operand adds fold a sum into each user and keep it for other uses. A
// round of SHA-256 for pvc has thirteen additions instead of seven.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Of vectors of 32 bits (ADD3 has no wider form). Applies only if it saves additions. Sums stay in their
// loops: no addition runs more often. Time: linear, apart from the dominator tree.
void reassociate_adds(llvm::Function& function);

} // namespace visor::jit
