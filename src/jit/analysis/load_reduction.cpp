#include "jit/analysis/load_reduction.h"

#include "jit/analysis/lane_affine.h"
#include "jit/analysis/memory_effects.h"
#include "jit/ir/elementwise.h"
#include "jit/ir/memory_intrinsics.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

namespace visor::jit {

namespace {

using llvm::Instruction;
using llvm::Value;

constexpr uint32_t unit_bits = 32;
constexpr int64_t unit_bytes = 4;
constexpr uint32_t least_lanes = 8;
constexpr int64_t farthest = int64_t{1} << 30; // sums of two of them do not overflow
constexpr size_t most_regions = 4;
constexpr size_t looks = 4; // at each instruction of a way: results that are made of others would take more

// A root and what was added to it, exactly: in the width of an address, which wraps.
struct Place {
    Value* root = nullptr;
    int64_t number = 0;
};

bool clears_nothing(const llvm::BinaryOperator& binary, const llvm::APInt& mask,
                    const llvm::DataLayout& layout) {
    return mask.isNegatedPowerOf2() &&
           llvm::computeKnownBits(binary.getOperand(0), layout).countMinTrailingZeros() >= mask.countr_zero();
}

std::optional<Place> place_of(Value* value, const llvm::DataLayout& layout) {
    Place place{.root = value};
    for (;;) {
        const auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(place.root);
        const auto* const by =
            binary == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(binary->getOperand(1));
        if (by == nullptr)
            return place;
        if (binary->getOpcode() == Instruction::And) {
            if (!clears_nothing(*binary, by->getValue(), layout))
                return place;
        } else if (binary->getOpcode() == Instruction::Add) {
            place.number += std::clamp(by->getSExtValue(), -farthest, farthest);
            if (std::abs(place.number) >= farthest)
                return std::nullopt;
        } else {
            return place;
        }
        place.root = binary->getOperand(0);
    }
}

bool is_question(const llvm::CallInst& call) {
    return is_memory_intrinsic(call, intrinsics::admits);
}

uint64_t site(const Value& number) {
    return llvm::cast<llvm::ConstantInt>(number).getZExtValue();
}

// A row of memory as the way comes to it.
struct Row {
    llvm::CallInst* begins = nullptr; // the message, or what asks for its places
    Value* surface = nullptr;         // null: flat
    Place place;
    int64_t bytes = 0;
};

// Code that runs one instruction after the other as long as every question has its likely answer, and that
// nobody else can look into.
using Way = std::vector<Instruction*>;

// Where the hot path goes on; null: nobody knows.
llvm::BasicBlock* next(const llvm::BasicBlock& block) {
    const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr)
        return nullptr;
    if (branch->isUnconditional())
        return branch->getSuccessor(0);
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(branch->getCondition());
    return call != nullptr && is_question(*call) ? branch->getSuccessor(0) : nullptr;
}

class Ways {
public:
    explicit Ways(llvm::Function& function) : tree_(function), function_(function) {}

    std::vector<Way> find() {
        for (llvm::BasicBlock* const block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_))
            if (seen_.insert(block).second)
                follow(block);
        return std::move(ways_);
    }

private:
    void follow(llvm::BasicBlock* block) {
        const llvm::BasicBlock* begin = block;
        Way way;
        while (block != nullptr) {
            for (Instruction& instruction : *block)
                if (instruction.isTerminator()) {
                    continue;
                } else if (has_effect(instruction)) {
                    end(way);
                    begin = block;
                } else {
                    way.push_back(&instruction);
                }
            block = next(*block);
            if (block != nullptr && (!tree_.dominates(begin, block) || !seen_.insert(block).second))
                block = nullptr;
        }
        end(way);
    }

    void end(Way& way) {
        if (!way.empty())
            ways_.push_back(std::move(way));
        way.clear();
    }

    static bool has_effect(const Instruction& instruction) {
        const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (call != nullptr && is_memory_intrinsic(*call, intrinsics::any))
            return is_memory_intrinsic(*call, intrinsics::any_store);
        return instruction.mayHaveSideEffects();
    }

    llvm::DominatorTree tree_;
    llvm::Function& function_;
    std::set<const llvm::BasicBlock*> seen_;
    std::vector<Way> ways_;
};

// The folds of one way.
class Folding {
public:
    Folding(const Way& way, LaneAffine& affine, const llvm::DataLayout& layout)
        : way_(way), affine_(affine), layout_(layout) {}

