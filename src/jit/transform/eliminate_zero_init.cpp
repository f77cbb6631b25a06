// Symbolic execution of blocks with the constant values of loop counters: a loop of sixteen iterations gives
// sixteen states of its blocks. Equal states are merged: their written bytes are intersected.
#include "jit/transform/eliminate_zero_init.h"

#include "jit/engine/runtime_calls.h"
#include "jit/ir/memory_intrinsics.h"
#include "jit/ir/runtime_call.h"
#include "jit/ir/thread_entry.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace visor::jit {

namespace {

using llvm::BasicBlock;
using llvm::Constant;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

constexpr uint32_t max_bytes = 1U << 16U; // of a scratch block
constexpr size_t max_visits = 1U << 14U;  // of blocks
constexpr size_t max_states = 64;         // of a block, with constant counters
constexpr unsigned max_operations = 32;   // in a chain that computes a number

class Paths {
public:
    Paths(llvm::Function& function, uint32_t bytes)
        : data_(function.getParent()->getDataLayout()), bytes_(bytes), tree_(function), loops_(tree_) {}

    // From `begin` to wherever control leaves, or reaches `begin` again.
    bool writes_first(BasicBlock& begin) {
        begin_ = &begin;
        enter(begin, {}, llvm::BitVector(bytes_));
        for (size_t visits = 0; !open_.empty(); ++visits) {
            if (visits == max_visits)
                return false;
            const auto state = open_.back();
            open_.pop_back();
            if (!visit(state))
                return false;
        }
        return true;
    }

private:
    using Numbers = std::map<const PHINode*, Constant*>;
    using State = std::pair<BasicBlock*, Numbers>;

    void enter(BasicBlock& block, Numbers numbers, const llvm::BitVector& written) {
        if (state_counts_[&block] >= max_states)
            for (const PHINode& phi : block.phis())
                numbers.erase(&phi);
        State state{&block, std::move(numbers)};
        const auto known = written_.find(state);
        if (known == written_.end()) {
            ++state_counts_[&block];
            written_.emplace(state, written);
        } else {
            llvm::BitVector both = known->second;
            both &= written;
            if (both == known->second)
                return;
            known->second = std::move(both);
        }
        open_.push_back(std::move(state));
    }

    // False: it may read bytes that are not written yet.
    bool visit(const State& state) {
        const auto& [block, numbers] = state;
        folded_.clear();
        llvm::BitVector written = written_.at(state);
        for (Instruction& code : *block) {
            if (reads_scratch(code))
                return false;
            const auto* const access = llvm::dyn_cast<MemAccess>(&code);
            if (access == nullptr || !access->scratch())
                continue;
            const bool store = access->stores();
            const std::optional<llvm::BitVector> offsets = offsets_of(*access, numbers);
            if (store && offsets)
                written |= *offsets;
            if (!store && (!offsets || !is_in(*offsets, written)))
                return false;
        }
        for (BasicBlock* const next : next_of(*block->getTerminator(), numbers))
            if (next != begin_)
                enter(*next, numbers_after(*block, *next, numbers), written);
        return true;
    }

    static bool is_in(const llvm::BitVector& some, const llvm::BitVector& all) {
        llvm::BitVector left = some;
        left.reset(all);
        return left.none();
    }

    // None: unknown. Of a store only the bytes that it certainly writes.
    std::optional<llvm::BitVector> offsets_of(const MemAccess& access, const Numbers& numbers) {
        const bool store = access.stores();
        Constant* const offsets = folded(access.addresses(), numbers, 0);
        const auto* const mask = llvm::dyn_cast<llvm::ConstantInt>(access.offset_mask());
        if (offsets == nullptr || mask == nullptr || !mask->isMinusOne())
            return {};
        Constant* const on = store ? folded(access.on(), numbers, 0) : nullptr;
        const uint64_t unit = access.unit_bits() / 8;
        llvm::BitVector all(bytes_);
        for (uint32_t lane = 0; lane < lanes_of(offsets); ++lane) {
            if (store && (on == nullptr || !is_one(on->getAggregateElement(lane))))
                continue;
            const auto* const offset =
                llvm::dyn_cast_or_null<llvm::ConstantInt>(offsets->getAggregateElement(lane));
            if (offset == nullptr)
                return {};
            const uint64_t first = offset->getZExtValue() + access.displacement();
            if (first + unit > bytes_)
                return {};
            all.set(static_cast<unsigned>(first), static_cast<unsigned>(first + unit));
        }
        return all;
    }
    static bool is_one(const Constant* lane) {
        const auto* const number = llvm::dyn_cast_or_null<llvm::ConstantInt>(lane);
        return number != nullptr && number->isOne();
    }

