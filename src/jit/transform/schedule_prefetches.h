// Lines that a block asks for one after the other are more than a CPU waits for at a time. Where it computes
// for long afterwards they are asked for a few at a time, while it does.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Behind LLVM's own passes, as close to its instruction selection as can be. Nothing that a kernel can see
// changes. Time: linear.
void spread_fetches(llvm::Function& function);

} // namespace visor::jit
