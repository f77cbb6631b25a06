// Elementwise operations: each lane of the result comes from the same lane of the operands.
#pragma once

#include <llvm/IR/Instruction.h>

#include <cstdint>

namespace visor::jit {

// A vector of so many lanes, each of which is made of that lane of the operands and of what lanes share.
[[nodiscard]] bool is_elementwise(const llvm::Instruction& instruction, uint32_t lanes);

} // namespace visor::jit
