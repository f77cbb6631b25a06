// Promotion of stack slots with few accesses to SSA values, in front of LLVM's, whose time is more than
// linear in long code: for each slot mem2reg walks all blocks that stores dominate, and SROA all slots that
// are left.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Promotes slots whose few loads and stores are of whole dwords at constant offsets. Other slots and, unless
// `eager`, functions of few blocks and slots are left to LLVM. Time: linear in the instructions and, for each
// slot, in the blocks between its accesses.
void promote_short_lived_slots(llvm::Function& function, bool eager);

} // namespace visor::jit
