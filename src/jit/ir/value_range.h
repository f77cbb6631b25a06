// Value ranges: how large an integer of generated code can be, from the ranges of the loads that it is
// computed from. LLVM has the arithmetic; its own analyses stop at one step or track only bits.
#pragma once

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Value.h>

namespace visor::jit {

// Of an integer; the full set where nothing is known.
[[nodiscard]] llvm::ConstantRange value_range(const llvm::Value* value);

} // namespace visor::jit
