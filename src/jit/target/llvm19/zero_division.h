// Workaround for an LLVM 19 bug: where instruction selection knows that both vectors of a division are zero,
// it takes the quotients for zero (they are NaNs) and folds what looks at their bits.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Hides vectors that are divided, but constants without a zero, from what knows their values. No instruction
// is made of that. Time: linear.
void hide_zero_dividends(llvm::Function& function);

} // namespace visor::jit
