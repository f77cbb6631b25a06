// Typed views of block accesses: what was given to each comes back from its class.
#include "jit/ir/block_access.h"

#include "jit/ir/bounds.h"

#include <gtest/gtest.h>

#include <llvm/IR/Module.h>

namespace visor::jit {
namespace {

class BlockAccesses : public ::testing::Test {
protected:
    BlockAccesses() {
        auto* const type = llvm::FunctionType::get(
            ir_.getVoidTy(),
            {ir_.getPtrTy(), ir_.getInt64Ty(), llvm::FixedVectorType::get(ir_.getInt1Ty(), 4), type_}, false);
        function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module_);
        ir_.SetInsertPoint(llvm::BasicBlock::Create(context_, "", function_));
    }

    llvm::Value* data() { return function_->getArg(0); }
    llvm::Value* number() { return function_->getArg(1); }
    llvm::Value* on() { return function_->getArg(2); }
    llvm::Value* values() { return function_->getArg(3); }
    llvm::Value* marked_for(Use use) {
        return bounds_.behind({Guard::surface, use}, data(), number(), {0, 16});
    }

    llvm::LLVMContext context_;
    llvm::Module module_{"m", context_};
    llvm::IRBuilder<> ir_{context_};
    Bounds bounds_{ir_};
    llvm::FixedVectorType* type_ = llvm::FixedVectorType::get(ir_.getInt32Ty(), 4);
    llvm::Function* function_ = nullptr;
};

TEST_F(BlockAccesses, WholeLoad) {
    llvm::Value* const pointer = bounds_.at({Guard::flat, Use::block}, number(), {0, 16});
    llvm::Value* const made = create_block_load(ir_, type_, pointer);
    const auto* const load = llvm::dyn_cast<BlockLoad>(made);
    ASSERT_NE(load, nullptr);
    EXPECT_EQ(load->pointer(), pointer);
    EXPECT_EQ(load->guard(), Guard::flat);
    EXPECT_EQ(load->bytes(), 16U);
    EXPECT_EQ(load->on(), nullptr);
    EXPECT_EQ(load->getType(), type_);
    EXPECT_TRUE(llvm::isa<BlockAccess>(made));
    EXPECT_FALSE(llvm::isa<BlockStore>(made));
}

TEST_F(BlockAccesses, LoadOfSomeUnits) {
    llvm::Value* const pointer = marked_for(Use::block_tail);
    llvm::Value* const made = create_block_load(ir_, type_, pointer, on());
    const auto* const load = llvm::dyn_cast<BlockLoad>(made);
    ASSERT_NE(load, nullptr);
    EXPECT_EQ(load->pointer(), pointer);
    EXPECT_EQ(load->guard(), Guard::surface);
    EXPECT_EQ(load->bytes(), 16U);
    EXPECT_EQ(load->on(), on());
    EXPECT_EQ(load->getType(), type_);
    EXPECT_FALSE(llvm::isa<BlockStore>(made));
}

TEST_F(BlockAccesses, WholeStore) {
    llvm::Value* const pointer = marked_for(Use::block);
    llvm::Value* const made = create_block_store(ir_, values(), pointer);
    const auto* const store = llvm::dyn_cast<BlockStore>(made);
    ASSERT_NE(store, nullptr);
    EXPECT_EQ(store->pointer(), pointer);
    EXPECT_EQ(store->guard(), Guard::surface);
    EXPECT_EQ(store->bytes(), 16U);
    EXPECT_EQ(store->on(), nullptr);
    EXPECT_EQ(store->values(), values());
    EXPECT_TRUE(llvm::isa<BlockAccess>(made));
    EXPECT_FALSE(llvm::isa<BlockLoad>(made));
}

TEST_F(BlockAccesses, StoreOfSomeUnits) {
    llvm::Value* const pointer = marked_for(Use::block_tail);
    llvm::Value* const made = create_block_store(ir_, values(), pointer, on());
    const auto* const store = llvm::dyn_cast<BlockStore>(made);
    ASSERT_NE(store, nullptr);
    EXPECT_EQ(store->pointer(), pointer);
    EXPECT_EQ(store->on(), on());
    EXPECT_EQ(store->values(), values());
    EXPECT_FALSE(llvm::isa<BlockLoad>(made));
}

TEST_F(BlockAccesses, OtherAccessesAreNone) {
    EXPECT_FALSE(llvm::isa<BlockAccess>(ir_.CreateLoad(type_, data())));
    EXPECT_FALSE(llvm::isa<BlockAccess>(ir_.CreateLoad(type_, marked_for(Use::row))));
    EXPECT_FALSE(llvm::isa<BlockAccess>(ir_.CreateStore(values(), marked_for(Use::unit))));
    EXPECT_FALSE(llvm::isa<BlockAccess>(ir_.CreateStore(marked_for(Use::block), data())))
        << "it stores the pointer";
    EXPECT_FALSE(llvm::isa<BlockAccess>(marked_for(Use::block)));
    EXPECT_FALSE(llvm::isa<BlockAccess>(data()));
}

TEST_F(BlockAccesses, NoneIsLeftWithoutMarks) {
    llvm::Value* const load = create_block_load(ir_, type_, marked_for(Use::block));
    EXPECT_EQ(remove_marks(module_), 1U);
    EXPECT_FALSE(llvm::isa<BlockAccess>(load));
}

} // namespace
} // namespace visor::jit
