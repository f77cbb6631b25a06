// How far values move from one turn of a loop to the next, as far as it is told by constants: for code that
// pays when they do move so, and asks them when it runs.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace visor::jit {

// Of lanes: of those that go on. Takes sums for exact, wherever they wrap.
class TurnSteps {
public:
    // The loop's code must not change meanwhile.
    explicit TurnSteps(const llvm::Loop& loop) : loop_(loop) {}

    // 0: the same in every turn; none: nothing is known.
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
    unsigned looks_ = 0; // for distances: they follow each way
};

} // namespace visor::jit
