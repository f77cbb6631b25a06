// Unroll and jam over the threads of a group. Each thread reduces rows of memory, and the rows of consecutive
// threads are adjacent: no hardware prefetcher follows that order. Thread 0 computes the row reductions of
// all threads (analysis/load_reduction.h) in address order; later threads consume the cached results.
#pragma once

#include "jit/ir/thread_entry.h"

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// Vector registers of the CPU.
struct VectorRegisters {
    uint32_t bits = 0;
    uint32_t count = 0;
};

// Not observable by kernels without races: a thread takes a result only if the rows are exactly its own, and
// only once. Writes, atomics and fences of this CPU thread invalidate the results. (A thread that spins on
// plain loads for a group on another CPU thread may read stale values.) The code stops caching when threads
// use less than half of the results. Not for code that reports out-of-bounds accesses: one range check covers
// all rows. Needs memory intrinsics (ir/memory_intrinsics.h).
void unroll_and_jam_threads(llvm::Function& function, ThreadEntry& thread_entry, VectorRegisters registers);

} // namespace visor::jit
