// Threads that follow each other mostly move rows that follow each other, too. Where a thread's code is long,
// a CPU sees few of its loads at a time: rows of threads to come are asked for.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Code whose groups come to no barriers; wants stand-ins for messages (ir/memory_intrinsics.h). Nothing that
// a kernel can see changes. `eager`: however short the code. Time: linear, but for the dominator tree.
void fetch_rows_ahead(llvm::Function& function, bool eager = false);

} // namespace visor::jit
