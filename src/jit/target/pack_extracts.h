// Packed lane extraction: offsets that leave a vector two at a time (translate/atomic.cpp) leave it eight at
// a time where they have no more than eight bits that can be set, as in a histogram of 256 counters.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Behind LLVM's own passes, which know by then which bits can be set.
void pack_extracts(llvm::Function& function);

} // namespace visor::jit
