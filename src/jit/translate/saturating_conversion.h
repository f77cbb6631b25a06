// Floats to integers as MOV converts them: truncated and clamped; a NaN gives 0. LLVM's saturating
// conversions of vectors do one lane after the other.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace visor::jit {

// `number`: singles or doubles, a vector or a scalar; returns integers of `bits` (8, 16, 32 or 64). `avx512`:
// the CPU converts vectors to unsigned and to 64-bit integers.
[[nodiscard]] llvm::Value* saturated_integer(llvm::IRBuilder<>& ir, llvm::Value* number, bool is_signed,
                                             unsigned bits, bool avx512);

} // namespace visor::jit
