// A thread that computes for long finds what it loads first far away: no CPU reads ahead over so many
// instructions. So whoever moves structures between surfaces and registers asks for the lines of the thread
// behind him, which follow: one now and then, as all at once are more than a CPU waits for beside others.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// Threads have `simd` lanes; `eager`: short ones are served, too. Wants stand-ins for messages
// (ir/memory_intrinsics.h). Nothing that a kernel can see changes.
void fetch_for_next_thread(llvm::Function& function, uint32_t simd, bool eager = false);

} // namespace visor::jit
