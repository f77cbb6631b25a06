// Eliminates redundant saves: a thread that comes to a barrier need not save what it has not changed since it
// was reloaded after the one before.
#pragma once

#include <llvm/IR/Function.h>

namespace visor::jit {

// Drops stores of values that a thread keeps over a barrier (ir/kept_copy.h) if memory has
// them already: on every path the value is a reload of the same variable. Reloads that nothing uses any more
// are left to LLVM. Time: linear in the stores, with a limit on the phis of each.
void eliminate_redundant_saves(llvm::Function& function);

} // namespace visor::jit
