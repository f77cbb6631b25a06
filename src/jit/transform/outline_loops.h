// Outlining of serialized loops of lanes into functions: inline, a lane's values would compete for registers
// with the thread's live values, which LLVM's register allocator prefers.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace visor::jit {

// `back`: the latch branch of a lane's iterations. Disables LLVM's unrolling: larger code costs more in the
// CPU's front end than it saves.
void mark_as_iterations(llvm::BranchInst& back);

// `back`: the latch branch of the loop over lanes. Disables LLVM's unrolling.
void mark_as_lanes(llvm::BranchInst& back);

// Outlines marked loops. Runs after LLVM's pipeline.
void outline_lane_loops(llvm::Function& function);

} // namespace visor::jit