    std::optional<ReductionRegion> find() {
        for (size_t k = 0; k < way_.size(); ++k)
            order_[way_[k]] = k;
        for (Instruction* const code : way_) {
            if (code->getParent() != block_)
                before_ = std::exchange(block_, code->getParent());
            note(*code);
        }
        if (rows_.size() < least_rows)
            return std::nullopt;
        budget_ = looks * way_.size();
        ReductionRegion region;
        for (Instruction* const code : way_)
            if (budget_ != 0 && members_.contains(code) && is_result(*code))
                if (auto reduction = fold_of(*code);
                    reduction &&
                    (region.reductions.empty() || are_alike(region.reductions.front(), *reduction)))
                    region.reductions.push_back(std::move(*reduction));
        if (region.reductions.empty() || !measure(region))
            return std::nullopt;
        return region;
    }

private:
    // Of instructions of the way.
    [[nodiscard]] size_t order(const Instruction* code) const { return order_.at(code); }

    void note(Instruction& code) {
        if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&code);
            call != nullptr && is_memory_intrinsic(*call, intrinsics::any)) {
            note_message(*call);
        } else if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(&code)) {
            const bool follows = before_ != nullptr && next(*before_) == block_;
            const int index = follows ? phi->getBasicBlockIndex(before_) : -1;
            if (index >= 0)
                if (const auto row = flat_.find(phi->getIncomingValue(static_cast<unsigned>(index)));
                    row != flat_.end())
                    note_row(code, row->second);
        } else if (is_elementwise(code, lanes_of(&code))) {
            bool any = false;
            for (const Value* const operand : code.operands())
                if (members_.contains(operand))
                    any = true;
                else if (!llvm::isa<llvm::Constant>(operand))
                    return;
            if (any)
                members_.insert(&code);
        }
    }

    void note_message(llvm::CallInst& call) {
        if (is_question(call)) {
            if (is_all(call.getArgOperand(1)))
                questions_[site(*call.getArgOperand(5))] = &call;
        } else if (is_memory_intrinsic(call, intrinsics::load_surface)) {
            if (is_one_surface(call) && is_all(call.getArgOperand(1)))
                if (const auto row = row_of(call, call))
                    note_row(call, *row);
        } else if (is_memory_intrinsic(call, intrinsics::load_flat)) {
            const auto question = questions_.find(site(*call.getArgOperand(3)));
            if (question == questions_.end() || question->second->getArgOperand(0) != call.getArgOperand(0) ||
                displacement_of(*question->second) != displacement_of(call))
                return;
            if (const auto row = row_of(call, *question->second))
                flat_.emplace(&call, *row);
        }
    }

    // The same for all threads; displacements do not wrap with the offset.
    static bool is_one_surface(const llvm::CallInst& load) {
        const auto* const data = llvm::dyn_cast<Instruction>(load.getArgOperand(3));
        return loads_shared_surface(load) && displacement_of(load) == 0 &&
               (data == nullptr || data->getParent()->isEntryBlock());
    }

    std::optional<Row> row_of(llvm::CallInst& load, llvm::CallInst& begins) {
        Value* const places = load.getArgOperand(0);
        const uint32_t lanes = lanes_of(places);
        if (lanes < least_lanes || !load.getType()->isVectorTy() ||
            load.getType()->getScalarSizeInBits() != unit_bits)
            return std::nullopt;
        const auto form = affine_.form(places, 0, &begins);
        if (!form || !form->unless.empty())
            return std::nullopt;
        for (size_t k = 0; k < form->steps.size(); ++k)
            if (form->steps[k] != static_cast<int64_t>(k) * unit_bytes)
                return std::nullopt;
        auto place = place_of(form->base, layout_);
        if (!place)
            return std::nullopt;
        place->number += displacement_of(load);
        return Row{.begins = &begins,
                   .surface = is_question(begins) ? nullptr : load.getArgOperand(3),
                   .place = *place,
                   .bytes = lanes * unit_bytes};
    }

    void note_row(Instruction& code, const Row& row) {
        rows_.emplace(&code, row);
        members_.insert(&code);
    }

    // Somebody looks at it who is no part of a fold.
    [[nodiscard]] bool is_result(const Instruction& code) const {
        return llvm::any_of(code.users(), [&](const llvm::User* user) { return !members_.contains(user); });
    }

    std::optional<LoadReduction> fold_of(Instruction& result) {
        std::set<size_t> steps;
        std::vector<Instruction*> open{&result};
        while (!open.empty()) {
            Instruction* const code = open.back();
            open.pop_back();
            if (!steps.insert(order(code)).second || rows_.contains(code))
                continue;
            if (budget_ == 0)
                return std::nullopt;
            --budget_;
            for (Value* const operand : code->operands())
                if (members_.contains(operand))
                    open.push_back(llvm::cast<Instruction>(operand));
        }
        LoadReduction reduction;
        size_t rows = 0;
        const Row* first = nullptr;
        for (const size_t step : steps) {
            Instruction* const code = way_[step];
            const auto row = rows_.find(code);
            if (row == rows_.end()) {
                reduction.steps.push_back({.code = code});
                continue;
            }
            if (first == nullptr)
                first = &row->second;
            const Place& place = row->second.place;
            if (place.root != first->place.root || row->second.surface != first->surface ||
                row->second.bytes != first->bytes)
                return std::nullopt;
            reduction.steps.push_back(
                {.code = code, .loads = true, .at = place.number - first->place.number});
            ++rows;
        }
        if (rows < least_rows || result.getType()->getScalarSizeInBits() != unit_bits)
            return std::nullopt;
        reduction.root = first->place.root;
        reduction.displacement = first->place.number;
        return reduction;
    }

    // Step by step the same, of the same surface.
    [[nodiscard]] bool are_alike(const LoadReduction& one, const LoadReduction& other) const {
        if (one.steps.size() != other.steps.size())
            return false;
        std::map<const Value*, const Value*> same;
        for (size_t k = 0; k < one.steps.size(); ++k) {
            const LoadReduction::Step& a = one.steps[k];
            const LoadReduction::Step& b = other.steps[k];
            if (a.loads != b.loads || a.at != b.at || a.code->getType() != b.code->getType())
                return false;
            if (a.loads ? rows_.at(a.code).surface != rows_.at(b.code).surface
                        : !is_same_operation(*a.code, *b.code, same))
                return false;
            same[a.code] = b.code;
        }
        return one.root->getType() == other.root->getType();
    }

    static bool is_same_operation(const Instruction& one, const Instruction& other,
                                  const std::map<const Value*, const Value*>& same) {
        if (!one.isSameOperationAs(&other) || !one.hasSameSubclassOptionalData(&other))
            return false;
        for (unsigned k = 0; k < one.getNumOperands(); ++k) {
            const auto found = same.find(one.getOperand(k));
            const Value* const expected = found == same.end() ? one.getOperand(k) : found->second;
            if (other.getOperand(k) != expected)
                return false;
        }
        return true;
    }

    // Where the region begins and ends, and how its rows lie. False: they lie as no other thread's can.
    bool measure(ReductionRegion& region) const {
        size_t begin = way_.size();
        size_t end = 0;
        std::set<int64_t> places;
        for (const LoadReduction& reduction : region.reductions) {
            end = std::max(end, order(reduction.result()));
            for (const LoadReduction::Step& step : reduction.steps) {
                if (!step.loads)
                    continue;
                const Row& row = rows_.at(step.code);
                if (order(row.begins) < begin) {
                    begin = order(row.begins);
                    region.first = row.begins;
                    region.row_bytes = row.bytes;
                }
                places.insert(step.at);
            }
        }
        region.last = way_[end];
        for (size_t k = begin; k <= end; ++k)
            if (region.blocks.empty() || region.blocks.back() != way_[k]->getParent())
                region.blocks.push_back(way_[k]->getParent());
        region.low = *places.begin();
        region.high = *places.rbegin();
        region.gap = INT64_MAX;
        for (auto at = places.begin(); std::next(at) != places.end(); ++at)
            region.gap = std::min(region.gap, *std::next(at) - *at);
        return places.size() >= least_rows && region.gap > region.row_bytes &&
               std::has_single_bit(static_cast<uint64_t>(region.row_bytes));
    }

    const Way& way_;
    LaneAffine& affine_;
    const llvm::DataLayout& layout_;
    const llvm::BasicBlock* block_ = nullptr;  // that the way is in,
    const llvm::BasicBlock* before_ = nullptr; // and that it was in before
    std::map<const Instruction*, size_t> order_;
    std::map<uint64_t, llvm::CallInst*> questions_; // by site
    std::map<const Value*, Row> flat_;              // loads whose results come together with others'
    std::map<const Instruction*, Row> rows_;
    std::set<const Value*> members_;
    size_t budget_ = 0;
};

