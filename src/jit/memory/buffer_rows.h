// Buffers per-lane row streams (analysis/lane_rows.h), as in a matrix-vector product with a row for each
// item. Loads a line of each lane's row as a block and transposes it in registers, which serves sixteen
// iterations.
#pragma once

#include <cstdint>

#include <llvm/IR/Function.h>

namespace visor::jit {

// Needs memory intrinsics (ir/memory_intrinsics.h). `register_bits`: of a vector register, at least 128;
// lines are transposed in squares of as many units as it holds, at most sixteen. An iteration uses buffered
// data once, where each lane's address matches, and until other code may have written: a loop that spins on
// another thread's store loads again. The code stops buffering where it does not pay off. `eager`: buffers
// wherever possible, without that heuristic. Time: linear, apart from the dominator tree.
void buffer_lane_rows(llvm::Function& function, uint32_t register_bits, bool eager = false);

} // namespace visor::jit
