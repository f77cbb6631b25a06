// Vector type legalization: splits vectors wider than a register, since LLVM's FastISel takes no others and
// leaves their blocks to a selector that is twenty times as slow.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// What registers have lanes of.
[[nodiscard]] bool is_lane_type(const llvm::Type* type);

// For code that is made quickly. What has no lanes, or cannot be split, stays as it is. Time: linear.
void legalize_vectors(llvm::Function& function, uint32_t register_bits);

} // namespace visor::jit
