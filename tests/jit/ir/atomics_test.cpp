// Typed views of atomic updates: one lane's, and the calls of tier 1.
#include "jit/ir/atomics.h"

#include "jit/ir/array_argument.h"

#include <gtest/gtest.h>

#include <llvm/IR/Module.h>

#include <string>

namespace visor::jit {
namespace {

class Atomics : public ::testing::Test {
protected:
    Atomics() {
        auto* const pointer = ir_.getPtrTy();
        auto* const type = llvm::FunctionType::get(
            ir_.getVoidTy(),
            {ir_.getInt32Ty(), pointer, pointer, pointer, pointer, pointer, ir_.getInt64Ty()}, false);
        function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module_);
        ir_.SetInsertPoint(llvm::BasicBlock::Create(context_, "", function_));
    }

    llvm::Value* given(unsigned index) { return function_->getArg(index); }
    llvm::Function& updating(const std::string& name) {
        return *llvm::Function::Create(atomic_function_type(context_), llvm::Function::InternalLinkage, name,
                                       module_);
    }

    llvm::LLVMContext context_;
    llvm::Module module_{"m", context_};
    llvm::IRBuilder<> ir_{context_};
    llvm::Function* function_ = nullptr;
    static constexpr llvm::AtomicOrdering ordering = llvm::AtomicOrdering::SequentiallyConsistent;
};

TEST_F(Atomics, UpdateOfALane) {
    llvm::Value* const made =
        ir_.CreateAtomicRMW(llvm::AtomicRMWInst::Add, given(1), given(6), llvm::MaybeAlign(8), ordering);
    const auto* const update = llvm::dyn_cast<MemAtomic>(made);
    ASSERT_NE(update, nullptr);
    EXPECT_EQ(update->pointer(), given(1));
    EXPECT_TRUE(update->value_type()->isIntegerTy(64));
}

// Its result is a pair; memory holds one value.
TEST_F(Atomics, CompareAndExchange) {
    llvm::Value* const made =
        ir_.CreateAtomicCmpXchg(given(2), given(0), ir_.getInt32(1), llvm::MaybeAlign(4), ordering, ordering);
    const auto* const update = llvm::dyn_cast<MemAtomic>(made);
    ASSERT_NE(update, nullptr);
    EXPECT_EQ(update->pointer(), given(2));
    EXPECT_TRUE(update->value_type()->isIntegerTy(32));
}

TEST_F(Atomics, OtherAccessesAreNone) {
    llvm::LoadInst* const load = ir_.CreateLoad(ir_.getInt32Ty(), given(1));
    EXPECT_FALSE(llvm::isa<MemAtomic>(load));
    load->setAtomic(ordering);
    EXPECT_FALSE(llvm::isa<MemAtomic>(load)) << "it updates nothing";
    EXPECT_FALSE(llvm::isa<MemAtomic>(ir_.CreateFence(ordering)));
    EXPECT_FALSE(llvm::isa<MemAtomic>(given(1)));
}

TEST_F(Atomics, CallForAllLanes) {
    const AtomicOperands operands{.on = given(0),
                                  .addresses = given(1),
                                  .firsts = given(2),
                                  .seconds = given(3),
                                  .results = given(4),
                                  .data = given(5),
                                  .bytes = given(6)};
    llvm::Value* const made = create_atomic_call(ir_, updating("visor_atomic_0_32"), operands);
    const auto* const call = llvm::dyn_cast<AtomicCall>(made);
    ASSERT_NE(call, nullptr);
    const AtomicOperands found = call->operands();
    EXPECT_EQ(found.on, given(0));
    EXPECT_EQ(found.addresses, given(1));
    EXPECT_EQ(found.firsts, given(2));
    EXPECT_EQ(found.seconds, given(3));
    EXPECT_EQ(found.results, given(4));
    EXPECT_EQ(found.data, given(5));
    EXPECT_EQ(found.bytes, given(6));
    EXPECT_FALSE(llvm::isa<MemAtomic>(made));
}

// The function finds in each of its arguments what the call passes there.
TEST_F(Atomics, OperandsInsideOfTheFunction) {
    llvm::Function& updates = updating("visor_atomic_1_32");
    const AtomicOperands inside = atomic_operands(updates);
    const AtomicCall* const call = create_atomic_call(ir_, updates,
                                                      {.on = given(0),
                                                       .addresses = given(1),
                                                       .firsts = given(2),
                                                       .seconds = given(3),
                                                       .results = given(4),
                                                       .data = given(5),
                                                       .bytes = given(6)});
    const auto passed = [&](const llvm::Value* argument) {
        return call->getArgOperand(llvm::cast<llvm::Argument>(argument)->getArgNo());
    };
    EXPECT_EQ(passed(inside.on), given(0));
    EXPECT_EQ(passed(inside.addresses), given(1));
    EXPECT_EQ(passed(inside.firsts), given(2));
    EXPECT_EQ(passed(inside.seconds), given(3));
    EXPECT_EQ(passed(inside.results), given(4));
    EXPECT_EQ(passed(inside.data), given(5));
    EXPECT_EQ(passed(inside.bytes), given(6));
    set_atomic_arrays(updates, 256);
    for (const llvm::Value* const array : {inside.addresses, inside.firsts, inside.seconds, inside.results})
        EXPECT_EQ(array_argument_bytes(*llvm::cast<llvm::Argument>(array)), 256U);
    EXPECT_EQ(array_argument_bytes(*llvm::cast<llvm::Argument>(inside.data)), 0U);
}

TEST_F(Atomics, OtherCallsAreNone) {
    EXPECT_FALSE(llvm::isa<AtomicCall>(ir_.CreateCall(
        &updating("load_lanes"), {given(0), given(1), given(2), given(3), given(4), given(5), given(6)})));
    EXPECT_FALSE(
        llvm::isa<AtomicCall>(ir_.CreateCall(llvm::FunctionType::get(ir_.getVoidTy(), false), given(1))));
    EXPECT_FALSE(llvm::isa<AtomicCall>(given(0)));
}

} // namespace
} // namespace visor::jit
