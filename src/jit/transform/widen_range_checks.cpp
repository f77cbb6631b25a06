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

constexpr size_t least_messages = 3;           // the question for all costs as much as one of theirs
constexpr int64_t farthest = int64_t{1} << 40; // sums of two of them do not overflow

// One question, whose lanes reach from `root` + low to `root` + end.
struct Question {
    llvm::CallInst* call = nullptr;
    Value* root = nullptr;
    int64_t low = 0;
    int64_t end = 0;
};

// Those that the first of them asks for, in order.
struct Together {
    std::vector<Question> questions;
    std::vector<bool> behind_second; // by question: the second one has come before, or is it
};

int64_t constant(const llvm::CallInst& call, unsigned argument) {
    return llvm::cast<llvm::ConstantInt>(call.getArgOperand(argument))->getSExtValue();
}

bool is_near(int64_t distance) {
    return -farthest <= distance && distance <= farthest;
}

class Sharing {
public:
    explicit Sharing(llvm::Function& function) : function_(function), ir_(function.getContext()) {}

    void run() {
        find();
        if (questions_.empty())
            return;
        const llvm::DominatorTree dominators(function_);
        const auto is_behind = [&](const Question& one, const Question& other) {
            return one.call == other.call || dominators.dominates(other.call, one.call);
        };
        std::vector<Together> all;
        for (const auto& [root, questions] : questions_) {
            Together together;
            for (const Question& one : questions)
                if (is_behind(one, questions.front()))
                    together.questions.push_back(one);
            if (together.questions.size() < least_messages)
                continue;
            for (const Question& one : together.questions)
                together.behind_second.push_back(is_behind(one, together.questions[1]));
            all.push_back(std::move(together));
        }
        for (const Together& together : all)
            share(together);
    }

private:
    void find() {
        std::vector<llvm::CallInst*> calls;
        for (llvm::BasicBlock* const block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_))
            for (llvm::Instruction& instruction : *block)
                if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
                    call != nullptr && is_memory_intrinsic(*call, intrinsics::admits) &&
                    is_all(call->getArgOperand(1)))
                    calls.push_back(call);
        if (calls.size() < least_messages)
            return;
        LaneAffine affine(function_, 0);
        for (llvm::CallInst* const call : calls)
            if (const auto question = question_of(affine, *call))
                questions_[question->root].push_back(*question);
    }

    std::optional<Question> question_of(LaneAffine& affine, llvm::CallInst& call) {
        Value* const places = call.getArgOperand(0);
        if (lanes_of(places) < 2)
            return std::nullopt;
        const auto form = affine.form(places, 0, &call);
        // Where it holds under conditions alone, lanes may be elsewhere.
        if (!form || !form->unless.empty() || !form->base->getType()->isIntegerTy(64))
            return std::nullopt;
        const auto [root, number] = without_sums(form->base);
        const int64_t low = form->lowest();
        const int64_t high = form->highest();
        if (!is_near(number) || !is_near(low) || !is_near(high))
            return std::nullopt;
        const int64_t at = number + constant(call, 2);
        return Question{.call = &call, .root = root, .low = at + low, .end = at + high + constant(call, 6)};
    }

    // A number is a root and what was added to it, which wraps as addresses do. Each is looked at once.
    std::pair<Value*, int64_t> without_sums(Value* value) {
        std::vector<std::pair<Value*, uint64_t>> steps; // numbers, and what they add
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

    void share(const Together& together) {
        const std::vector<Question>& questions = together.questions;
        const Question& first = questions.front();
        const int64_t low = std::ranges::min(questions, {}, &Question::low).low;
        const int64_t end = std::ranges::max(questions, {}, &Question::end).end;
        ir_.SetInsertPoint(first.call);
        Value* const all =
            asked_for_all(first, low, end, first.call->getArgOperand(3), first.call->getArgOperand(4));
        ask_unless(all, *first.call);
        Value* const known = asked_again(all, first, *questions[1].call, low, end);
        for (size_t k = 1; k < questions.size(); ++k)
            ask_unless(together.behind_second[k] ? known : all, *questions[k].call);
    }

    // The first message's site ends where its own last unit would begin.
    Value* asked_for_all(const Question& first, int64_t low, int64_t end, Value* begin, Value* last) {
        Value* const lowest = ir_.CreateAdd(first.root, number(low));
        Value* const behind = ir_.CreateAdd(last, number(constant(*first.call, 6)));
        return Bounds(ir_).span_in({begin, behind}, lowest, number(end - low));
    }

    // Where the first message had to ask, its site may have become as wide as the allocation: the others need
    // not ask one by one.
    Value* asked_again(Value* all, const Question& first, llvm::CallInst& second, int64_t low, int64_t end) {
        auto* const begin = llvm::dyn_cast<llvm::LoadInst>(first.call->getArgOperand(3));
        auto* const last = llvm::dyn_cast<llvm::LoadInst>(first.call->getArgOperand(4));
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
        Value* const known = asked_for_all(first, low, end, now(*begin), now(*last));
        auto* const answer = llvm::PHINode::Create(all->getType(), 2, "", second.getParent()->begin());
        answer->addIncoming(ir_.getTrue(), before);
        answer->addIncoming(known, again->getParent());
        return answer;
    }

    // It is asked only where not all are known to be inside.
    void ask_unless(Value* all, llvm::CallInst& call) {
        llvm::BasicBlock* const before = call.getParent();
        llvm::Instruction* const asks = llvm::SplitBlockAndInsertIfElse(
            all, call.getIterator(), false,
            llvm::MDBuilder(function_.getContext()).createBranchWeights(1000, 1));
        llvm::BasicBlock* const after = call.getParent();
        call.moveBefore(asks);
        auto* const answer = llvm::PHINode::Create(call.getType(), 2, "", after->begin());
        call.replaceAllUsesWith(answer);
        answer->addIncoming(ir_.getTrue(), before);
        answer->addIncoming(&call, asks->getParent());
        for (const unsigned limit : {3U, 4U})
            take_along(call.getArgOperand(limit), *before, call);
    }

    // What nobody else wants of a site: its loads, and where it lies.
    static void take_along(Value* value, const llvm::BasicBlock& from, llvm::CallInst& call) {
        for (auto* one = llvm::dyn_cast<llvm::Instruction>(value); one != nullptr;
             one = llvm::dyn_cast<llvm::Instruction>(one->getOperand(0))) {
            const bool own = std::ranges::all_of(one->users(), [&](const llvm::User* user) {
                return llvm::cast<llvm::Instruction>(user)->getParent() == call.getParent();
            });
            if (!own || one->getParent() != &from ||
                !(llvm::isa<llvm::LoadInst, llvm::GetElementPtrInst>(one)))
                return;
            one->moveBefore(&call.getParent()->front()); // in front of what was taken before
        }
    }

    Value* number(int64_t value) { return ir_.getInt64(static_cast<uint64_t>(value)); }

    llvm::Function& function_;
    llvm::IRBuilder<> ir_;
    llvm::MapVector<Value*, std::vector<Question>> questions_; // by root
    std::map<Value*, std::pair<Value*, uint64_t>> sums_;       // what they are made of
};

} // namespace

void widen_range_checks(llvm::Function& function) {
    Sharing(function).run();
}

} // namespace visor::jit
