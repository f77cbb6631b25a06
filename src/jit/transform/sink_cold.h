// Sinking: vectors that only cold paths use, such as per-lane addresses for non-contiguous accesses, move
// from the hot path into the cold blocks.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Uses branch weights. Time: linear in the instructions and in the copies.
void sink_into_cold_blocks(llvm::Function& function);

} // namespace visor::jit
