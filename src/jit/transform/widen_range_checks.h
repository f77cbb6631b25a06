// Guard widening of range checks: of flat messages at known distances from each other, the first checks the
// range of all, and the others check only where that failed.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Three or more of them, the first of which comes before all others, and whose lanes are all on: who loads
// for a part of the lanes looks at how his own question was answered (Lowering), which need not have been
// asked then. Wants memory intrinsics (ir/memory_intrinsics.h), and that sites hold whole allocations,
// whatever the instruction: not what listeners are told of (machine::Subjects). Nothing that a kernel can see
// changes. Time: linear, but for the dominator tree and for finding forms (analysis/lane_affine.h).
void widen_range_checks(llvm::Function& function);

} // namespace visor::jit
