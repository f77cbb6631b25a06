// Recognizes reduction trees over strided loads: what a thread computes elementwise from many rows of memory,
// such as their sum. Neighboring threads of a group reduce neighboring addresses, so that one thread can
// compute all results (transform/unroll_and_jam_threads.h).
#pragma once

#include "jit/ir/memory_intrinsics.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <vector>

namespace visor::jit {

// One result and its operands: rows in memory, constants and elementwise operations.
struct LoadReduction {
    struct Step {
        llvm::Instruction* code = nullptr;
        bool loads = false; // loads a row
        int64_t at = 0;     // of a row: its distance from the first one
    };
    std::vector<Step> steps; // in program order; the last one is the result
    llvm::Value* root = nullptr;
    int64_t displacement = 0;           // of the first row from the root
    std::vector<llvm::Use*> uses_after; // of the result, after the region
    [[nodiscard]] llvm::Instruction* result() const { return steps.back().code; }
};

// A region that only computes isomorphic reductions of adjacent addresses.
struct ReductionRegion {
    LaneIntrinsic* first = nullptr;          // its begin: the first row's load, or its range check
    llvm::Instruction* last = nullptr;       // its end, on the hot path
    std::vector<llvm::BasicBlock*> blocks;   // of the hot path
    std::vector<LoadReduction> reductions;   // isomorphic; their roots dominate `first`
    std::vector<llvm::Instruction*> hoisted; // in program order; used outside, to be hoisted before it
    int64_t row_bytes = 0;                   // of a row, with contiguous lanes
    int64_t low = 0;                         // the minimum and maximum of `at`
    int64_t high = 0;
    int64_t gap = 0; // the minimum distance of two rows
    [[nodiscard]] bool flat() const;
};

// Disjoint regions with at least `min_rows` rows in each reduction. Needs memory intrinsics
// (ir/memory_intrinsics.h); inserts scalar code (analysis/lane_affine.h). Time: linear in the instructions,
// apart from the dominator tree and look-ups in ordered sets.
inline constexpr size_t min_rows = 8;
[[nodiscard]] std::vector<ReductionRegion> find_load_reductions(llvm::Function& function);

} // namespace visor::jit
