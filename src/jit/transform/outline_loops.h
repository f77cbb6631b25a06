// A loop over lanes that run by themselves becomes a function of its own: what such a lane keeps at hand
// would have to share the processor's registers with all that the thread keeps, which LLVM serves first.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace visor::jit {

// `back`: the branch that begins a lane's next turn. LLVM is told not to write the loop out: what it would
// save is less than what the processor forgets of more code.
void mark_as_turns(llvm::BranchInst& back);

// `back`: the branch that begins with the next lane. LLVM is told not to write the loop out.
void mark_as_lanes(llvm::BranchInst& back);

// Marked loops. Behind LLVM's own passes.
void set_lanes_apart(llvm::Function& function);

} // namespace visor::jit
