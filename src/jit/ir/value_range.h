// Value ranges: how large an integer of generated code can be, from what is known of the loads that it is
// computed from. LLVM has the arithmetic; its own analyses either stop at one step or track bits alone.
#pragma once

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Value.h>

namespace visor::jit {

// Of an integer; all there are when nothing is known.
[[nodiscard]] llvm::ConstantRange value_range(const llvm::Value* value);

} // namespace visor::jit
