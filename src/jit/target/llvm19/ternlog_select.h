// Workaround for an LLVM 19 bug: and, or and xor become one `vpternlog` on AVX-512; where a blend of the
// result is folded into it as well, its truth table may be the one of other operands.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Blends of such results are made of floats' registers, where nothing is folded; the bits are the same.
void avoid_ternlog_of_blends(llvm::Function& function);

} // namespace visor::jit
