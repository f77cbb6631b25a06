// Vector type legalization: splits vectors wider than a register. LLVM's FastISel rejects them, and
// SelectionDAG, which would take over, is twenty times as slow.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// Legal element types of vector registers.
[[nodiscard]] bool is_lane_type(const llvm::Type* type);

// For tier 1 code. Other instructions stay as they are. Time: linear.
void legalize_vectors(llvm::Function& function, uint32_t register_bits);

} // namespace visor::jit
