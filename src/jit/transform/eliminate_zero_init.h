// Eliminates zero-initialization of scratch memory. A group must not read what the group before left there,
// so that it is cleared, unless every read is dominated by a write of the same thread (definite-
// initialization analysis).
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// On the call back that clears memory between groups (engine/runtime_calls.h), where threads run from their
// beginning to their end: none goes on in the midst of the code.
inline constexpr const char* clear_mark = "visor.clear";

// On the store that a thread begins with.
inline constexpr const char* thread_mark = "visor.thread";
// On calls back that may read a thread's scratch block, and on functions that may do so by other ways than
// messages of lanes.
inline constexpr const char* reads_scratch_mark = "visor.reads_scratch";

// Scratch blocks of which threads read what they wrote, and nothing else, are no longer cleared. Of what is
// counted, loops of few iterations included, each way is followed that control may take; whatever is not
// known to be written counts as not written. Wants messages as memory intrinsics (ir/memory_intrinsics.h).
// Time: linear, with a limit on the blocks that are looked at.
void eliminate_zero_init(llvm::Function& function, uint32_t scratch_bytes);

} // namespace visor::jit