// What stands in the way of a region that is skipped. Numbers that were added meanwhile
// (analysis/lane_affine.h) are looked at as all else is: no region is asked before all have been found.
class Skipping {
public:
    Skipping(ReductionRegion& region, const std::set<const Value*>& roots, const llvm::DominatorTree& tree)
        : region_(region), roots_(roots), tree_(tree) {}

    // Whether roots are there when the region begins, and all that others look at is a result or can be made
    // before: these are put down.
    bool may() {
        if (!tree_.dominates(region_.first->getParent(), region_.last->getParent()))
            return false;
        for (const LoadReduction& reduction : region_.reductions)
            if (!is_before(reduction.root))
                return false;
        find_blocks_behind();
        std::vector<Instruction*> inside;
        for (llvm::BasicBlock* const block : region_.blocks)
            for (Instruction& code : *block)
                if (is_inside(code))
                    inside.push_back(&code);
        for (Instruction* const code : inside | std::views::reverse)
            note_wanted(*code);
        for (Instruction* const code : inside)
            if (wanted_.contains(code)) {
                if (!can_be_made_before(*code))
                    return false;
                region_.out.push_back(code);
                before_.insert(code);
            }
        return true;
    }

private:
    [[nodiscard]] bool is_inside(const Instruction& code) const {
        const bool late = code.getParent() == region_.first->getParent() && code.comesBefore(region_.first);
        const bool early = code.getParent() == region_.last->getParent() && region_.last->comesBefore(&code);
        return !late && !early && !code.isTerminator();
    }

