// Lowers memory intrinsics (ir/memory_intrinsics.h), after SROA, to plain loads and stores with their range
// checks. Lanes with known contiguous addresses become one access with one range check. Other accesses become
// gathers, scatters or loops over lanes.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// `gathers`: the CPU has fast gathers, and masks of bytes. `brief`: tier 1, with runtime calls instead of
// long inline code.
void lower_memory_intrinsics(llvm::Function& function, bool gathers, bool brief);

} // namespace visor::jit
