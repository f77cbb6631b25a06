// Per-lane row streams of loops of sixteen iterations (a block of a message for each item), fully unrolled:
// block loads and a transpose in registers.
#pragma once

#include "jit/analysis/lane_rows.h"

namespace visor::jit {

// WALK is the only one of the loop that AROUND tells of. Whether it was done; nothing has changed otherwise,
// and walks of other loops are as they were. The loop is left for a thread whose lines are not where it may
// read.
[[nodiscard]] bool transpose_unrolled_rows(const LaneRow& row, const RowLoop& row_loop);

} // namespace visor::jit
