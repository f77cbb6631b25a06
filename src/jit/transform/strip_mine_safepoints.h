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
    llvm::BasicBlock* exit = nullptr; // where the last iteration goes on, as the loop does
};

// The innermost loop that begins with HEADER, if it has ITERATIONS iterations. The loop stays, behind what is
// unrolled, for a thread that is asked to stop, or whose fuel does not last for all iterations: in what is
// unrolled nobody looks at the clock. Wants the code generator's loops (Translator), before messages are
// expanded. Changes nothing otherwise.
[[nodiscard]] std::optional<UnrolledLoop> unroll(llvm::BasicBlock& header, uint32_t iterations);

} // namespace visor::jit
