// Schedules prefetches: consecutive prefetches of a block exceed the CPU's outstanding misses. If a long
// computation follows in the block, the pass spreads them over it.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Runs after LLVM's pipeline, directly before instruction selection. Kernels cannot observe it. Time: linear.
void schedule_prefetches(llvm::Function& function);

} // namespace visor::jit
