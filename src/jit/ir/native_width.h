// Applies an operation in chunks of the target's native vector width.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace visor::jit {

// Calls EMIT for each chunk of WIDTH lanes of all VALUES, and concatenates its results. Scalars count as one
// lane. Lanes that pad a chunk are unspecified, in the operands and in the result. All values have the same
// number of lanes; above WIDTH, a multiple of it.
[[nodiscard]] llvm::Value*
in_native_width(llvm::IRBuilder<>& ir, llvm::ArrayRef<llvm::Value*> values, uint32_t width,
                llvm::function_ref<llvm::Value*(llvm::ArrayRef<llvm::Value*>)> emit);

} // namespace visor::jit
