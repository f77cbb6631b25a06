// Sums of integers that are computed twice from other partial sums are computed once. Compilers for GPUs that
// add three numbers at a time fold a sum into each one that is made of it, and keep it for other uses: a
// round of SHA-256 for pvc has thirteen additions in place of seven.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Of vectors of 32 bits (the page of ADD3 has no wider form). Changes nothing unless that saves additions;
// none runs more often than before, as sums stay in their loops. Time: linear, but for the dominator tree.
void share_sums(llvm::Function& function);

} // namespace visor::jit
