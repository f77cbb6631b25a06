// Streaming prefetching: consecutive threads mostly access consecutive rows. Long thread bodies keep few
// loads in flight, so the code prefetches rows of later threads at a fixed distance.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Code whose groups come to no barriers; wants memory intrinsics for messages (ir/memory_intrinsics.h).
// Nothing that a kernel can see changes. `eager`: however short the code. Time: linear, but for the dominator
// tree.
void prefetch_streams(llvm::Function& function, bool eager = false);

} // namespace visor::jit
