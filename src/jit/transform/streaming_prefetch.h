// Streaming prefetching: consecutive threads mostly access consecutive rows. Long thread bodies keep few
// loads in flight, so the code prefetches rows of later threads at a fixed distance.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// For code without barriers; needs memory intrinsics (ir/memory_intrinsics.h). Kernels cannot observe it.
// `eager`: in short code, too. Time: linear, apart from the dominator tree.
void prefetch_streams(llvm::Function& function, bool eager = false);

} // namespace visor::jit
