// How large a number in generated code can be, from what is known of the loads that it is made of. LLVM has
// the arithmetic; its own walks either stop at one step or know bits alone.
#pragma once

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Value.h>

namespace visor::jit {

// Of an integer; all there are when nothing is known.
[[nodiscard]] llvm::ConstantRange range_of(const llvm::Value* value);

} // namespace visor::jit
