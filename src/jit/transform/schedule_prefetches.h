// Schedules prefetches: consecutive prefetches of a block exceed the CPU's outstanding misses. Where the
// block computes for long afterwards, they are spread over that computation.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Behind LLVM's own passes, as close to its instruction selection as can be. Nothing that a kernel can see
// changes. Time: linear.
void schedule_prefetches(llvm::Function& function);

} // namespace visor::jit
