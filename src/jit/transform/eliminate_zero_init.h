// Eliminates zero-initialization of scratch memory. The engine clears it between groups to isolate them. That
// is redundant if every read is dominated by a write of the same thread (definite-initialization analysis).
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// Drops the clearing of scratch (ClearCall, ir/runtime_call.h) if threads run to completion and only read
// bytes that they wrote. Follows all paths, and each iteration of short counted loops. Bytes count as
// unwritten unless proven. Needs memory intrinsics (ir/memory_intrinsics.h). Time: linear, with a limit on
// visited blocks.
void eliminate_zero_init(llvm::Function& function, uint32_t scratch_bytes);

} // namespace visor::jit