    // All possible successors.
    std::vector<BasicBlock*> next_of(Instruction& end, const Numbers& numbers) {
        if (auto* const branch = llvm::dyn_cast<llvm::BranchInst>(&end); branch && branch->isConditional())
            if (const auto* const known =
                    llvm::dyn_cast_or_null<llvm::ConstantInt>(folded(branch->getCondition(), numbers, 0)))
                return {branch->getSuccessor(known->isOne() ? 0 : 1)};
        std::vector<BasicBlock*> all;
        for (unsigned k = 0; k < end.getNumSuccessors(); ++k)
            all.push_back(end.getSuccessor(k));
        return all;
    }

    // Drops a loop's counters after the loop.
    Numbers numbers_after(BasicBlock& from, BasicBlock& to, const Numbers& numbers) {
        Numbers after;
        for (const auto& [phi, number] : numbers)
            if (const llvm::Loop* const loop = loops_.getLoopFor(phi->getParent());
                phi->getParent() != &to && loop != nullptr && loop->contains(&to))
                after[phi] = number;
        for (PHINode& phi : to.phis()) {
            auto* const known = phi.getType()->isIntegerTy()
                                    ? folded(phi.getIncomingValueForBlock(&from), numbers, 0)
                                    : nullptr;
            if (llvm::isa_and_nonnull<llvm::ConstantInt>(known) && loops_.isLoopHeader(&to))
                after[&phi] = known;
        }
        return after;
    }

    // Null: not a constant in this state.
    Constant* folded(Value* value, const Numbers& numbers, unsigned depth) {
        if (auto* const constant = llvm::dyn_cast<Constant>(value))
            return llvm::ConstantFoldConstant(constant, data_);
        if (const auto* const phi = llvm::dyn_cast<PHINode>(value)) {
            const auto known = numbers.find(phi);
            return known == numbers.end() ? nullptr : known->second;
        }
        auto* const code = llvm::dyn_cast<Instruction>(value);
        if (code == nullptr || depth == max_operations ||
            !(code->isBinaryOp() || code->isCast() ||
              llvm::isa<llvm::CmpInst, llvm::SelectInst, llvm::ShuffleVectorInst, llvm::InsertElementInst,
                        llvm::ExtractElementInst>(code)))
            return nullptr;
        if (const auto known = folded_.find(code); known != folded_.end())
            return known->second;
        llvm::SmallVector<Constant*> operands;
        for (Value* const operand : code->operands()) {
            operands.push_back(folded(operand, numbers, depth + 1));
            if (operands.back() == nullptr)
                return folded_[code] = nullptr;
        }
        return folded_[code] = llvm::ConstantFoldInstOperands(code, operands, data_);
    }

    const llvm::DataLayout& data_;
    uint32_t bytes_;
    llvm::DominatorTree tree_;
    llvm::LoopInfo loops_;
    const BasicBlock* begin_ = nullptr;
    std::map<State, llvm::BitVector> written_; // at the state's begin
    std::map<const BasicBlock*, size_t> state_counts_;
    std::vector<State> open_;
    std::map<const Instruction*, Constant*> folded_; // in the current state
};

} // namespace

void eliminate_zero_init(llvm::Function& function, uint32_t scratch_bytes) {
    ClearCall* clear = nullptr;
    BasicBlock* begin = nullptr;
    for (Instruction& code : llvm::instructions(function)) {
        if (auto* const found = llvm::dyn_cast<ClearCall>(&code); found && found->follows_whole_threads())
            clear = found;
        if (llvm::isa<ThreadStart>(code))
            begin = code.getParent();
    }
    if (clear == nullptr || begin == nullptr || scratch_bytes > max_bytes || reads_scratch(function) ||
        !Paths(function, scratch_bytes).writes_first(*begin))
        return;
    clear->set_what(clear->what() & ~clear_scratch);
}

} // namespace visor::jit
