#include "jit/fold.h"

#include "jit/affine.h"
#include "jit/stand_in.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>

namespace visor::jit {

namespace {

using llvm::Instruction;
using llvm::Value;

constexpr uint32_t unit_bits = 32;
constexpr int64_t unit_bytes = 4;
constexpr uint32_t least_lanes = 8;
constexpr int64_t farthest = int64_t{1} << 30; // sums of two of them do not overflow
constexpr size_t most_regions = 4;

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
    return is_stand_in(call, stand_in::admits);
}

uint64_t site(const Value& number) {
    return llvm::cast<llvm::ConstantInt>(number).getZExtValue();
}

int64_t displacement(const llvm::CallInst& call) {
    return llvm::cast<llvm::ConstantInt>(call.getArgOperand(2))->getSExtValue();
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
        if (call != nullptr && is_stand_in(*call, stand_in::any))
            return is_stand_in(*call, stand_in::any_store);
        return instruction.mayHaveSideEffects();
    }

    static llvm::BasicBlock* next(const llvm::BasicBlock& block) {
        const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
        if (branch == nullptr)
            return nullptr;
        if (branch->isUnconditional())
            return branch->getSuccessor(0);
        const auto* const call = llvm::dyn_cast<llvm::CallInst>(branch->getCondition());
        return call != nullptr && is_question(*call) ? branch->getSuccessor(0) : nullptr;
    }

    llvm::DominatorTree tree_;
    llvm::Function& function_;
    std::set<const llvm::BasicBlock*> seen_;
    std::vector<Way> ways_;
};

bool is_lane_by_lane(const Instruction& instruction) {
    const auto lanes = [](const Value* value) { return lanes_of(value); };
    const auto same_lanes = [&](const Value* value) { return lanes(value) == lanes(&instruction); };
    if (!instruction.getType()->isVectorTy())
        return false;
    if (instruction.isIntDivRem())
        return false;
    if (llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst, llvm::SelectInst>(instruction))
        return llvm::all_of(instruction.operands(), same_lanes);
    if (llvm::isa<llvm::CastInst>(instruction))
        return same_lanes(instruction.getOperand(0));
    const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call != nullptr && llvm::isTriviallyVectorizable(call->getIntrinsicID()) &&
           llvm::all_of(call->args(), same_lanes);
}

// The folds of one way.
class Folding {
public:
    Folding(const Way& way, Affine& affine, const llvm::DataLayout& layout)
        : way_(way), affine_(affine), layout_(layout) {}

    std::optional<FoldedRegion> find() {
        for (size_t k = 0; k < way_.size(); ++k)
            order_[way_[k]] = k;
        for (Instruction* const code : way_)
            note(*code);
        if (rows_.size() < least_rows)
            return std::nullopt;
        FoldedRegion region;
        for (Instruction* const code : way_)
            if (members_.contains(code) && is_result(*code))
                if (auto fold = fold_of(*code);
                    fold && (region.folds.empty() || are_alike(region.folds.front(), *fold)))
                    region.folds.push_back(std::move(*fold));
        if (region.folds.empty() || !measure(region))
            return std::nullopt;
        return region;
    }

