// Safepoints: where a thread may stop. A backward branch tests the stop flag, the fuel and, in code that may
// spin, the idle atomics; its cold path is a PollCall (runtime_call.h).
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace visor::jit {

// The branch of a safepoint. It polls where its condition holds.
class SafepointPoll : public llvm::BranchInst {
public:
    SafepointPoll() = delete;
    static bool classof(const llvm::Value* value);

    [[nodiscard]] llvm::BasicBlock* slow_path() const { return getSuccessor(0); }
    [[nodiscard]] llvm::BasicBlock* fast_path() const { return getSuccessor(1); }
    // The executed instructions that it compares with the fuel; null if it tests more than the stop flag and
    // the fuel.
    [[nodiscard]] llvm::Value* instruction_count() const;
};

// i1: a stop request, or no fuel left after `count` instructions.
[[nodiscard]] llvm::Value* create_poll_condition(llvm::IRBuilder<>& ir, llvm::Value* stopped,
                                                 llvm::Value* count, llvm::Value* fuel);
SafepointPoll* create_safepoint_poll(llvm::IRBuilder<>& ir, llvm::Value* condition,
                                     llvm::BasicBlock* slow_path, llvm::BasicBlock* fast_path);

} // namespace visor::jit
