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
constexpr uint32_t min_lanes = 8;
constexpr int64_t max_distance = int64_t{1} << 30; // sums of two do not overflow
constexpr size_t max_regions = 4;
constexpr size_t visits_per_instruction = 4; // bounds reductions that are computed from other reductions

// A root plus a constant, exact modulo the width of an address.
struct Address {
    Value* root = nullptr;
    int64_t number = 0;
};

bool clears_nothing(const llvm::BinaryOperator& binary, const llvm::APInt& mask,
                    const llvm::DataLayout& layout) {
    return mask.isNegatedPowerOf2() &&
           llvm::computeKnownBits(binary.getOperand(0), layout).countMinTrailingZeros() >= mask.countr_zero();
}

std::optional<Address> address_of(Value* value, const llvm::DataLayout& layout) {
    Address address{.root = value};
    for (;;) {
        const auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(address.root);
        const auto* const by =
            binary == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(binary->getOperand(1));
        if (by == nullptr)
            return address;
        if (binary->getOpcode() == Instruction::And) {
            if (!clears_nothing(*binary, by->getValue(), layout))
                return address;
        } else if (binary->getOpcode() == Instruction::Add) {
            address.number += std::clamp(by->getSExtValue(), -max_distance, max_distance);
            if (std::abs(address.number) >= max_distance)
                return std::nullopt;
        } else {
            return address;
        }
        address.root = binary->getOperand(0);
    }
}

// A row of memory on a path.
struct Row {
    LaneIntrinsic* start = nullptr; // the load, or its range check
    Value* surface = nullptr;       // null: flat
    Address address;
    int64_t bytes = 0;
};

// A sequence of instructions that run one after the other while range checks succeed, with a single entry.
using HotPath = std::vector<Instruction*>;

// The successor on the hot path; null if unknown.
llvm::BasicBlock* next(const llvm::BasicBlock& block) {
    const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr)
        return nullptr;
    if (branch->isUnconditional())
        return branch->getSuccessor(0);
    return llvm::isa<RangeCheck>(branch->getCondition()) ? branch->getSuccessor(0) : nullptr;
}

class HotPaths {
public:
    explicit HotPaths(llvm::Function& function) : tree_(function), function_(function) {}

    std::vector<HotPath> find() {
        for (llvm::BasicBlock* const block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_))
            if (seen_.insert(block).second)
                follow(block);
        return std::move(paths_);
    }

private:
    void follow(llvm::BasicBlock* block) {
        const llvm::BasicBlock* begin = block;
        HotPath path;
        while (block != nullptr) {
            for (Instruction& instruction : *block)
                if (instruction.isTerminator()) {
                    continue;
                } else if (has_effect(instruction)) {
                    end(path);
                    begin = block;
                } else {
                    path.push_back(&instruction);
                }
            block = next(*block);
            if (block != nullptr && (!tree_.dominates(begin, block) || !seen_.insert(block).second))
                block = nullptr;
        }
        end(path);
    }

    void end(HotPath& path) {
        if (!path.empty())
            paths_.push_back(std::move(path));
        path.clear();
    }

    static bool has_effect(const Instruction& instruction) {
        return llvm::isa<MemoryIntrinsic>(instruction) ? llvm::isa<MemStore>(instruction)
                                                       : instruction.mayHaveSideEffects();
    }

    llvm::DominatorTree tree_;
    llvm::Function& function_;
    std::set<const llvm::BasicBlock*> seen_;
    std::vector<HotPath> paths_;
};

// Finds the reductions of one path.
class ReductionFinder {
public:
    ReductionFinder(const HotPath& path, LaneAffine& affine, const llvm::DataLayout& layout)
        : path_(path), affine_(affine), layout_(layout) {}

