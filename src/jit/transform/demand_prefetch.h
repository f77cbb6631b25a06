// What the threads of a group read together is read in its order before the first of them begins: each thread
// by itself takes a line here and a line there (rows of a matrix, one a thread), which no CPU reads ahead.
#pragma once

#include "jit/ir/thread_entry.h"

#include <llvm/IR/Function.h>

namespace visor::jit {

// Wants stand-ins for messages (ir/memory_intrinsics.h). Nothing that a kernel can see changes.
void touch_ahead(llvm::Function& function, Turn& turn);

} // namespace visor::jit
