// Around a mistake of LLVM 19: where a mask of lanes as a number, a part of it, and the rest (`part ^ mask`)
// all become vectors, its instruction selection moves the `^` into the vectors and out again without end.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// The rest of a mask as `~part & mask`. Time: linear.
void take_rests_by_and(llvm::Function& function);

} // namespace visor::jit
