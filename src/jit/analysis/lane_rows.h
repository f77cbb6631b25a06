// Per-lane row streams: loads in loops where each lane reads a row of its own, one unit in each iteration.
// Also the code that loads a line of each row at once.
#pragma once

#include "jit/analysis/lane_affine.h"
#include "jit/ir/bounds.h"
#include "jit/ir/memory_intrinsics.h"
#include "jit/ir/prefetch.h"

#include <optional>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace visor::jit {

inline constexpr int64_t unit_bytes = 4;
inline constexpr uint32_t line_units = line_bytes / unit_bytes;
// Closer lanes share lines: other lowerings are faster.
inline constexpr int64_t close_bytes = line_bytes / 2;

// One load of a loop.
struct LaneRow {
    MemLoad* load = nullptr;
    RangeCheck* check = nullptr; // null: of a surface
    std::optional<LaneAffine::Form> form;
    size_t loop = 0;
    [[nodiscard]] llvm::Value* addresses() const { return load->addresses(); }
    [[nodiscard]] llvm::Value* on() const { return load->on(); }
    [[nodiscard]] uint32_t lanes() const { return lanes_of(addresses()); }
    [[nodiscard]] int64_t displacement() const { return load->displacement(); }
    // Distance between the rows of neighboring lanes, if it is constant. Requires a form.
    [[nodiscard]] std::optional<int64_t> row_step() const;
    // Bytes from a line to the one to prefetch: the next thread's where the rows of a thread's lanes are
    // adjacent lines, else the row's next line.
    [[nodiscard]] int64_t next_line() const;
};

// A store of a loop's hot path.
struct RowStore {
    MemStore* store = nullptr;
    RangeCheck* check = nullptr; // null: of a surface
    std::optional<LaneAffine::Form> form;
};

// Where buffered lines are invalidated.
struct RowLoop {
    llvm::BasicBlock* header = nullptr;
    std::vector<llvm::BasicBlock*> latches;
    std::vector<llvm::BasicBlock*> cold; // blocks of the loop that may write
    std::vector<RowStore> stores;        // may write what a row of the loop loads
};

struct LaneRows {
    std::vector<LaneRow> all;
    std::vector<RowLoop> loops; // by a row's `loop`
};

// From innermost loops that write to the loads' memory by stores alone. `eager`: for any induction step.
[[nodiscard]] LaneRows find_lane_rows(llvm::Function& function, bool eager);

// i1: the form's conditions hold.
[[nodiscard]] llvm::Value* conditions_of(llvm::IRBuilder<>& ir, const LaneAffine::Form& form);
// i1: whole lines from the lanes' addresses on are inside.
[[nodiscard]] llvm::Value* lines_are_inside(llvm::IRBuilder<>& ir, const LaneRow& row);
// The mark of the row's loads.
[[nodiscard]] Mark mark_of(const LaneRow& row);
// A pointer to lane 0's line, once the lines of all lanes are checked. Requires a form.
[[nodiscard]] llvm::Value* first_line(llvm::IRBuilder<>& ir, const LaneRow& row);

// Transposes n rows of n units, n = 4, 8 or 16: element k of result i is element i of row k.
[[nodiscard]] std::vector<llvm::Value*> transposed(llvm::IRBuilder<>& ir,
                                                   const std::vector<llvm::Value*>& rows);

} // namespace visor::jit
