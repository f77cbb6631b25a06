// Around a mistake of LLVM 19: where instruction selection knows that both vectors of a division are zero, it
// takes the quotients for zero (they are NaNs), and what asks for their bits is answered so.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Hides vectors that are divided, but constants without a zero, from what knows their values. No instruction
// is made of that. Time: linear.
void hide_dividends(llvm::Function& function);

} // namespace visor::jit
