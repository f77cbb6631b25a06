// Thread jamming: threads of a group that each add up rows of memory for themselves, the second thread's rows
// right behind the first one's, read memory in an order that no CPU likes, one after the other. Here the
// group's first thread makes what all of them make (analysis/load_reduction.h), row by row, in memory's
// order; each of them then takes what is at its own place instead of making it.
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
// code that tells what leaves an allocation: one question stands for those of all rows. Wants stand-ins
// (ir/memory_intrinsics.h).
void jam_threads(llvm::Function& function, Turn& turn, VectorRegisters registers);

} // namespace visor::jit
