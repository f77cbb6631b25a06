// Vectors wider than a register become several that are not: LLVM's fast instruction selection takes no
// others, and leaves the blocks that have some to one that is twenty times as slow.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// What registers have lanes of.
[[nodiscard]] bool is_lane_type(const llvm::Type* type);

// For code that is made quickly. What has no lanes, or cannot be split, stays as it is. Time: linear.
void split_vectors(llvm::Function& function, uint32_t register_bits);

} // namespace visor::jit