    std::optional<ReductionRegion> find() {
        for (size_t k = 0; k < path_.size(); ++k)
            order_[path_[k]] = k;
        for (Instruction* const code : path_) {
            if (code->getParent() != block_)
                before_ = std::exchange(block_, code->getParent());
            visit(*code);
        }
        if (rows_.size() < min_rows)
            return std::nullopt;
        budget_ = visits_per_instruction * path_.size();
        ReductionRegion region;
        for (Instruction* const code : path_)
            if (budget_ != 0 && members_.contains(code) && is_result(*code))
                if (auto reduction = reduction_of(*code);
                    reduction &&
                    (region.reductions.empty() || are_isomorphic(region.reductions.front(), *reduction)))
                    region.reductions.push_back(std::move(*reduction));
        if (region.reductions.empty() || !measure(region))
            return std::nullopt;
        return region;
    }

private:
    // Position of an instruction on the path.
    [[nodiscard]] size_t order(const Instruction* code) const { return order_.at(code); }

    void visit(Instruction& code) {
        if (auto* const check = llvm::dyn_cast<RangeCheck>(&code)) {
            if (is_all(check->on()))
                checks_[check->site()] = check;
        } else if (auto* const load = llvm::dyn_cast<MemLoad>(&code)) {
            visit_load(*load);
        } else if (llvm::isa<MemoryIntrinsic>(code)) {
            return;
        } else if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(&code)) {
            const bool follows = before_ != nullptr && next(*before_) == block_;
            const int index = follows ? phi->getBasicBlockIndex(before_) : -1;
            if (index >= 0)
                if (const auto row = flat_.find(phi->getIncomingValue(static_cast<unsigned>(index)));
                    row != flat_.end())
                    add_row(code, row->second);
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

    void visit_load(MemLoad& load) {
        if (!load.flat()) {
            if (is_one_surface(load) && is_all(load.on()))
                if (const auto row = row_of(load, load))
                    add_row(load, *row);
            return;
        }
        const auto check = checks_.find(load.site());
        if (check == checks_.end() || check->second->addresses() != load.addresses() ||
            check->second->displacement() != load.displacement())
            return;
        if (const auto row = row_of(load, *check->second))
            flat_.emplace(&load, *row);
    }

    // Uniform over threads; a displacement would wrap with the offset.
    static bool is_one_surface(const MemLoad& load) {
        const auto* const data = llvm::dyn_cast<Instruction>(load.data());
        return loads_shared_surface(load) && load.displacement() == 0 &&
               (data == nullptr || data->getParent()->isEntryBlock());
    }

    std::optional<Row> row_of(MemLoad& load, LaneIntrinsic& start) {
        Value* const addresses = load.addresses();
        const uint32_t lanes = lanes_of(addresses);
        if (lanes < min_lanes || !load.getType()->isVectorTy() ||
            load.getType()->getScalarSizeInBits() != unit_bits)
            return std::nullopt;
        const auto form = affine_.form(addresses, 0, &start);
        if (!form || !form->conditions.empty())
            return std::nullopt;
        for (size_t k = 0; k < form->steps.size(); ++k)
            if (form->steps[k] != static_cast<int64_t>(k) * unit_bytes)
                return std::nullopt;
        auto address = address_of(form->base, layout_);
        if (!address)
            return std::nullopt;
        address->number += load.displacement();
        return Row{.start = &start,
                   .surface = load.flat() ? nullptr : load.data(),
                   .address = *address,
                   .bytes = lanes * unit_bytes};
    }

    void add_row(Instruction& code, const Row& row) {
        rows_.emplace(&code, row);
        members_.insert(&code);
    }

    // It has a user outside of reductions.
    [[nodiscard]] bool is_result(const Instruction& code) const {
        return llvm::any_of(code.users(), [&](const llvm::User* user) { return !members_.contains(user); });
    }

    std::optional<LoadReduction> reduction_of(Instruction& result) {
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
            Instruction* const code = path_[step];
            const auto row = rows_.find(code);
            if (row == rows_.end()) {
                reduction.steps.push_back({.code = code});
                continue;
            }
            if (first == nullptr)
                first = &row->second;
            const Address& address = row->second.address;
            if (address.root != first->address.root || row->second.surface != first->surface ||
                row->second.bytes != first->bytes)
                return std::nullopt;
            reduction.steps.push_back(
                {.code = code, .loads = true, .at = address.number - first->address.number});
            ++rows;
        }
        if (rows < min_rows || result.getType()->getScalarSizeInBits() != unit_bits)
            return std::nullopt;
        reduction.root = first->address.root;
        reduction.displacement = first->address.number;
        return reduction;
    }

