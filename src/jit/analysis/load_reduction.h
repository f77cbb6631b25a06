// Recognizes reduction trees over strided loads: what a thread computes lane by lane from many rows of
// memory, such as their sum. Neighboring threads of a group do the same to neighboring addresses, so that
// all of them can be computed together (transform/unroll_and_jam_threads.h).
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <vector>

namespace visor::jit {

// One result, and what it is made of: rows in memory, constants, and operations of each lane by itself.
struct LoadReduction {
    struct Step {
        llvm::Instruction* code = nullptr;
        bool loads = false; // a row, whatever the code does for that
        int64_t at = 0;     // of a row: how far behind the first one it begins
    };
    std::vector<Step> steps; // as they run; the last one is the result
    llvm::Value* root = nullptr;
    int64_t displacement = 0;           // the first row begins so far behind the root
    std::vector<llvm::Use*> uses_after; // of the result, by what runs behind the region
    [[nodiscard]] llvm::Instruction* result() const { return steps.back().code; }
};

// Code of a thread that does nothing but make its folds, of one shape, of places next to each other.
struct ReductionRegion {
    llvm::CallInst* first = nullptr;       // what it begins with: the first row's message, or its question
    llvm::Instruction* last = nullptr;     // and ends with, on its hot path
    std::vector<llvm::BasicBlock*> blocks; // of that way
    std::vector<LoadReduction> reductions; // alike but for their roots, which `first` can look at
    std::vector<llvm::Instruction*>
        hoisted;           // of it, in order: may move in front of it, where others look at them
    int64_t row_bytes = 0; // a row's, one lane behind the other
    int64_t low = 0;       // the least and the largest `at`
    int64_t high = 0;
    int64_t gap = 0; // the least distance between two rows
    [[nodiscard]] bool flat() const;
};

// Regions of `min_rows` rows and more for each fold, none within another. Wants memory intrinsics
// (ir/memory_intrinsics.h); adds numbers to the code (analysis/lane_affine.h). Time: linear in the
// instructions, but for the dominator tree and look-ups in ordered sets.
inline constexpr size_t min_rows = 8;
[[nodiscard]] std::vector<ReductionRegion> find_load_reductions(llvm::Function& function);

} // namespace visor::jit
