// Prepares code for LLVM's FastISel, which selects instructions from a block's end up to the first one that
// it does not support. SelectionDAG, ten times as slow, takes the rest of the block. Rewrites unsupported
// instructions: loads vector constants, extracts lanes through the stack. Hoists the others.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// For tier 1 code, after legalize_vectors(). Time: linear.
void prepare_for_fastisel(llvm::Function& function, uint32_t register_bits);

} // namespace visor::jit
