// Safepoints: which branches are polls, and what they test.
#include "jit/ir/safepoint.h"

#include <gtest/gtest.h>

#include <llvm/IR/Module.h>

namespace visor::jit {
namespace {

class Safepoints : public ::testing::Test {
protected:
    Safepoints() {
        auto* const type = llvm::FunctionType::get(
            ir_.getVoidTy(), {ir_.getInt1Ty(), ir_.getInt64Ty(), ir_.getInt64Ty()}, false);
        function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module_);
        here_ = llvm::BasicBlock::Create(context_, "here", function_);
        slow_ = llvm::BasicBlock::Create(context_, "slow", function_);
        fast_ = llvm::BasicBlock::Create(context_, "fast", function_);
        ir_.SetInsertPoint(here_);
    }

    llvm::Value* stopped() { return function_->getArg(0); }
    llvm::Value* count() { return function_->getArg(1); }
    llvm::Value* fuel() { return function_->getArg(2); }

    llvm::LLVMContext context_;
    llvm::Module module_{"m", context_};
    llvm::IRBuilder<> ir_{context_};
    llvm::Function* function_ = nullptr;
    llvm::BasicBlock* here_ = nullptr;
    llvm::BasicBlock* slow_ = nullptr;
    llvm::BasicBlock* fast_ = nullptr;
};

TEST_F(Safepoints, OfStopFlagAndFuel) {
    create_safepoint_poll(ir_, create_poll_condition(ir_, stopped(), count(), fuel()), slow_, fast_);
    const auto* const poll = llvm::dyn_cast<SafepointPoll>(here_->getTerminator());
    ASSERT_NE(poll, nullptr);
    EXPECT_EQ(poll->slow_path(), slow_);
    EXPECT_EQ(poll->fast_path(), fast_);
    EXPECT_EQ(poll->instruction_count(), count());
}

// A poll that also counts idle atomics has no such count: threads stop for another reason, too.
TEST_F(Safepoints, OfMore) {
    llvm::Value* const condition = create_poll_condition(ir_, stopped(), count(), fuel());
    llvm::Value* const spins = ir_.CreateICmpUGE(fuel(), count());
    create_safepoint_poll(ir_, ir_.CreateOr(condition, spins), slow_, fast_);
    const auto* const poll = llvm::dyn_cast<SafepointPoll>(here_->getTerminator());
    ASSERT_NE(poll, nullptr);
    EXPECT_EQ(poll->instruction_count(), nullptr);
}

TEST_F(Safepoints, OfAnotherCondition) {
    create_safepoint_poll(ir_, stopped(), slow_, fast_);
    EXPECT_EQ(llvm::cast<SafepointPoll>(here_->getTerminator())->instruction_count(), nullptr);
    here_->getTerminator()->eraseFromParent();
    ir_.SetInsertPoint(here_);
    create_safepoint_poll(ir_, ir_.CreateOr(stopped(), ir_.CreateICmpUGT(count(), fuel())), slow_, fast_);
    EXPECT_EQ(llvm::cast<SafepointPoll>(here_->getTerminator())->instruction_count(), nullptr);
}

TEST_F(Safepoints, OtherBranchesAreNone) {
    ir_.CreateCondBr(stopped(), slow_, fast_);
    EXPECT_FALSE(llvm::isa<SafepointPoll>(here_->getTerminator()));
    ir_.SetInsertPoint(slow_);
    llvm::BranchInst* const always = ir_.CreateBr(fast_);
    EXPECT_FALSE(llvm::isa<SafepointPoll>(always));
    always->setMetadata("visor.poll", llvm::MDNode::get(context_, {}));
    EXPECT_FALSE(llvm::isa<SafepointPoll>(always)) << "it decides nothing";
    EXPECT_FALSE(llvm::isa<SafepointPoll>(stopped()));
}

} // namespace
} // namespace visor::jit
