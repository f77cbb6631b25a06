// Workaround for an LLVM 19 bug: if an integer lane mask, a subset of it, and the complement (`part ^ mask`)
// are all bitcast to vectors, instruction selection moves the `^` through the bitcasts in an endless loop.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Rewrites the complement as `~part & mask`. Time: linear.
void complement_masks_by_and(llvm::Function& function);

} // namespace visor::jit
