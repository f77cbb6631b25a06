// Induction steps (SCEV: AddRec) as far as they are constants: how far values move from one iteration to the
// next, for code that pays off when they do, and checks it at run time.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace visor::jit {

// Of lanes: of those that go on. Takes sums for exact, wherever they wrap.
class InductionSteps {
public:
    // The loop's code must not change meanwhile.
    explicit InductionSteps(const llvm::Loop& loop) : loop_(loop) {}

    // 0: the same in every iteration; none: nothing is known.
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
    unsigned visits_ = 0; // for distances: they follow each way
};

} // namespace visor::jit
