// Flat messages at known distances from each other, of which each asks whether its places may be touched: the
// first one asks for all, and the others ask only where it was told no.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Three or more of them, the first of which comes before all others, and whose lanes are all on: who loads
// for a part of the lanes looks at how his own question was answered (Expansion), which need not have been
// asked then. Wants stand-ins (ir/memory_intrinsics.h), and that sites hold whole allocations, whatever the
// instruction: not what listeners are told of (machine::Subjects). Nothing that a kernel can see changes.
// Time: linear, but for the dominator tree and for finding forms (analysis/lane_affine.h).
void share_admission(llvm::Function& function);

} // namespace visor::jit
