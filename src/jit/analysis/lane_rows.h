// Per-lane row streams: loads of loops in which each lane reads a row of its own, one unit each iteration,
// and what it takes to load a line of each row at once.
#pragma once

#include "jit/analysis/lane_affine.h"
#include "jit/ir/bounds.h"
#include "jit/ir/memory_intrinsics.h"
#include "jit/ir/prefetch.h"

#include <array>
#include <optional>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace visor::jit {

inline constexpr int64_t unit_bytes = 4;
inline constexpr uint32_t line_units = line_bytes / unit_bytes;

// One load of a loop.
struct LaneRow {
    llvm::CallInst* load = nullptr;
    llvm::CallInst* check = nullptr; // null: of a surface
    std::optional<LaneAffine::Form> form;
    size_t loop = 0;
    [[nodiscard]] llvm::Value* addresses() const { return load->getArgOperand(0); }
    [[nodiscard]] llvm::Value* on() const { return load->getArgOperand(1); }
    [[nodiscard]] uint32_t lanes() const { return lanes_of(addresses()); }
    [[nodiscard]] int64_t displacement() const { return displacement_of(*load); }
    // How far a lane's row lies behind that of the lane before, if that is the same for all. With a form.
    [[nodiscard]] std::optional<int64_t> row_step() const;
    // Bytes from a line to the one that is asked for. Where one line ends the next lane's begins, and the
    // next thread's behind the last one's; else rows may go on.
    [[nodiscard]] int64_t next_line() const;
};

// Where what was read ahead is forgotten.
struct RowLoop {
    llvm::BasicBlock* header = nullptr;
    std::vector<llvm::BasicBlock*> latches;
    std::vector<llvm::BasicBlock*> cold; // blocks of the loop that may write
};

struct LaneRows {
    std::vector<LaneRow> all;
    std::vector<RowLoop> loops; // by a walk's `loop`
};

// Of innermost loops that do not write where they look. `eager`: whatever a iteration's step is.
[[nodiscard]] LaneRows find_lane_rows(llvm::Function& function, bool eager);

// i1: the form holds.
[[nodiscard]] llvm::Value* conditions_of(llvm::IRBuilder<>& ir, const LaneAffine::Form& form);
// i1: lines from where lanes are lie where they may read.
[[nodiscard]] llvm::Value* lines_are_inside(llvm::IRBuilder<>& ir, const LaneRow& row);
// Whose bytes the walk reads, for others.
[[nodiscard]] Mark mark_of(const LaneRow& row);
// Where the line that steps are counted from begins, once those of all lanes are inside. With a form.
[[nodiscard]] llvm::Value* first_line(llvm::IRBuilder<>& ir, const LaneRow& row);

using Rows = std::array<llvm::Value*, line_units>;
// Element k of result i is element i of row k: of vectors of so many units.
[[nodiscard]] Rows transposed(llvm::IRBuilder<>& ir, const Rows& rows);

} // namespace visor::jit
