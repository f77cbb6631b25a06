// Induction steps (SCEV: AddRec), where constant: by how much values change from one iteration to the next.
// Callers use them as a heuristic and check addresses at run time.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace visor::jit {

// For vectors: of the lanes that stay active. Ignores wrapping.
class InductionSteps {
public:
    // The loop's code must not change during queries.
    explicit InductionSteps(const llvm::Loop& loop) : loop_(loop) {}

    // 0: loop-invariant; none: unknown.
    std::optional<int64_t> of(llvm::Value* value) { return step(value, 0); }

private:
    using Step = std::optional<int64_t>;

    Step step(llvm::Value* value, unsigned depth);
    Step evaluate(llvm::Instruction& instruction, unsigned depth);
    Step of_binary(llvm::Instruction& instruction, unsigned depth);
    Step of_phi(const llvm::PHINode& phi, unsigned depth);
    Step distance(llvm::Value* value, const llvm::PHINode& from, unsigned depth);
    [[nodiscard]] bool is_inside(const llvm::Value* value) const;

    const llvm::Loop& loop_;
    std::unordered_map<llvm::Value*, Step> known_;
    unsigned visits_ = 0; // limits distance(), which follows all paths
};

} // namespace visor::jit
