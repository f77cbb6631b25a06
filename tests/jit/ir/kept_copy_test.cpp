// Kept values: which copies belong together.
#include "jit/ir/kept_copy.h"

#include <gtest/gtest.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace visor::jit {
namespace {

class KeptCopies : public ::testing::Test {
protected:
    KeptCopies() {
        auto* const type = llvm::FunctionType::get(ir_.getVoidTy(), {ir_.getPtrTy()}, false);
        function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module_);
        ir_.SetInsertPoint(llvm::BasicBlock::Create(context_, "", function_));
    }

    llvm::Value* memory() { return function_->getArg(0); }
    llvm::LoadInst* load() { return ir_.CreateLoad(ir_.getInt32Ty(), memory()); }
    llvm::StoreInst* store() { return ir_.CreateStore(ir_.getInt32(7), memory()); }
    template <class Copy>
    const KeptCopy* kept(Copy* copy, uint64_t entry, uint64_t variable, uint64_t piece) {
        mark_kept_copy(*copy, entry, variable, piece);
        return llvm::dyn_cast<KeptCopy>(static_cast<llvm::Instruction*>(copy));
    }

    llvm::LLVMContext context_;
    llvm::Module module_{"m", context_};
    llvm::IRBuilder<> ir_{context_};
    llvm::Function* function_ = nullptr;
};

TEST_F(KeptCopies, SaveAndReload) {
    const KeptCopy* const save = kept(store(), 1, 5, 0);
    const KeptCopy* const reload = kept(load(), 1, 5, 0);
    ASSERT_TRUE(save != nullptr && reload != nullptr);
    EXPECT_EQ(save->slot(), reload->slot());
    EXPECT_EQ(save->identity(), reload->identity());
}

TEST_F(KeptCopies, OfAnotherEntry) {
    const KeptCopy* const one = kept(store(), 1, 5, 0);
    const KeptCopy* const other = kept(store(), 2, 5, 0);
    EXPECT_EQ(one->slot(), other->slot());
    EXPECT_NE(one->identity(), other->identity());
}

TEST_F(KeptCopies, OfAnotherValue) {
    const KeptCopy* const one = kept(store(), 1, 5, 0);
    EXPECT_NE(one->slot(), kept(store(), 1, 6, 0)->slot());
    EXPECT_NE(one->slot(), kept(store(), 1, 5, 1)->slot());
}

TEST_F(KeptCopies, OtherInstructionsAreNone) {
    EXPECT_FALSE(llvm::isa<KeptCopy>(static_cast<llvm::Instruction*>(load())));
    EXPECT_FALSE(llvm::isa<KeptCopy>(static_cast<llvm::Instruction*>(store())));
    EXPECT_EQ(kept(ir_.CreateFence(llvm::AtomicOrdering::Acquire), 1, 5, 0), nullptr);
    EXPECT_FALSE(llvm::isa<KeptCopy>(memory()));
}

} // namespace
} // namespace visor::jit
