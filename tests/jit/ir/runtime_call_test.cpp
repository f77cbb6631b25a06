// Typed views of runtime calls: what was given to each call comes back from its class, and the call goes
// through the pointer that the engine fills in.
#include "jit/ir/runtime_call.h"

#include "jit/engine/runtime_calls.h"
#include "jit/ir/state_pointer.h"

#include <gtest/gtest.h>

#include <llvm/IR/Module.h>

#include <set>
#include <string_view>

namespace visor::jit {
namespace {

class RuntimeCalls : public ::testing::Test {
protected:
    RuntimeCalls() {
        auto* const pointer = ir_.getPtrTy();
        auto* const type = llvm::FunctionType::get(
            ir_.getVoidTy(),
            {pointer, ir_.getInt64Ty(), ir_.getInt64Ty(), ir_.getInt32Ty(), pointer, pointer}, false);
        function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module_);
        ir_.SetInsertPoint(llvm::BasicBlock::Create(context_, "", function_));
    }

    llvm::Value* state() { return function_->getArg(0); }
    llvm::Value* one() { return function_->getArg(1); }
    llvm::Value* other() { return function_->getArg(2); }
    llvm::Value* on() { return function_->getArg(3); }
    llvm::Value* buffer() { return function_->getArg(4); }
    llvm::Value* data() { return function_->getArg(5); }
    // The byte of `table` that the callee is loaded from.
    size_t offset_of_callee(const llvm::CallInst& call, const llvm::Value* table) {
        const auto* const load = llvm::cast<llvm::LoadInst>(call.getCalledOperand());
        const Origin origin = origin_of(*load->getPointerOperand(), module_.getDataLayout());
        EXPECT_EQ(origin.begin, table);
        return static_cast<size_t>(origin.distance);
    }