    // Step by step the same operations, on the same surface.
    [[nodiscard]] bool are_isomorphic(const LoadReduction& one, const LoadReduction& other) const {
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

    // Computes the region's bounds and row layout. False if the rows of neighboring threads would overlap.
    bool measure(ReductionRegion& region) const {
        size_t begin = path_.size();
        size_t end = 0;
        std::set<int64_t> offsets;
        for (const LoadReduction& reduction : region.reductions) {
            end = std::max(end, order(reduction.result()));
            for (const LoadReduction::Step& step : reduction.steps) {
                if (!step.loads)
                    continue;
                const Row& row = rows_.at(step.code);
                if (order(row.start) < begin) {
                    begin = order(row.start);
                    region.first = row.start;
                    region.row_bytes = row.bytes;
                }
                offsets.insert(step.at);
            }
        }
        region.last = path_[end];
        for (size_t k = begin; k <= end; ++k)
            if (region.blocks.empty() || region.blocks.back() != path_[k]->getParent())
                region.blocks.push_back(path_[k]->getParent());
        region.low = *offsets.begin();
        region.high = *offsets.rbegin();
        region.gap = INT64_MAX;
        for (auto at = offsets.begin(); std::next(at) != offsets.end(); ++at)
            region.gap = std::min(region.gap, *std::next(at) - *at);
        return offsets.size() >= min_rows && region.gap > region.row_bytes &&
               std::has_single_bit(static_cast<uint64_t>(region.row_bytes));
    }

    const HotPath& path_;
    LaneAffine& affine_;
    const llvm::DataLayout& layout_;
    const llvm::BasicBlock* block_ = nullptr;  // the path's current block
    const llvm::BasicBlock* before_ = nullptr; // and its predecessor on the path
    std::map<const Instruction*, size_t> order_;
    std::map<uint32_t, RangeCheck*> checks_; // by site
    std::map<const Value*, Row> flat_;       // loads whose phis merge several results
    std::map<const Instruction*, Row> rows_;
    std::set<const Value*> members_;
    size_t budget_ = 0;
};

// Checks whether a region may be skipped. Runs after all regions are found, so that it also sees the scalar
// code inserted meanwhile (analysis/lane_affine.h).
class RegionSkip {
public:
    RegionSkip(ReductionRegion& region, const std::set<const Value*>& roots, const llvm::DominatorTree& tree)
        : region_(region), roots_(roots), tree_(tree) {}

    // True if roots are available before the region, and every value with uses outside is a result or can be
    // hoisted. Records both.
    bool can_skip() {
        if (!tree_.dominates(region_.first->getParent(), region_.last->getParent()))
            return false;
        for (const LoadReduction& reduction : region_.reductions)
            if (!is_available(reduction.root))
                return false;
        find_blocks_after();
        std::vector<Instruction*> inside;
        for (llvm::BasicBlock* const block : region_.blocks)
            for (Instruction& code : *block)
                if (is_inside(code))
                    inside.push_back(&code);
        for (Instruction* const code : inside | std::views::reverse)
            find_demanded(*code);
        for (Instruction* const code : inside)
            if (demanded_.contains(code)) {
                if (!can_hoist(*code))
                    return false;
                region_.hoisted.push_back(code);
                before_.insert(code);
            }
        return true;
    }

private:
    [[nodiscard]] bool is_inside(const Instruction& code) const {
        const bool precedes =
            code.getParent() == region_.first->getParent() && code.comesBefore(region_.first);
        const bool follows =
            code.getParent() == region_.last->getParent() && region_.last->comesBefore(&code);
        return !precedes && !follows && !code.isTerminator();
    }

