// Inter-thread prefetching: a long thread finds its first loads far away, as no CPU prefetches over so many
// instructions. Code that moves structures between surfaces and registers prefetches the lines of the next
// thread, which follow: one now and then, as all at once would exceed the CPU's outstanding misses.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// Threads have `simd` lanes; `eager`: short ones are served, too. Wants memory intrinsics for messages
// (ir/memory_intrinsics.h). Nothing that a kernel can see changes.
void prefetch_for_next_thread(llvm::Function& function, uint32_t simd, bool eager = false);

} // namespace visor::jit
