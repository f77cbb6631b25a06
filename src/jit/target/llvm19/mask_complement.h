// Workaround for an LLVM 19 bug: where a lane mask as a number, a part of it, and the complement (`part ^
// mask`) all become vectors, instruction selection moves the `^` into the vectors and out again without end.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// The rest of a mask as `~part & mask`. Time: linear.
void complement_masks_by_and(llvm::Function& function);

} // namespace visor::jit