    llvm::LLVMContext context_;
    llvm::Module module_{"m", context_};
    llvm::IRBuilder<> ir_{context_};
    llvm::Function* function_ = nullptr;
};

TEST_F(RuntimeCalls, Fallback) {
    llvm::Value* const made = create_fallback(ir_, state(), 17, true);
    const auto* const call = llvm::dyn_cast<FallbackCall>(made);
    ASSERT_NE(call, nullptr);
    EXPECT_EQ(call->entry(), RuntimeEntry::step);
    EXPECT_EQ(call->state(), state());
    EXPECT_EQ(call->instruction(), 17U);
    EXPECT_TRUE(call->may_read_scratch());
    EXPECT_TRUE(reads_scratch(*call));
    EXPECT_EQ(offset_of_callee(*call, state()), offsetof(State, step));
    EXPECT_TRUE(call->getType()->isIntegerTy(32));
    EXPECT_TRUE(llvm::isa<RuntimeCall>(made));
    EXPECT_TRUE(llvm::isa<StateCall>(made));
    EXPECT_FALSE((llvm::isa<PollCall, BarrierCall, CheckCall, ClearCall, LaneAccessCall>(made)));
    EXPECT_FALSE(create_fallback(ir_, state(), 17, false)->may_read_scratch());
}

TEST_F(RuntimeCalls, Poll) {
    llvm::Value* const made = create_poll_call(ir_, state(), 5, true);
    const auto* const call = llvm::dyn_cast<PollCall>(made);
    ASSERT_NE(call, nullptr);
    EXPECT_EQ(call->state(), state());
    EXPECT_EQ(call->instruction(), 5U);
    EXPECT_TRUE(call->can_yield());
    EXPECT_EQ(offset_of_callee(*call, state()), offsetof(State, poll));
    EXPECT_FALSE((llvm::isa<FallbackCall, BarrierCall, CheckCall, ClearCall, LaneAccessCall>(made)));
    EXPECT_FALSE(create_poll_call(ir_, state(), 5, false)->can_yield());
}

TEST_F(RuntimeCalls, Barrier) {
    llvm::Value* const made = create_barrier_call(ir_, state(), 6, meet_signal | meet_wait);
    const auto* const call = llvm::dyn_cast<BarrierCall>(made);
    ASSERT_NE(call, nullptr);
    EXPECT_EQ(call->state(), state());
    EXPECT_EQ(call->instruction(), 6U);
    EXPECT_EQ(call->actions(), 3U);
    EXPECT_EQ(offset_of_callee(*call, state()), offsetof(State, meet));
    EXPECT_FALSE((llvm::isa<FallbackCall, PollCall, CheckCall, ClearCall, LaneAccessCall>(made)));
}

TEST_F(RuntimeCalls, CheckOfARange) {
    const CheckedSite site{.site = 3, .instruction = 8, .bytes = 12};
    llvm::Value* const made = create_check_range_call(ir_, state(), site, one(), other());
    const auto* const call = llvm::dyn_cast<CheckRangeCall>(made);
    ASSERT_NE(call, nullptr);
    EXPECT_EQ(call->state(), state());
    EXPECT_EQ(call->site(), 3U);
    EXPECT_EQ(call->instruction(), 8U);
    EXPECT_EQ(call->bytes(), 12U);
    EXPECT_EQ(call->first(), one());
    EXPECT_EQ(call->last(), other());
    EXPECT_EQ(offset_of_callee(*call, state()), offsetof(State, check_range));
    EXPECT_TRUE(llvm::isa<CheckCall>(made));
    EXPECT_FALSE((llvm::isa<CheckLanesCall, FallbackCall, LaneAccessCall>(made)));
}

TEST_F(RuntimeCalls, CheckOfLanes) {
    const CheckedSite site{.site = 4, .instruction = 9, .bytes = 16};
    llvm::Value* const made = create_check_lanes_call(
        ir_, state(), site, {.addresses = buffer(), .on = on(), .lanes = 8, .displacement = 0xffff'fff0U});
    const auto* const call = llvm::dyn_cast<CheckLanesCall>(made);
    ASSERT_NE(call, nullptr);
    EXPECT_EQ(call->state(), state());
    EXPECT_EQ(call->site(), 4U);
    EXPECT_EQ(call->instruction(), 9U);
    EXPECT_EQ(call->bytes(), 16U);
    EXPECT_EQ(call->addresses(), buffer());
    EXPECT_EQ(call->on(), on());
    EXPECT_EQ(call->lanes(), 8U);
    EXPECT_EQ(call->displacement(), 0xffff'fff0U);
    EXPECT_EQ(offset_of_callee(*call, state()), offsetof(State, check_lanes));
    EXPECT_TRUE(llvm::isa<CheckCall>(made));
    EXPECT_FALSE((llvm::isa<CheckRangeCall, FallbackCall, LaneAccessCall>(made)));
}

TEST_F(RuntimeCalls, Clear) {
    ClearCall* const call = create_clear_call(ir_, state(), clear_shared_local | clear_scratch, true);
    EXPECT_EQ(call->state(), state());
    EXPECT_EQ(call->what(), 3U);
    EXPECT_TRUE(call->follows_whole_threads());
    call->set_what(clear_shared_local);
    EXPECT_EQ(call->what(), 1U);
    EXPECT_EQ(offset_of_callee(*call, state()), offsetof(State, clear));
    EXPECT_FALSE((llvm::isa<FallbackCall, PollCall, BarrierCall, CheckCall, LaneAccessCall>(
        static_cast<llvm::Value*>(call))));
    EXPECT_FALSE(create_clear_call(ir_, state(), clear_scratch, false)->follows_whole_threads());
}

TEST_F(RuntimeCalls, LanesOfASurface) {
    for (const bool stores : {false, true}) {
        llvm::Value* const made = create_lane_access_call(ir_, state(), stores,
                                                          {.addresses = buffer(),
                                                           .values = data(),
                                                           .on = on(),
                                                           .shape = lane_shape(16, 32),
                                                           .displacement = one(),
                                                           .data = state(),
                                                           .bytes = other(),
                                                           .mask = one()});
        const auto* const call = llvm::dyn_cast<LaneAccessCall>(made);
        ASSERT_NE(call, nullptr);
        EXPECT_EQ(call->stores(), stores);
        EXPECT_FALSE(call->flat());
        EXPECT_EQ(call->addresses(), buffer());
        EXPECT_EQ(call->values(), data());
        EXPECT_EQ(call->on(), on());
        EXPECT_EQ(call->shape(), 16U | 32U << 8U);
        EXPECT_EQ(call->displacement(), one());
        EXPECT_EQ(call->data(), state());
        EXPECT_EQ(call->window_bytes(), other());
        EXPECT_EQ(call->offset_mask(), one());
        EXPECT_EQ(offset_of_callee(*call, state()), stores ? offsetof(LaneAccessCalls, store_surface)
                                                           : offsetof(LaneAccessCalls, load_surface));
        EXPECT_TRUE(llvm::isa<RuntimeCall>(made));
        EXPECT_FALSE(llvm::isa<StateCall>(made));
    }
}

TEST_F(RuntimeCalls, LanesOfFlatMemory) {
    for (const bool stores : {false, true}) {
        const LaneAccessCall* const call = create_lane_access_call(
            ir_, state(), stores,
            {.addresses = buffer(), .values = data(), .on = on(), .shape = 8, .displacement = other()});
        EXPECT_EQ(call->stores(), stores);
        EXPECT_TRUE(call->flat());
        EXPECT_EQ(call->displacement(), other());
        EXPECT_EQ(call->arg_size(), 5U);
        EXPECT_EQ(offset_of_callee(*call, state()),
                  stores ? offsetof(LaneAccessCalls, store_flat) : offsetof(LaneAccessCalls, load_flat));
    }
}

TEST_F(RuntimeCalls, EachFunctionHasItsOwnNameAndPointer) {
    std::set<std::string_view> names;
    std::set<std::pair<bool, size_t>> pointers;
    for (const RuntimeFunction& function : runtime_functions) {
        names.insert(function.name);
        pointers.emplace(function.by_lane, function.offset);
    }
    EXPECT_EQ(names.size(), runtime_functions.size());
    EXPECT_EQ(pointers.size(), runtime_functions.size());
}

// A call through a pointer without the mark, or with one that names nothing, may do anything.
TEST_F(RuntimeCalls, OtherCallsAreNone) {
    llvm::CallInst* const call = ir_.CreateCall(llvm::FunctionType::get(ir_.getVoidTy(), false), buffer());
    EXPECT_FALSE(llvm::isa<RuntimeCall>(call));
    const auto mark = [&](llvm::ArrayRef<llvm::Metadata*> operands) {
        call->setMetadata(runtime_mark, llvm::MDNode::get(context_, operands));
    };
    mark({});
    EXPECT_FALSE(llvm::isa<RuntimeCall>(call));
    mark({llvm::MDString::get(context_, "stop")});
    EXPECT_FALSE(llvm::isa<RuntimeCall>(call));
    mark({llvm::MDString::get(context_, "step")});
    EXPECT_TRUE(llvm::isa<FallbackCall>(call));
    EXPECT_FALSE(llvm::isa<RuntimeCall>(state()));
}

TEST_F(RuntimeCalls, FunctionsThatReadScratch) {
    EXPECT_FALSE(reads_scratch(*function_));
    mark_reads_scratch(*function_);
    EXPECT_TRUE(reads_scratch(*function_));
}

} // namespace
} // namespace visor::jit
