// Prepares code for LLVM's FastISel, which selects machine instructions one by one from a block's end until
// it meets one that it does not support; the rest of the block, up to its beginning, takes ten times as
// long. Rewrites some of those: constants of vectors come from memory, lanes leave their vector through the
// stack. The rest is hoisted as far as it goes.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// For code that is made quickly, behind legalize_vectors(). Time: linear.
void prepare_for_fastisel(llvm::Function& function, uint32_t register_bits);

} // namespace visor::jit
