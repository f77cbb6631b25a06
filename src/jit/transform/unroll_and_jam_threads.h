// Unroll and jam over the threads of a group. Threads that each reduce rows of memory, the second thread's
// rows right after the first one's, access memory in an order that no prefetcher of a CPU follows. Thread 0
// computes the row reductions of all threads (analysis/load_reduction.h) in address order; later threads
// consume the cached results.
#pragma once

#include "jit/ir/thread_entry.h"

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// Of the CPU, for vectors.
struct VectorRegisters {
    uint32_t bits = 0;
    uint32_t count = 0;
};

// Nothing that a kernel without races can see changes: a result is taken where its rows are exactly those
// that a thread would read, once, and only until anything of this CPU thread may have written, or keeps an
// order with others by an atomic or a fence. (Who waits by plain loads alone for a group on another CPU
// thread may get what was there when its own group's first thread came by.) Where more than half of the
// results are not taken, in groups whose threads do not look next to each other, it stops by itself. Not for
// code that tells what leaves an allocation: one question stands for those of all rows. Wants memory
// intrinsics (ir/memory_intrinsics.h).
void unroll_and_jam_threads(llvm::Function& function, ThreadEntry& thread_entry, VectorRegisters registers);

} // namespace visor::jit
