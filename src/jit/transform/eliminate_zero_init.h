// Eliminates zero-initialization of scratch memory. The engine clears it between groups to isolate them. That
// is redundant if every read is dominated by a write of the same thread (definite-initialization analysis).
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// On the runtime call that clears memory between groups (engine/runtime_calls.h), in code whose threads run
// to completion.
inline constexpr const char* clear_mark = "visor.clear";

// On the store that begins a thread.
inline constexpr const char* thread_mark = "visor.thread";
// On runtime calls that may read a thread's scratch block, and on functions that read it by other means than
// memory messages.
inline constexpr const char* reads_scratch_mark = "visor.reads_scratch";

// Drops the clearing of scratch if threads only read bytes that they wrote. Follows all paths, and each
// iteration of short counted loops. Bytes count as unwritten unless proven. Needs memory intrinsics
// (ir/memory_intrinsics.h). Time: linear, with a limit on visited blocks.
void eliminate_zero_init(llvm::Function& function, uint32_t scratch_bytes);

} // namespace visor::jit
