// Guard widening of range checks: of flat messages at constant distances, the first checks the range of all,
// and the others check only where that failed.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// For three or more range checks of all lanes, the first of which dominates the others. Partly masked loads
// depend on the outcome of their own check (Lowering), which must not be skipped. Needs memory intrinsics
// (ir/memory_intrinsics.h), and sites that cover whole allocations for every instruction: not for code that
// reports accesses to listeners (machine::EventKinds). Kernels cannot observe it. Time: linear, apart from
// the dominator tree and lane-affine forms (analysis/lane_affine.h).
void widen_range_checks(llvm::Function& function);

} // namespace visor::jit
