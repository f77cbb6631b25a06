// Serializes divergent loops with unpredictable addresses: each lane runs its own iterations in scalar code,
// and the results are merged after the loop. Rare events (a lane out of bounds, a stop request) bail out: the
// original loop starts over for all lanes. That is not observable, as nothing was written.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// Requires registers as SSA values and memory intrinsics; `simd`: the lanes of a thread. Time: linear in the
// instructions of loops. Adds code and keeps the original loop.
void serialize_divergent_loops(llvm::Function& function, uint32_t simd);

} // namespace visor::jit
