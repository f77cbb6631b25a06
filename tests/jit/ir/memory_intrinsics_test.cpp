// Typed views of memory intrinsics: what was given to each call comes back from its class.
#include "jit/ir/memory_intrinsics.h"

#include <gtest/gtest.h>

#include <llvm/IR/Module.h>

namespace visor::jit {
namespace {

class MemoryIntrinsics : public ::testing::Test {
protected:
    MemoryIntrinsics() {
        llvm::Type* const wide = ir_.getInt64Ty();
        auto* const type = llvm::FunctionType::get(
            ir_.getVoidTy(),
            {llvm::FixedVectorType::get(ir_.getInt32Ty(), 8), llvm::FixedVectorType::get(wide, 8),
             llvm::FixedVectorType::get(ir_.getInt1Ty(), 8), ir_.getPtrTy(), wide, wide,
             llvm::FixedVectorType::get(ir_.getInt16Ty(), 8)},
            false);
        function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module_);
        ir_.SetInsertPoint(llvm::BasicBlock::Create(context_, "", function_));
    }

    llvm::Value* offsets() { return function_->getArg(0); }
    llvm::Value* addresses() { return function_->getArg(1); }
    llvm::Value* on() { return function_->getArg(2); }
    llvm::Value* data() { return function_->getArg(3); }
    llvm::Value* one() { return function_->getArg(4); }
    llvm::Value* other() { return function_->getArg(5); }
    llvm::Value* values() { return function_->getArg(6); }
    const llvm::Instruction* last() { return &function_->back().back(); }

    llvm::LLVMContext context_;
    llvm::Module module_{"m", context_};
    llvm::IRBuilder<> ir_{context_};
    llvm::Function* function_ = nullptr;
};

TEST_F(MemoryIntrinsics, LoadOfASurface) {
    const Reach reach{.data = data(), .bytes = one(), .mask = other(), .scratch = true};
    llvm::Value* const made = create_load(ir_, offsets(), on(), reach, 12, 16);
    const auto* const load = llvm::dyn_cast<MemLoad>(made);
    ASSERT_NE(load, nullptr);
    EXPECT_FALSE(load->stores());
    EXPECT_FALSE(load->flat());
    EXPECT_EQ(load->addresses(), offsets());
    EXPECT_EQ(load->lanes(), 8U);
    EXPECT_EQ(load->on(), on());
    EXPECT_EQ(load->displacement(), 12U);
    EXPECT_EQ(load->data(), data());
    EXPECT_EQ(load->window_bytes(), one());
    EXPECT_EQ(load->offset_mask(), other());
    EXPECT_EQ(load->unit_bits(), 16U);
    EXPECT_TRUE(load->scratch());
    EXPECT_TRUE((llvm::isa<MemoryIntrinsic, LaneIntrinsic, MemAccess>(made)));
    EXPECT_FALSE((llvm::isa<MemStore, RangeCheck, Extreme, DisjointCheck, ExtentCheck>(made)));
}

TEST_F(MemoryIntrinsics, LoadOfFlatMemory) {
    const auto* const load =
        llvm::dyn_cast<MemLoad>(create_load(ir_, addresses(), on(), {.site = 7}, 0xffff'fffcU, 32));
    ASSERT_NE(load, nullptr);
    EXPECT_TRUE(load->flat());
    EXPECT_EQ(load->site(), 7U);
    EXPECT_EQ(load->displacement(), 0xffff'fffcU);
    EXPECT_EQ(load->unit_bits(), 32U);
    EXPECT_FALSE(load->scratch());
}

TEST_F(MemoryIntrinsics, Stores) {
    create_store(ir_, offsets(), on(), {.data = data(), .bytes = one(), .mask = other()}, 4, values());
    const auto* store = llvm::dyn_cast<MemStore>(last());
    ASSERT_NE(store, nullptr);
    EXPECT_TRUE(store->stores());
    EXPECT_FALSE(store->flat());
    EXPECT_FALSE(store->scratch());
    EXPECT_EQ(store->values(), values());
    EXPECT_EQ(store->unit_bits(), 16U);
    EXPECT_EQ(store->data(), data());
    create_store(ir_, addresses(), on(), {.site = 9}, 4, values());
    store = llvm::dyn_cast<MemStore>(last());
    ASSERT_NE(store, nullptr);
    EXPECT_TRUE(store->flat());
    EXPECT_EQ(store->site(), 9U);
    EXPECT_EQ(store->values(), values());
    EXPECT_FALSE(llvm::isa<MemLoad>(store));
}

TEST_F(MemoryIntrinsics, RangeCheckOfASite) {
    const auto* const check =
        llvm::dyn_cast<RangeCheck>(create_range_check(ir_, addresses(), on(), one(), other(), 20, 3, 8));
    ASSERT_NE(check, nullptr);
    EXPECT_EQ(check->addresses(), addresses());
    EXPECT_EQ(check->on(), on());
    EXPECT_EQ(check->low(), one());
    EXPECT_EQ(check->last(), other());
    EXPECT_EQ(check->displacement(), 20U);
    EXPECT_EQ(check->site(), 3U);
    EXPECT_EQ(check->bytes(), 8U);
    EXPECT_TRUE(llvm::isa<LaneIntrinsic>(check));
    EXPECT_FALSE(llvm::isa<MemAccess>(check));
}

TEST_F(MemoryIntrinsics, ConditionsAndExtremes) {
    const auto* const least = llvm::dyn_cast<Extreme>(create_extreme(ir_, addresses(), on(), 5, false));
    const auto* const most = llvm::dyn_cast<Extreme>(create_extreme(ir_, addresses(), on(), 5, true));
    ASSERT_TRUE(least != nullptr && most != nullptr);
    EXPECT_FALSE(least->largest());
    EXPECT_TRUE(most->largest());
    EXPECT_EQ(most->displacement(), 5U);
    const auto* const disjoint =
        llvm::dyn_cast<DisjointCheck>(create_disjoint_check(ir_, offsets(), one(), 16));
    ASSERT_NE(disjoint, nullptr);
    EXPECT_EQ(disjoint->bytes(), 16U);
    EXPECT_EQ(disjoint->offset_mask(), one());
    EXPECT_FALSE(llvm::isa<LaneIntrinsic>(disjoint));
    const auto* const extent = llvm::dyn_cast<ExtentCheck>(create_extent_check(ir_, offsets(), other(), 64));
    ASSERT_NE(extent, nullptr);
    EXPECT_EQ(extent->end(), 64U);
    EXPECT_EQ(extent->window_bytes(), other());
}

// LLVM's own intrinsics and other calls are none, and neither is a call through a pointer.
TEST_F(MemoryIntrinsics, OtherCallsAreNone) {
    EXPECT_FALSE(llvm::isa<MemoryIntrinsic>(ir_.CreateFence(llvm::AtomicOrdering::Acquire)));
    EXPECT_FALSE(llvm::isa<MemoryIntrinsic>(
        ir_.CreateMemSet(data(), ir_.getInt8(0), uint64_t{4}, llvm::MaybeAlign(1))));
    EXPECT_FALSE(
        llvm::isa<MemoryIntrinsic>(ir_.CreateCall(llvm::FunctionType::get(ir_.getVoidTy(), false), data())));
    EXPECT_FALSE(llvm::isa<MemoryIntrinsic>(offsets()));
}

} // namespace
} // namespace visor::jit
