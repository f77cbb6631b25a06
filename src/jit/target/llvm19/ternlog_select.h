// Workaround for an LLVM 19 bug: AVX-512 selection combines and, or, xor into `vpternlog`. When it also folds
// a blend of the result, it may permute the operands without the truth table.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Blends such results as floats, which selection does not fold; the bits are the same.
void avoid_ternlog_of_blends(llvm::Function& function);

} // namespace visor::jit
