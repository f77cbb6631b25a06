// Sinking: vectors that cold paths alone use, such as addresses of lanes that turned out not to be
// contiguous, move from the hot path into the cold blocks.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Goes by branch weights. Time: linear in the instructions, and in what is copied into each unlikely block.
void sink_into_cold_blocks(llvm::Function& function);

} // namespace visor::jit
