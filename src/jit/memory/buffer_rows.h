// Lanes that each walk a row of their own, a unit every turn of a loop (a matrix by a vector, a row an item),
// load from a line each, turn after turn. Here a line of each lane is loaded at once and turned in registers,
// and lasts for sixteen turns.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Wants stand-ins for messages (ir/memory_intrinsics.h), and a CPU that shuffles vectors of 64 bytes. What
// was loaded ahead serves where each lane is where it was expected, once, and until anything else may have
// written: a loop that waits for what another thread stores looks again. Where it does not pay, the code
// finds out and stops. `eager`: wherever it may, for as long as it runs. Time: linear, but for the dominator
// tree.
void read_lines_ahead(llvm::Function& function, bool eager = false);

} // namespace visor::jit
