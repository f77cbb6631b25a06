// Stores in loops that buffer rows (memory/buffer_rows.h): what of the buffered lines is stale after them.
#pragma once

#include "jit/analysis/lane_rows.h"

#include <llvm/IR/IRBuilder.h>

#include <utility>

namespace visor::jit {

// Lines of a row's lanes, at run time: i64, host addresses and bytes.
struct BufferedLines {
    llvm::Value* memory = nullptr;       // where the surface, or the interval of the range check, begins
    llvm::Value* memory_bytes = nullptr; // of it; all lines lie inside
    llvm::Value* first = nullptr;        // lane 0's line
    llvm::Value* used = nullptr;         // bytes of each line that were loaded
};

// The memory that a row's or a store's lanes can access, {begin, bytes}: i64.
[[nodiscard]] std::pair<llvm::Value*, llvm::Value*> memory_of(llvm::IRBuilder<>& ir, const MemAccess& access,
                                                              const RangeCheck* check);

// i1: STORE does not write what is left of ROW's buffered lines. False if it is unknown.
[[nodiscard]] llvm::Value* leaves_lines(llvm::IRBuilder<>& ir, const LaneRow& row, const BufferedLines& lines,
                                        const RowStore& store);

} // namespace visor::jit
