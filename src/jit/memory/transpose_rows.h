// Per-lane row streams of loops of sixteen iterations (a block of a message for each item), fully unrolled:
// block loads and a transpose in registers.
#pragma once

#include "jit/analysis/lane_rows.h"

namespace visor::jit {

// ROW is the only one of the loop ROW_LOOP. Returns whether it was transformed; else nothing has changed.
// Rows of other loops stay valid. Threads whose lines are out of range run the original loop.
[[nodiscard]] bool transpose_unrolled_rows(const LaneRow& row, const RowLoop& row_loop);

} // namespace visor::jit
