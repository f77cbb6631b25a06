// Loops of sixteen turns, in each of which every lane loads the next unit of a line of its own (a block of a
// message an item): written out, the lines are loaded at once and turned in registers.
#pragma once

#include "jit/analysis/lane_rows.h"

namespace visor::jit {

// WALK is the only one of the loop that AROUND tells of. Whether it was done; nothing has changed otherwise,
// and walks of other loops are as they were. The loop is left for a thread whose lines are not where it may
// read.
[[nodiscard]] bool read_lines_at_once(const Walk& walk, const Around& around);

} // namespace visor::jit
