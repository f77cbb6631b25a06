// Around a mistake of LLVM 19: what and, or and xor make together becomes one `vpternlog` on AVX-512, and
// where a blend of the result is folded into that, too, its table may be the one of other operands.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Blends of such results are made of floats' registers, where nothing is folded; the bits are the same.
void blend_as_floats(llvm::Function& function);

} // namespace visor::jit
