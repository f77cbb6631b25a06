// Scalarization of uniform vector computations: conditions of a row, and the uniform part of addresses, are
// computed once and splat where a vector is used.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// While messages are their memory intrinsics. Integers alone. Time: linear.
void scalarize_uniform(llvm::Function& function);

} // namespace visor::jit
