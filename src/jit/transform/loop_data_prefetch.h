// Loop data prefetching: a long loop that steps over pages, as one over all elements in steps of the global
// size does, misses the caches at each row: hardware prefetchers end at a page, and the loop is too long for
// the CPU to begin the next iteration meanwhile. The code prefetches the next iteration's row.
// `eager`: in short loops, too. Needs memory intrinsics (ir/memory_intrinsics.h). Kernels cannot observe it.
// Time: linear, apart from the dominator tree.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

void prefetch_next_iterations(llvm::Function& function, bool eager);

} // namespace visor::jit
