// Scalarization of uniform vector computations: computes uniform conditions, and the uniform part of
// addresses, once as scalars and splats them at uses as vectors.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Needs memory intrinsics. Only integers. Time: linear.
void scalarize_uniform(llvm::Function& function);

} // namespace visor::jit
