// Loop unrolling: fully unrolls loops with a small constant trip count, with the safepoint poll hoisted in
// front of the unrolled iterations.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Instructions.h>

namespace visor::jit {

struct UnrolledLoop {
    llvm::BasicBlock* begin = nullptr;                                  // of the first iteration
    std::vector<std::map<const llvm::Value*, llvm::Value*>> iterations; // the loop's values in each
    std::vector<llvm::BasicBlock*> blocks;
    llvm::BasicBlock* exit = nullptr; // of the last iteration, as of the loop
};

// Unrolls the innermost loop with this HEADER if it has exactly ITERATIONS iterations. The original loop
// remains for threads with a stop request, or with fuel for fewer iterations: unrolled code does not poll.
// Needs loops in the translator's form and memory intrinsics. Changes nothing otherwise.
[[nodiscard]] std::optional<UnrolledLoop> unroll(llvm::BasicBlock& header, uint32_t iterations);

} // namespace visor::jit