    // Values with uses outside the region, and their operands, without results.
    void find_demanded(Instruction& code) {
        std::vector<llvm::Use*> uses = uses_after(code);
        const auto reduction = std::ranges::find(region_.reductions, &code, &LoadReduction::result);
        if (reduction != region_.reductions.end())
            reduction->uses_after = std::move(uses);
        else if (!uses.empty() || roots_.contains(&code))
            demanded_.insert(&code);
        if (demanded_.contains(&code))
            for (const Value* const operand : code.operands())
                if (const auto* const definition = llvm::dyn_cast<Instruction>(operand);
                    definition != nullptr && !tree_.dominates(definition, region_.first))
                    demanded_.insert(definition);
    }

    [[nodiscard]] bool is_available(const Value* value) const {
        const auto* const code = llvm::dyn_cast<Instruction>(value);
        return code == nullptr || before_.contains(code) || tree_.dominates(code, region_.first);
    }

    // Blocks that run after the region before it runs again.
    void find_blocks_after() {
        std::vector<const llvm::BasicBlock*> open{region_.last->getParent()};
        while (!open.empty()) {
            const llvm::BasicBlock* const block = open.back();
            open.pop_back();
            for (const llvm::BasicBlock* const next : llvm::successors(block))
                if (next != region_.first->getParent() && after_.insert(next).second)
                    open.push_back(next);
        }
    }

    [[nodiscard]] std::vector<llvm::Use*> uses_after(Instruction& code) const {
        std::vector<llvm::Use*> uses;
        for (llvm::Use& use : code.uses()) {
            const auto* const user = llvm::cast<Instruction>(use.getUser());
            const auto* const phi = llvm::dyn_cast<llvm::PHINode>(user);
            const llvm::BasicBlock* const block =
                phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
            const bool in_tail =
                block == region_.last->getParent() && (phi != nullptr || region_.last->comesBefore(user));
            if (after_.contains(block) || in_tail)
                uses.push_back(&use);
        }
        return uses;
    }

    [[nodiscard]] bool can_hoist(const Instruction& code) const {
        return !llvm::isa<llvm::PHINode>(code) && !code.mayReadOrWriteMemory() &&
               llvm::isSafeToSpeculativelyExecute(&code) &&
               llvm::all_of(code.operands(), [&](const Value* operand) { return is_available(operand); });
    }

    ReductionRegion& region_;
    const std::set<const Value*>& roots_; // of all regions
    const llvm::DominatorTree& tree_;
    std::set<const llvm::BasicBlock*> after_;
    std::set<const Value*> demanded_;
    std::set<const Value*> before_; // available before the region
};

} // namespace

bool ReductionRegion::flat() const {
    return llvm::isa<RangeCheck>(first);
}

std::vector<ReductionRegion> find_load_reductions(llvm::Function& function) {
    const std::vector<HotPath> paths = HotPaths(function).find();
    const llvm::DataLayout& layout = function.getParent()->getDataLayout();
    LaneAffine affine(function, 0);
    std::vector<ReductionRegion> found;
    for (const HotPath& path : paths)
        if (found.size() < max_regions)
            if (auto region = ReductionFinder(path, affine, layout).find())
                found.push_back(std::move(*region));
    std::set<const Value*> roots;
    for (const ReductionRegion& region : found)
        for (const LoadReduction& reduction : region.reductions)
            roots.insert(reduction.root);
    const llvm::DominatorTree tree(function);
    std::erase_if(found,
                  [&](ReductionRegion& region) { return !RegionSkip(region, roots, tree).can_skip(); });
    return found;
}

} // namespace visor::jit
