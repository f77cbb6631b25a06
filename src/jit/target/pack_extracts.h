// Packed lane extraction: offsets that code extracts from a vector in pairs (translate/atomic.cpp) are
// extracted eight at a time if known bits leave only eight of each, as in a histogram of 256 counters.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Runs after LLVM's passes, when the most bits are known.
void pack_extracts(llvm::Function& function);

} // namespace visor::jit
