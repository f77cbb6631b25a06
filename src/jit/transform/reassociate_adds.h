// Reassociation (n-ary) and common subexpressions of integer sums: sums that are computed twice from
// different partial sums are computed once. Compilers for GPUs with three-operand adds fold a sum into each
// user and keep it for other uses: a round of SHA-256 for pvc has thirteen additions instead of seven.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Of vectors of 32 bits (the page of ADD3 has no wider form). Changes nothing unless that saves additions;
// none runs more often than before, as sums stay in their loops. Time: linear, but for the dominator tree.
void reassociate_adds(llvm::Function& function);

} // namespace visor::jit
