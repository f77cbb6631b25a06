// Group-wide prefetching: what the threads of a group read together is touched in address order before the
// first of them begins. Each thread by itself reads a line here and there (rows of a matrix, one a thread),
// which no CPU's prefetcher follows.
#pragma once

#include "jit/ir/thread_entry.h"

#include <llvm/IR/Function.h>

namespace visor::jit {

// Wants memory intrinsics for messages (ir/memory_intrinsics.h). Nothing that a kernel can see changes.
void prefetch_for_group(llvm::Function& function, ThreadEntry& thread_entry);

} // namespace visor::jit
