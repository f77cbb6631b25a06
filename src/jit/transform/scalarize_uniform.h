// What all lanes share is computed once, as a number, and spread where a vector is wanted: conditions of a
// row, and what an address has of it.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// While messages are their stand-ins. Integers alone. Time: linear.
void compute_once(llvm::Function& function);

} // namespace visor::jit