    // Of instructions of the way.
    [[nodiscard]] size_t order(const Instruction* code) const { return order_.at(code); }
    [[nodiscard]] const Way& way() const { return way_; }

private:
    void note(Instruction& code) {
        if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&code);
            call != nullptr && is_stand_in(*call, stand_in::any)) {
            note_message(*call);
        } else if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(&code)) {
            for (const Value* const from : phi->incoming_values())
                if (const auto row = flat_.find(from); row != flat_.end())
                    note_row(code, row->second);
        } else if (is_lane_by_lane(code)) {
            bool any = false;
            for (const Value* const operand : arguments(code))
                if (members_.contains(operand))
                    any = true;
                else if (!llvm::isa<llvm::Constant>(operand))
                    return;
            if (any)
                members_.insert(&code);
        }
    }

    static llvm::iterator_range<llvm::User::const_op_iterator> arguments(const Instruction& code) {
        if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&code))
            return {call->arg_begin(), call->arg_end()};
        return {code.op_begin(), code.op_end()};
    }

    void note_message(llvm::CallInst& call) {
        if (is_question(call)) {
            if (is_all(call.getArgOperand(1)))
                questions_[site(*call.getArgOperand(5))] = &call;
        } else if (is_stand_in(call, stand_in::load_surface)) {
            if (!masks_offsets(call.getArgOperand(5)) && is_all(call.getArgOperand(1)))
                if (const auto row = row_of(call, call))
                    note_row(call, *row);
        } else if (is_stand_in(call, stand_in::load_flat)) {
            const auto question = questions_.find(site(*call.getArgOperand(3)));
            if (question == questions_.end() || question->second->getArgOperand(0) != call.getArgOperand(0) ||
                displacement(*question->second) != displacement(call))
                return;
            if (const auto row = row_of(call, *question->second))
                flat_.emplace(&call, *row);
        }
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
        place->number += displacement(load);
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

    std::optional<Fold> fold_of(Instruction& result) {
        std::set<size_t> steps;
        std::vector<Instruction*> open{&result};
        while (!open.empty()) {
            Instruction* const code = open.back();
            open.pop_back();
            if (!steps.insert(order(code)).second || rows_.contains(code))
                continue;
            for (Value* const operand : code->operands())
                if (members_.contains(operand))
                    open.push_back(llvm::cast<Instruction>(operand));
        }
        Fold fold;
        size_t rows = 0;
        const Row* first = nullptr;
        for (const size_t step : steps) {
            Instruction* const code = way_[step];
            const auto row = rows_.find(code);
            if (row == rows_.end()) {
                fold.steps.push_back({.code = code});
                continue;
            }
            if (first == nullptr)
                first = &row->second;
            const Place& place = row->second.place;
            if (place.root != first->place.root || row->second.surface != first->surface ||
                row->second.bytes != first->bytes)
                return std::nullopt;
            fold.steps.push_back({.code = code, .loads = true, .at = place.number - first->place.number});
            ++rows;
        }
        if (rows < least_rows || result.getType()->getScalarSizeInBits() != unit_bits)
            return std::nullopt;
        fold.root = first->place.root;
        fold.displacement = first->place.number;
        return fold;
    }

    // Step by step the same, of the same surface.
    [[nodiscard]] bool are_alike(const Fold& one, const Fold& other) const {
        if (one.steps.size() != other.steps.size())
            return false;
        std::map<const Value*, const Value*> same;
        for (size_t k = 0; k < one.steps.size(); ++k) {
            const Fold::Step& a = one.steps[k];
            const Fold::Step& b = other.steps[k];
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
        if (!one.isSameOperationAs(&other))
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
    bool measure(FoldedRegion& region) const {
        size_t begin = way_.size();
        size_t end = 0;
        std::set<int64_t> places;
        for (const Fold& fold : region.folds) {
            end = std::max(end, order(fold.result()));
            for (const Fold::Step& step : fold.steps) {
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
        region.low = *places.begin();
        region.high = *places.rbegin();
        region.gap = INT64_MAX;
        for (auto at = places.begin(); std::next(at) != places.end(); ++at)
            region.gap = std::min(region.gap, *std::next(at) - *at);
        return places.size() >= least_rows && region.gap > region.row_bytes &&
               std::has_single_bit(static_cast<uint64_t>(region.row_bytes));
    }

    const Way& way_;
    Affine& affine_;
    const llvm::DataLayout& layout_;
    std::map<const Instruction*, size_t> order_;
    std::map<uint64_t, llvm::CallInst*> questions_; // by site
    std::map<const Value*, Row> flat_;              // loads whose results come together with others'
    std::map<const Instruction*, Row> rows_;
    std::set<const Value*> members_;
};

// What stands in the way of a region that is skipped.
class Skipping {
public:
    explicit Skipping(const Folding& folding, FoldedRegion& region, const llvm::DominatorTree& tree)
        : folding_(folding), region_(region), tree_(tree) {}

    // Whether roots are there when the region begins, and all that others look at is a result or can be made
    // before: these are put down.
    bool may() {
        for (const Fold& fold : region_.folds)
            if (!is_before(fold.root))
                return false;
        find_blocks_behind();
        const size_t end = folding_.order(region_.last);
        for (size_t k = folding_.order(region_.first); k <= end; ++k) {
            Instruction& code = *folding_.way()[k];
            std::vector<llvm::Use*> uses = uses_behind(code);
            const auto fold = std::ranges::find(region_.folds, &code, &Fold::result);
            if (fold != region_.folds.end())
                fold->uses_behind = std::move(uses);
            else if (!uses.empty() && !can_be_made_before(code))
                return false;
            else if (!uses.empty())
                region_.out.push_back(&code);
        }
        return true;
    }

private:
    [[nodiscard]] bool is_before(const Value* value) const {
        const auto* const code = llvm::dyn_cast<Instruction>(value);
        return code == nullptr || tree_.dominates(code, region_.first) ||
               std::ranges::find(region_.out, code) != region_.out.end();
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

    const Folding& folding_;
    FoldedRegion& region_;
    const llvm::DominatorTree& tree_;
    std::set<const llvm::BasicBlock*> behind_;
};

} // namespace

bool FoldedRegion::flat() const {
    return is_question(*first);
}

std::vector<FoldedRegion> find_folds(llvm::Function& function) {
    const std::vector<Way> ways = Ways(function).find();
    const llvm::DataLayout& layout = function.getParent()->getDataLayout();
    Affine affine(function, 0);
    const llvm::DominatorTree tree(function);
    std::vector<FoldedRegion> regions;
    for (const Way& way : ways) {
        if (regions.size() == most_regions)
            break;
        Folding folding(way, affine, layout);
        if (auto region = folding.find(); region && Skipping(folding, *region, tree).may())
            regions.push_back(std::move(*region));
    }
    return regions;
}

} // namespace visor::jit
