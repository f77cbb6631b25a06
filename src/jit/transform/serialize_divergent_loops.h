// Loops that lanes leave one by one, and that look at memory in places that nobody knows: each lane runs such
// a loop by itself, with plain loads and without the turns that others make, and the results are put together
// behind it. What would be unlikely there (a lane outside its buffer, the caller's wish to stop) ends the
// attempt: the loop as it was, for all lanes together, stands behind and begins anew, which nobody can tell,
// since nothing was written.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// While registers are values and messages are their stand-ins; `simd`: the lanes of a thread. Time: linear in
// the instructions of loops. Adds code and leaves what was there.
void run_lanes_by_themselves(llvm::Function& function, uint32_t simd);

} // namespace visor::jit
