// Workaround for an LLVM 19 bug: if both vectors of a floating-point division are known zeros, instruction
// selection assumes that the quotients are zero (they are NaNs), and folds uses of their bits.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Wraps vector dividends, but constants without a zero, in an arithmetic fence, which emits no instruction.
// Time: linear.
void hide_zero_dividends(llvm::Function& function);

} // namespace visor::jit
