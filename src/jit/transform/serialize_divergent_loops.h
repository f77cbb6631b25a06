// Serializes divergent loops with unpredictable addresses: each lane runs its own iterations in scalar code,
// and the results are merged after the loop. What would be rare there (a lane outside its buffer, a request
// to stop) abandons the attempt: the original loop, for all lanes together, follows and starts over, which
// is not observable, since nothing was written.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// While registers are values and messages are their memory intrinsics; `simd`: the lanes of a thread. Time:
// linear in the instructions of loops. Adds code and leaves what was there.
void serialize_divergent_loops(llvm::Function& function, uint32_t simd);

} // namespace visor::jit
