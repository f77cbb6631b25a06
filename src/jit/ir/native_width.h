// Applies an operation in chunks of the target's native vector width.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace visor::jit {

// What MAKE makes of PART lanes of each of VALUES at a time, together. A number is one lane; what lanes are
// too few hold beside them means nothing, nor does what MAKE makes of it. All values have as many lanes; of
// more than PART a multiple of it.
[[nodiscard]] llvm::Value*
in_native_width(llvm::IRBuilder<>& ir, llvm::ArrayRef<llvm::Value*> values, uint32_t width,
                llvm::function_ref<llvm::Value*(llvm::ArrayRef<llvm::Value*>)> emit);

} // namespace visor::jit
