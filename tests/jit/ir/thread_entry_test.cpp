// Where threads begin: in all code, and where a time slice begins in code with barriers.
#include "jit/ir/thread_entry.h"

#include <gtest/gtest.h>

#include <llvm/IR/Module.h>

namespace visor::jit {
namespace {

class ThreadStarts : public ::testing::Test {
protected:
    ThreadStarts() {
        auto* const type = llvm::FunctionType::get(ir_.getVoidTy(), {ir_.getPtrTy()}, false);
        function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module_);
        ir_.SetInsertPoint(llvm::BasicBlock::Create(context_, "", function_));
        store_ = ir_.CreateStore(ir_.getInt32(0),
                                 ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), function_->getArg(0), 64));
        ir_.CreateRetVoid();
    }

    llvm::LLVMContext context_;
    llvm::Module module_{"m", context_};
    llvm::IRBuilder<> ir_{context_};
    llvm::Function* function_ = nullptr;
    llvm::StoreInst* store_ = nullptr;
};

TEST_F(ThreadStarts, WithBarriers) {
    const ThreadStart* const start = mark_thread_start(*store_, true);
    EXPECT_EQ(start->state(), function_->getArg(0));
    EXPECT_TRUE(llvm::isa<ThreadStart>(store_));
    EXPECT_TRUE(ThreadEntry::of(*function_).has_value());
}

TEST_F(ThreadStarts, WithoutBarriers) {
    mark_thread_start(*store_, false);
    EXPECT_TRUE(llvm::isa<ThreadStart>(store_));
    EXPECT_FALSE(ThreadEntry::of(*function_).has_value());
}

TEST_F(ThreadStarts, OtherStoresAreNone) {
    EXPECT_FALSE(llvm::isa<ThreadStart>(store_));
    EXPECT_FALSE(llvm::isa<ThreadStart>(function_->getArg(0)));
    EXPECT_FALSE(ThreadEntry::of(*function_).has_value());
}

} // namespace
} // namespace visor::jit
