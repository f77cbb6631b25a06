// Group-wide prefetching: loads what the threads of a group read together, in address order, before the first
// thread begins. Each thread by itself reads scattered lines (rows of a matrix, one per thread), which no
// hardware prefetcher follows.
#pragma once

#include "jit/ir/thread_entry.h"

#include <llvm/IR/Function.h>

namespace visor::jit {

// Needs memory intrinsics (ir/memory_intrinsics.h). Kernels cannot observe it.
void prefetch_for_group(llvm::Function& function, ThreadEntry& thread_entry);

} // namespace visor::jit
