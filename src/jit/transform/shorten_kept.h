// Shortened saves: of values with a lane-affine form, threads that stop at a barrier save lane 0 alone.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

void shorten_kept(llvm::Function& function);

} // namespace visor::jit
