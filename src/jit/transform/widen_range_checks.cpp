#include "jit/transform/widen_range_checks.h"

#include "jit/analysis/lane_affine.h"
#include "jit/ir/bounds.h"
#include "jit/ir/memory_intrinsics.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr size_t min_messages = 3;                 // fewer do not repay the additional check
constexpr int64_t max_distance = int64_t{1} << 40; // sums of two do not overflow

// A range check of bytes [root + low, root + end).
struct RootedCheck {
    RangeCheck* call = nullptr;
    Value* root = nullptr;
    int64_t low = 0;
    int64_t end = 0;
};

// Range checks that the first one of them can cover, in order.
struct CheckGroup {
    std::vector<RootedCheck> checks;
    std::vector<bool> after_second; // by check: the second one dominates it, or is it
};

bool is_near(int64_t distance) {
    return -max_distance <= distance && distance <= max_distance;
}

class GuardWidening {
public:
    explicit GuardWidening(llvm::Function& function) : function_(function), ir_(function.getContext()) {}

    void run() {
        find();
        if (checks_.empty())
            return;
        const llvm::DominatorTree dominators(function_);
        const auto is_after = [&](const RootedCheck& one, const RootedCheck& other) {
            return one.call == other.call || dominators.dominates(other.call, one.call);
        };
        std::vector<CheckGroup> all;
        for (const auto& [root, checks] : checks_) {
            CheckGroup group;
            for (const RootedCheck& one : checks)
                if (is_after(one, checks.front()))
                    group.checks.push_back(one);
            if (group.checks.size() < min_messages)
                continue;
            for (const RootedCheck& one : group.checks)
                group.after_second.push_back(is_after(one, group.checks[1]));
            all.push_back(std::move(group));
        }
        for (const CheckGroup& group : all)
            widen(group);
    }

private:
    void find() {
        std::vector<RangeCheck*> calls;
        for (llvm::BasicBlock* const block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_))
            for (llvm::Instruction& instruction : *block)
                if (auto* const call = llvm::dyn_cast<RangeCheck>(&instruction);
                    call != nullptr && is_all(call->on()))
                    calls.push_back(call);
        if (calls.size() < min_messages)
            return;
        LaneAffine affine(function_, 0);
        for (RangeCheck* const call : calls)
            if (const auto check = range_check_of(affine, *call))
                checks_[check->root].push_back(*check);
    }

    std::optional<RootedCheck> range_check_of(LaneAffine& affine, RangeCheck& call) {
        Value* const addresses = call.addresses();
        if (lanes_of(addresses) < 2)
            return std::nullopt;
        const auto form = affine.form(addresses, 0, &call);
        // Where conditions of the form fail, lanes may be elsewhere.
        if (!form || !form->conditions.empty() || !form->base->getType()->isIntegerTy(64))
            return std::nullopt;
        const auto [root, number] = strip_constant_adds(form->base);
        const int64_t low = form->lowest();
        const int64_t high = form->highest();
        if (!is_near(number) || !is_near(low) || !is_near(high))
            return std::nullopt;
        const int64_t at = number + call.displacement();
        return RootedCheck{.call = &call, .root = root, .low = at + low, .end = at + high + call.bytes()};
    }

    // Splits a value into a root and a constant addend, modulo 2^64. Visits each value once.
    std::pair<Value*, int64_t> strip_constant_adds(Value* value) {
        std::vector<std::pair<Value*, uint64_t>> steps; // values, with their addends
        while (!sums_.contains(value)) {
            auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(value);
            const auto* const number = binary != nullptr && binary->getOpcode() == llvm::Instruction::Add
                                           ? llvm::dyn_cast<llvm::ConstantInt>(binary->getOperand(1))
                                           : nullptr;
            if (number == nullptr) {
                sums_[value] = {value, 0};
                break;
            }
            steps.emplace_back(value, number->getZExtValue());
            value = binary->getOperand(0);
        }
        auto [root, sum] = sums_.at(value);
        for (const auto& [step, number] : steps | std::views::reverse) {
            sum += number;
            sums_[step] = {root, sum};
        }
        return {root, static_cast<int64_t>(sum)};
    }

    void widen(const CheckGroup& group) {
        const std::vector<RootedCheck>& checks = group.checks;
        const RootedCheck& first = checks.front();
        const int64_t low = std::ranges::min(checks, {}, &RootedCheck::low).low;
        const int64_t end = std::ranges::max(checks, {}, &RootedCheck::end).end;
        ir_.SetInsertPoint(first.call);
        Value* const all = check_all(first, low, end, first.call->low(), first.call->last());
        check_unless(all, *first.call);
        Value* const known = recheck_all(all, first, *checks[1].call, low, end);
        for (size_t k = 1; k < checks.size(); ++k)
            check_unless(group.after_second[k] ? known : all, *checks[k].call);
    }

    // A site's limit is the last begin of a unit.
    Value* check_all(const RootedCheck& first, int64_t low, int64_t end, Value* begin, Value* last) {
        Value* const lowest = ir_.CreateAdd(first.root, number(low));
        Value* const site_end = ir_.CreateAdd(last, number(first.call->bytes()));
        return Bounds(ir_).span_in({begin, site_end}, lowest, number(end - low));
    }

    // After a failed check, the site may have been widened to the allocation: checks again for all.
    Value* recheck_all(Value* all, const RootedCheck& first, RangeCheck& second, int64_t low, int64_t end) {
        auto* const begin = llvm::dyn_cast<llvm::LoadInst>(first.call->low());
        auto* const last = llvm::dyn_cast<llvm::LoadInst>(first.call->last());
        if (begin == nullptr || last == nullptr)
            return all;
        llvm::BasicBlock* const before = second.getParent();
        llvm::Instruction* const again = llvm::SplitBlockAndInsertIfElse(
            all, second.getIterator(), false,
            llvm::MDBuilder(function_.getContext()).createBranchWeights(1000, 1));
        ir_.SetInsertPoint(again);
        const auto now = [&](llvm::LoadInst& limit) {
            return ir_.CreateAlignedLoad(limit.getType(), limit.getPointerOperand(), limit.getAlign());
        };
        Value* const known = check_all(first, low, end, now(*begin), now(*last));
        auto* const result = llvm::PHINode::Create(all->getType(), 2, "", second.getParent()->begin());
        result->addIncoming(ir_.getTrue(), before);
        result->addIncoming(known, again->getParent());
        return result;
    }

    // Checks only where the widened check failed.
    void check_unless(Value* all, RangeCheck& call) {
        llvm::BasicBlock* const before = call.getParent();
        llvm::Instruction* const unchecked = llvm::SplitBlockAndInsertIfElse(
            all, call.getIterator(), false,
            llvm::MDBuilder(function_.getContext()).createBranchWeights(1000, 1));
        llvm::BasicBlock* const after = call.getParent();
        call.moveBefore(unchecked);
        auto* const result = llvm::PHINode::Create(call.getType(), 2, "", after->begin());
        call.replaceAllUsesWith(result);
        result->addIncoming(ir_.getTrue(), before);
        result->addIncoming(&call, unchecked->getParent());
        for (Value* const limit : {call.low(), call.last()})
            sink_operands(limit, *before, call);
    }

    // Sinks operands without other users: the loads of a site's limits, and their addresses.
    static void sink_operands(Value* value, const llvm::BasicBlock& from, RangeCheck& call) {
        for (auto* one = llvm::dyn_cast<llvm::Instruction>(value); one != nullptr;
             one = llvm::dyn_cast<llvm::Instruction>(one->getOperand(0))) {
            const bool own = std::ranges::all_of(one->users(), [&](const llvm::User* user) {
                return llvm::cast<llvm::Instruction>(user)->getParent() == call.getParent();
            });
            if (!own || one->getParent() != &from ||
                !(llvm::isa<llvm::LoadInst, llvm::GetElementPtrInst>(one)))
                return;
            one->moveBefore(&call.getParent()->front()); // before its own users
        }
    }

    Value* number(int64_t value) { return ir_.getInt64(static_cast<uint64_t>(value)); }

    llvm::Function& function_;
    llvm::IRBuilder<> ir_;
    llvm::MapVector<Value*, std::vector<RootedCheck>> checks_; // by root
    std::map<Value*, std::pair<Value*, uint64_t>> sums_;       // roots and addends by value
};

} // namespace

void widen_range_checks(llvm::Function& function) {
    GuardWidening(function).run();
}

} // namespace visor::jit
