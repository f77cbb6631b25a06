// Elementwise operations: each lane of the result comes from the same lane of the operands.
#pragma once

#include <llvm/IR/Instruction.h>

#include <cstdint>

namespace visor::jit {

// True if the result has `lanes` lanes, each computed from that lane of the operands and from scalars.
[[nodiscard]] bool is_elementwise(const llvm::Instruction& instruction, uint32_t lanes);

} // namespace visor::jit
