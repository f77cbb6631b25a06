// Whether the lanes of a loop access memory side by side, or all at one address. Known where the loop begins,
// if its addresses follow from values outside of it.
#pragma once

#include "jit/analysis/lane_affine.h"
#include "jit/analysis/lane_slice.h"

#include <llvm/IR/IRBuilder.h>

#include <cstddef>
#include <vector>

namespace visor::jit {

// The loads of a loop by their lane-affine forms.
struct LoopLoads {
    std::vector<MemLoad*> unknown; // without one
    size_t scattered = 0;          // each lane has a line of its own
    size_t dense = 0;
};

[[nodiscard]] LoopLoads loop_loads(const LaneSlices& slices, LaneAffine& affine);

// i1, at the builder's position before the loop: the first addresses of the active lanes (`on`, a vector) are
// contiguous or equal, for each unknown load. Null: some loads are scattered, or half of them have addresses
// that depend on loaded data, as in searches and gathers. Copies the computation of the addresses.
[[nodiscard]] llvm::Value* coalesced_on_entry(llvm::IRBuilder<>& ir, const LaneSlices& slices,
                                              const Invariants& invariants, const LoopLoads& loads,
                                              llvm::Value* on);

} // namespace visor::jit
