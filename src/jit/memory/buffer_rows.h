// Per-lane row streams (analysis/lane_rows.h), as in a matrix-vector product with a row for each item,
// buffered: a line of each lane's row is loaded as a block and transposed in registers, which serves sixteen
// iterations.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Wants memory intrinsics for messages (ir/memory_intrinsics.h), and a CPU that shuffles vectors of 64 bytes.
// What was loaded ahead serves where each lane is where it was expected, once, and until anything else may
// have written: a loop that waits for what another thread stores looks again. Where it does not pay, the code
// finds out and stops. `eager`: wherever it may, for as long as it runs. Time: linear, but for the dominator
// tree.
void buffer_lane_rows(llvm::Function& function, bool eager = false);

} // namespace visor::jit
