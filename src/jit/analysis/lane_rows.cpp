#include "jit/analysis/lane_rows.h"

#include "jit/analysis/branch_weights.h"
#include "jit/analysis/induction_step.h"
#include "jit/analysis/memory_effects.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include <algorithm>
#include <map>
#include <set>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr uint32_t unit_bits = 32;
constexpr uint32_t least_lanes = 8;
constexpr uint32_t part_lanes = 16; // have forms of their own
constexpr size_t most_walks = 16;   // each has its lines on the stack
// Lanes nearer to each other share lines, and have better ways.
constexpr int64_t near_bytes = line_bytes / 2;
class Finding {
public:
    Finding(llvm::Function& function, bool eager)
        : function_(function), tree_(function), loops_(tree_), whole_(function, 0),
          parts_(function, part_lanes), eager_(eager) {}

    LaneRows run() {
        note_admits();
        for (const llvm::Loop* const loop : loops_.getLoopsInPreorder())
            if (loop->isInnermost() && found_.all.size() < most_walks)
                look_at(*loop);
        return std::move(found_);
    }

private:
    void note_admits() {
        for (llvm::BasicBlock& block : function_)
            for (llvm::Instruction& instruction : block) {
                auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
                if (call == nullptr)
                    continue;
                if (is_memory_intrinsic(*call, intrinsics::admits))
                    admits_[site(*call->getArgOperand(5))] = call;
                if (is_memory_intrinsic(*call, intrinsics::load_flat))
                    ++units_[site(*call->getArgOperand(3))];
            }
    }

    static uint64_t site(const Value& number) { return llvm::cast<llvm::ConstantInt>(number).getZExtValue(); }

    void look_at(const llvm::Loop& loop) {
        const std::optional<RowLoop> around = around_of(loop);
        if (!around)
            return;
        InductionSteps steps(loop);
        const size_t before = found_.all.size();
        for (llvm::BasicBlock* const block : loop.blocks()) {
            if (std::ranges::find(around->cold, block) != around->cold.end())
                continue;
            for (llvm::Instruction& instruction : *block)
                if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
                    call != nullptr && found_.all.size() < most_walks && may_walk(*call) &&
                    (eager_ || steps.of(call->getArgOperand(0)) == unit_bytes))
                    note(*call);
        }
        if (found_.all.size() != before)
            found_.loops.push_back(*around);
    }

    // None: what is likely may write where loads look, or keeps an order with other threads.
    static std::optional<RowLoop> around_of(const llvm::Loop& loop) {
        RowLoop around{.header = loop.getHeader(), .latches = {}, .cold = {}};
        std::set<const llvm::BasicBlock*> cold;
        for (llvm::BasicBlock* const block : loop.blocks()) // headers first
            if (block != loop.getHeader() && is_cold(*block, cold))
                cold.insert(block);
        for (llvm::BasicBlock* const block : loop.blocks()) {
            bool writes = false;
            for (const llvm::Instruction& instruction : *block)
                if (may_write(instruction)) {
                    if (!cold.contains(block) || orders_memory(instruction))
                        return std::nullopt;
                    writes = true;
                }
            if (writes)
                around.cold.push_back(block);
        }
        llvm::SmallVector<llvm::BasicBlock*> latches;
        loop.getLoopLatches(latches);
        around.latches.assign(latches.begin(), latches.end());
        return around;
    }

    static bool is_cold(const llvm::BasicBlock& block, const std::set<const llvm::BasicBlock*>& cold) {
        return llvm::all_of(llvm::predecessors(&block), [&](const llvm::BasicBlock* from) {
            return cold.contains(from) || is_cold_edge(*from, block);
        });
    }

    bool may_walk(const llvm::CallInst& call) {
        if (call.getType()->getScalarSizeInBits() != unit_bits ||
            lanes_of(call.getArgOperand(0)) < least_lanes || !call.getType()->isVectorTy())
            return false;
        if (!is_memory_intrinsic(call, intrinsics::load_flat))
            return loads_shared_surface(call);
        const uint64_t number = site(*call.getArgOperand(3));
        const auto found = admits_.find(number);
        return found != admits_.end() && units_[number] == 1 &&
               found->second->getArgOperand(0) == call.getArgOperand(0) &&
               found->second->getArgOperand(2) == call.getArgOperand(2) &&
               tree_.dominates(found->second, &call);
    }

    void note(llvm::CallInst& load) {
        LaneRow walk{.load = &load, .loop = found_.loops.size()};
        if (is_memory_intrinsic(load, intrinsics::load_flat))
            walk.admits = admits_.at(site(*load.getArgOperand(3)));
        walk.form = whole_.form(walk.places(), 0, &load);
        if (!eager_ && (walk.form ? has_near(*walk.form) : has_near_parts(walk)))
            return;
        found_.all.push_back(std::move(walk));
    }

    static bool has_near(const LaneAffine::Form& form) {
        for (size_t k = 1; k < form.steps.size(); ++k)
            if (std::abs(form.steps[k] - form.steps[k - 1]) < near_bytes)
                return true;
        return false;
    }

    // As in groups that are as wide as half a thread.
    bool has_near_parts(const LaneRow& walk) {
        for (uint32_t part = 0; part < walk.lanes() / part_lanes; ++part)
            if (const auto form = parts_.form(walk.places(), part, walk.load); form && has_near(*form))
                return true;
        return false;
    }

    llvm::Function& function_;
    llvm::DominatorTree tree_;
    llvm::LoopInfo loops_;
    LaneAffine whole_;
    LaneAffine parts_;
    bool eager_;
    std::map<uint64_t, llvm::CallInst*> admits_; // by site
    std::map<uint64_t, size_t> units_;           // loads by site
    LaneRows found_;
};

} // namespace