    // What others look at, and what that is made of, but for results.
    void note_wanted(Instruction& code) {
        std::vector<llvm::Use*> uses = uses_behind(code);
        const auto reduction = std::ranges::find(region_.reductions, &code, &LoadReduction::result);
        if (reduction != region_.reductions.end())
            reduction->uses_behind = std::move(uses);
        else if (!uses.empty() || roots_.contains(&code))
            wanted_.insert(&code);
        if (wanted_.contains(&code))
            for (const Value* const operand : code.operands())
                if (const auto* const made = llvm::dyn_cast<Instruction>(operand);
                    made != nullptr && !tree_.dominates(made, region_.first))
                    wanted_.insert(made);
    }

    [[nodiscard]] bool is_before(const Value* value) const {
        const auto* const code = llvm::dyn_cast<Instruction>(value);
        return code == nullptr || before_.contains(code) || tree_.dominates(code, region_.first);
    }

    // What runs behind the region before it begins again.
    void find_blocks_behind() {
        std::vector<const llvm::BasicBlock*> open{region_.last->getParent()};
        while (!open.empty()) {
            const llvm::BasicBlock* const block = open.back();
            open.pop_back();
            for (const llvm::BasicBlock* const next : llvm::successors(block))
                if (next != region_.first->getParent() && behind_.insert(next).second)
                    open.push_back(next);
        }
    }

    [[nodiscard]] std::vector<llvm::Use*> uses_behind(Instruction& code) const {
        std::vector<llvm::Use*> uses;
        for (llvm::Use& use : code.uses()) {
            const auto* const user = llvm::cast<Instruction>(use.getUser());
            const auto* const phi = llvm::dyn_cast<llvm::PHINode>(user);
            const llvm::BasicBlock* const block =
                phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
            const bool at_the_end =
                block == region_.last->getParent() && (phi != nullptr || region_.last->comesBefore(user));
            if (behind_.contains(block) || at_the_end)
                uses.push_back(&use);
        }
        return uses;
    }

    [[nodiscard]] bool can_be_made_before(const Instruction& code) const {
        return !llvm::isa<llvm::PHINode>(code) && !code.mayReadOrWriteMemory() &&
               llvm::isSafeToSpeculativelyExecute(&code) &&
               llvm::all_of(code.operands(), [&](const Value* operand) { return is_before(operand); });
    }

    ReductionRegion& region_;
    const std::set<const Value*>& roots_; // of all regions
    const llvm::DominatorTree& tree_;
    std::set<const llvm::BasicBlock*> behind_;
    std::set<const Value*> wanted_;
    std::set<const Value*> before_; // will have been made when the region begins
};

} // namespace

bool ReductionRegion::flat() const {
    return is_question(*first);
}

std::vector<ReductionRegion> find_load_reductions(llvm::Function& function) {
    const std::vector<Way> ways = Ways(function).find();
    const llvm::DataLayout& layout = function.getParent()->getDataLayout();
    LaneAffine affine(function, 0);
    std::vector<ReductionRegion> found;
    for (const Way& way : ways)
        if (found.size() < most_regions)
            if (auto region = Folding(way, affine, layout).find())
                found.push_back(std::move(*region));
    std::set<const Value*> roots;
    for (const ReductionRegion& region : found)
        for (const LoadReduction& reduction : region.reductions)
            roots.insert(reduction.root);
    const llvm::DominatorTree tree(function);
    std::erase_if(found, [&](ReductionRegion& region) { return !Skipping(region, roots, tree).may(); });
    return found;
}

} // namespace visor::jit
