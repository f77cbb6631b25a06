// Flat messages at known distances from each other, of which each asks whether its places may be touched: the
// first one asks for all, and the others ask only where it was told no.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Of messages whose lanes are all on. Wants stand-ins (stand_in.h), and that sites hold whole allocations,
// whatever the instruction: not what listeners are told of (machine::Subjects). Nothing that a kernel can see
// changes. Time: linear, but for the dominator tree.
void share_admission(llvm::Function& function);

} // namespace visor::jit