LaneRows find_lane_rows(llvm::Function& function, bool eager) {
    return Finding(function, eager).run();
}

std::optional<int64_t> LaneRow::row_step() const {
    const std::vector<int64_t>& steps = form->steps;
    for (size_t k = 2; k < steps.size(); ++k)
        if (steps[k] - steps[k - 1] != steps[1] - steps[0])
            return {};
    return steps[1] - steps[0];
}

int64_t LaneRow::next_line() const {
    return form && row_step() == line_bytes ? lanes() * line_bytes : line_bytes;
}

Value* conditions_of(llvm::IRBuilder<>& ir, const LaneAffine::Form& form) {
    Value* all = ir.getTrue();
    for (Value* const condition : form.unless)
        all = ir.CreateAnd(all, condition);
    return all;
}

Value* lines_are_inside(llvm::IRBuilder<>& ir, const LaneRow& walk) {
    Bounds bounds(ir);
    const bool flat = walk.admits != nullptr;
    const auto number = [&](int64_t value) { return ir.getInt64(static_cast<uint64_t>(value)); };
    const auto wide = [&](Value* places) {
        return flat ? places : ir.CreateZExt(places, places->getType()->getWithNewBitWidth(64));
    };
    const Bounds::Shorter lines =
        flat ? bounds.shorter({walk.admits->getArgOperand(3), walk.admits->getArgOperand(4)},
                              line_bytes - unit_bytes)
             : bounds.places_in_window(walk.load->getArgOperand(4), line_bytes);
    if (walk.form) {
        Value* const base = ir.CreateAdd(wide(walk.form->base), number(walk.displacement()));
        Value* const lowest = ir.CreateAdd(base, number(walk.form->lowest()));
        Value* const in =
            bounds.span_in(lines.interval, lowest, number(walk.form->highest() - walk.form->lowest()));
        return ir.CreateAnd(ir.CreateAnd(lines.fits, conditions_of(ir, *walk.form)), in);
    }
    Value* const displacement = ir.CreateVectorSplat(walk.lanes(), number(walk.displacement()));
    Value* const places = ir.CreateAdd(wide(walk.places()), displacement);
    return ir.CreateAnd(lines.fits, bounds.lanes_in(lines.interval, places, walk.on()));
}

Mark mark_of(const LaneRow& walk) {
    return {walk.admits != nullptr ? Guard::flat : Guard::surface, Use::ahead};
}

Value* first_line(llvm::IRBuilder<>& ir, const LaneRow& walk) {
    const bool flat = walk.admits != nullptr;
    const Span lines{walk.form->lowest(), walk.form->highest() + line_bytes};
    Value* const base = flat ? walk.form->base : ir.CreateZExt(walk.form->base, ir.getInt64Ty());
    Value* const place = ir.CreateAdd(base, ir.getInt64(static_cast<uint64_t>(walk.displacement())));
    return flat ? Bounds(ir).at(mark_of(walk), place, lines)
                : Bounds(ir).behind(mark_of(walk), walk.load->getArgOperand(3), place, lines);
}

Rows transposed(llvm::IRBuilder<>& ir, const Rows& rows) {
    constexpr uint32_t block = 4; // elements of 128 bits, in which units and pairs of them change places
    const auto mixed = [&](Value* one, Value* other, const auto& element) {
        std::vector<int> order;
        for (uint32_t k = 0; k < line_units; ++k)
            order.push_back(static_cast<int>(element(k)));
        return ir.CreateShuffleVector(one, other, order);
    };
    // Element k of each comes from the first of two vectors, or (+ 16) from the second.
    const auto units = [&](uint32_t half) {
        return
            [half](uint32_t k) { return k / block * block + half * 2 + k % block / 2 + k % 2 * line_units; };
    };
    const auto pairs = [&](uint32_t half) {
        return
            [half](uint32_t k) { return k / block * block + half * 2 + k % 2 + k % block / 2 * line_units; };
    };
    const auto blocks = [&](uint32_t odd) {
        return [odd](uint32_t k) {
            return (k / block % 2 * 2 + odd) * block + k % block + k / (2 * block) * line_units;
        };
    };
    Rows two{};
    for (uint32_t k = 0; k < line_units; ++k)
        two[k] = mixed(rows[k - k % 2], rows[k - k % 2 + 1], units(k % 2));
    Rows four{}; // row k / 4 * 4 ... of column k % 4 of each block
    for (uint32_t k = 0; k < line_units; ++k) {
        const uint32_t first = k / block * block + k % block / 2;
        four[k] = mixed(two[first], two[first + 2], pairs(k % 2));
    }
    Rows columns{};
    for (uint32_t column = 0; column < block; ++column)
        for (uint32_t odd = 0; odd < 2; ++odd) {
            Value* const upper = mixed(four[column], four[block + column], blocks(odd));
            Value* const lower = mixed(four[2 * block + column], four[3 * block + column], blocks(odd));
            columns[odd * block + column] = mixed(upper, lower, blocks(0));
            columns[(odd + 2) * block + column] = mixed(upper, lower, blocks(1));
        }
    return columns;
}

} // namespace visor::jit
