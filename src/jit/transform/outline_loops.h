// Outlining of serialized loops of lanes into functions of their own: else such a lane's values would
// compete for the processor's registers with all that the thread keeps, which LLVM serves first.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace visor::jit {

// `back`: the branch that begins a lane's next iteration. LLVM is told not to write the loop out: what it
// would save is less than what the processor forgets of more code.
void mark_as_iterations(llvm::BranchInst& back);

// `back`: the branch that begins with the next lane. LLVM is told not to write the loop out.
void mark_as_lanes(llvm::BranchInst& back);

// Marked loops. Behind LLVM's own passes.
void outline_lane_loops(llvm::Function& function);

} // namespace visor::jit
