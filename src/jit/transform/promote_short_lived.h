// Promotion of stack slots with few accesses to SSA values, in front of LLVM's. LLVM walks all blocks that
// the blocks with stores dominate, once for each slot: in long straight-line code that is the square of its
// length.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Promotes slots whose few loads and stores are of whole dwords at constant offsets. All other slots, those
// that are accessed in one block or stored to once, and, unless `eager`, functions of few blocks are left to
// LLVM. Time: linear in the instructions and, for each slot, in the blocks between its accesses.
void promote_short_lived_slots(llvm::Function& function, bool eager);

} // namespace visor::jit
