// Inter-thread prefetching: a long thread misses the caches at its first loads, as no CPU prefetches over so
// many instructions. Code that moves structures between surfaces and registers prefetches the lines of the
// next thread. It spreads the prefetches, which would exceed the CPU's outstanding misses at once.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// Threads have `simd` lanes; `eager`: in short ones, too. Needs memory intrinsics (ir/memory_intrinsics.h).
// Kernels cannot observe it.
void prefetch_for_next_thread(llvm::Function& function, uint32_t simd, bool eager = false);

} // namespace visor::jit
