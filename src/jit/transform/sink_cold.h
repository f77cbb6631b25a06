// Vectors that unlikely ways alone look at, such as addresses of lanes that did not turn out to lie in a row,
// are computed there and not on the likely way.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Goes by branch weights. Time: linear in the instructions, and in what is copied into each unlikely block.
void sink_into_cold_blocks(llvm::Function& function);

} // namespace visor::jit
