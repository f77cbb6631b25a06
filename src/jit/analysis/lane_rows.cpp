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
constexpr uint32_t min_lanes = 8;
constexpr uint32_t part_lanes = 16; // with forms of their own
constexpr size_t max_rows = 16;     // each needs a line buffer on the stack
class RowFinder {
public:
    RowFinder(llvm::Function& function, bool eager)
        : function_(function), tree_(function), loops_(tree_), whole_(function, 0),
          parts_(function, part_lanes), eager_(eager) {}

    LaneRows run() {
        find_checks();
        for (const llvm::Loop* const loop : loops_.getLoopsInPreorder())
            if (loop->isInnermost() && found_.all.size() < max_rows)
                find_rows(*loop);
        return std::move(found_);
    }

private:
    void find_checks() {
        for (llvm::BasicBlock& block : function_)
            for (llvm::Instruction& instruction : block) {
                if (auto* const check = llvm::dyn_cast<RangeCheck>(&instruction))
                    checks_[check->site()] = check;
                if (const auto* const load = llvm::dyn_cast<MemLoad>(&instruction);
                    load != nullptr && load->flat())
                    ++units_[load->site()];
            }
    }

    void find_rows(const llvm::Loop& loop) {
        std::optional<RowLoop> row_loop = row_loop_of(loop);
        if (!row_loop || !find_forms(row_loop->stores))
            return;
        InductionSteps steps(loop);
        const size_t before = found_.all.size();
        for (llvm::BasicBlock* const block : loop.blocks()) {
            if (std::ranges::find(row_loop->cold, block) != row_loop->cold.end())
                continue;
            for (llvm::Instruction& instruction : *block)
                if (auto* const load = llvm::dyn_cast<MemLoad>(&instruction);
                    load != nullptr && found_.all.size() < max_rows && is_row_load(*load) &&
                    (eager_ || steps.of(load->addresses()) == unit_bytes))
                    add(*load, row_loop->stores);
        }
        if (found_.all.size() != before)
            found_.loops.push_back(*std::move(row_loop));
    }

    // False: it is unknown what one of them writes.
    bool find_forms(std::vector<RowStore>& stores) {
        return std::ranges::all_of(stores, [&](RowStore& one) {
            one.form = whole_.form(one.store->addresses(), 0, one.store);
            if (!one.store->flat())
                return true;
            const auto found = checks_.find(one.store->site());
            one.check = found == checks_.end() ? nullptr : found->second;
            return one.check != nullptr && tree_.dominates(one.check, one.store);
        });
    }

    // Whether it can be known at run time that the store leaves a line of the row as it is.
    static bool can_leave(const LaneRow& row, const RowStore& store) {
        const bool other =
            store.check != nullptr || row.check != nullptr || store.store->data() != row.load->data();
        return other || (store.form && row.form);
    }

    // None if the hot path may write to the loads' memory otherwise than by stores, or orders memory.
    static std::optional<RowLoop> row_loop_of(const llvm::Loop& loop) {
        RowLoop row_loop{.header = loop.getHeader(), .latches = {}, .cold = {}};
        std::set<const llvm::BasicBlock*> cold;
        for (llvm::BasicBlock* const block : loop.blocks()) // header first
            if (block != loop.getHeader() && is_cold(*block, cold))
                cold.insert(block);
        for (llvm::BasicBlock* const block : loop.blocks()) {
            bool writes = false;
            for (llvm::Instruction& instruction : *block)
                if (may_write(instruction)) {
                    if (auto* const store = llvm::dyn_cast<MemStore>(&instruction);
                        store != nullptr && !cold.contains(block)) {
                        if (!writes_local_memory(*store))
                            row_loop.stores.push_back({.store = store, .check = nullptr, .form = {}});
                        continue;
                    }
                    if (!cold.contains(block) || orders_memory(instruction))
                        return std::nullopt;
                    writes = true;
                }
            if (writes)
                row_loop.cold.push_back(block);
        }
        llvm::SmallVector<llvm::BasicBlock*> latches;
        loop.getLoopLatches(latches);
        row_loop.latches.assign(latches.begin(), latches.end());
        return row_loop;
    }

    static bool is_cold(const llvm::BasicBlock& block, const std::set<const llvm::BasicBlock*>& cold) {
        return llvm::all_of(llvm::predecessors(&block), [&](const llvm::BasicBlock* from) {
            return cold.contains(from) || is_cold_edge(*from, block);
        });
    }

    bool is_row_load(const MemLoad& load) {
        if (load.unit_bits() != unit_bits || load.lanes() < min_lanes || !load.getType()->isVectorTy())
            return false;
        if (!load.flat())
            return loads_shared_surface(load);
        const auto found = checks_.find(load.site());
        return found != checks_.end() && units_[load.site()] == 1 &&
               found->second->addresses() == load.addresses() &&
               found->second->displacement() == load.displacement() && tree_.dominates(found->second, &load);
    }

    void add(MemLoad& load, const std::vector<RowStore>& stores) {
        LaneRow row{.load = &load, .loop = found_.loops.size()};
        if (load.flat())
            row.check = checks_.at(load.site());
        row.form = whole_.form(row.addresses(), 0, &load);
        if (!std::ranges::all_of(stores, [&](const RowStore& store) { return can_leave(row, store); }))
            return;
        if (!eager_ && (row.form ? has_close_lanes(*row.form) : has_close_lanes_in_parts(row)))
            return;
        found_.all.push_back(std::move(row));
    }

    static bool has_close_lanes(const LaneAffine::Form& form) {
        for (size_t k = 1; k < form.steps.size(); ++k)
            if (std::abs(form.steps[k] - form.steps[k - 1]) < close_bytes)
                return true;
        return false;
    }

    // As in groups half as wide as a thread.
    bool has_close_lanes_in_parts(const LaneRow& row) {
        for (uint32_t part = 0; part < row.lanes() / part_lanes; ++part)
            if (const auto form = parts_.form(row.addresses(), part, row.load);
                form && has_close_lanes(*form))
                return true;
        return false;
    }

    llvm::Function& function_;
    llvm::DominatorTree tree_;
    llvm::LoopInfo loops_;
    LaneAffine whole_;
    LaneAffine parts_;
    bool eager_;
    std::map<uint32_t, RangeCheck*> checks_; // by site
    std::map<uint32_t, size_t> units_;       // loads by site
    LaneRows found_;
};

} // namespace

LaneRows find_lane_rows(llvm::Function& function, bool eager) {
    return RowFinder(function, eager).run();
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
    for (Value* const condition : form.conditions)
        all = ir.CreateAnd(all, condition);
    return all;
}

Value* lines_are_inside(llvm::IRBuilder<>& ir, const LaneRow& row) {
    Bounds bounds(ir);
    const bool flat = row.check != nullptr;
    const auto number = [&](int64_t value) { return ir.getInt64(static_cast<uint64_t>(value)); };
    const auto wide = [&](Value* addresses) {
        return flat ? addresses : ir.CreateZExt(addresses, addresses->getType()->getWithNewBitWidth(64));
    };
    const Bounds::Shorter lines =
        flat ? bounds.shorter({row.check->low(), row.check->last()}, line_bytes - unit_bytes)
             : bounds.offsets_in_window(row.load->window_bytes(), line_bytes);
    if (row.form) {
        Value* const base = ir.CreateAdd(wide(row.form->base), number(row.displacement()));
        Value* const lowest = ir.CreateAdd(base, number(row.form->lowest()));
        Value* const in =
            bounds.span_in(lines.interval, lowest, number(row.form->highest() - row.form->lowest()));
        return ir.CreateAnd(ir.CreateAnd(lines.fits, conditions_of(ir, *row.form)), in);
    }
    Value* const displacement = ir.CreateVectorSplat(row.lanes(), number(row.displacement()));
    Value* const addresses = ir.CreateAdd(wide(row.addresses()), displacement);
    return ir.CreateAnd(lines.fits, bounds.lanes_in(lines.interval, addresses, row.on()));
}

Mark mark_of(const LaneRow& row) {
    return {row.check != nullptr ? Guard::flat : Guard::surface, Use::ahead};
}

Value* first_line(llvm::IRBuilder<>& ir, const LaneRow& row) {
    const bool flat = row.check != nullptr;
    const Span lines{row.form->lowest(), row.form->highest() + line_bytes};
    Value* const base = flat ? row.form->base : ir.CreateZExt(row.form->base, ir.getInt64Ty());
    Value* const address = ir.CreateAdd(base, ir.getInt64(static_cast<uint64_t>(row.displacement())));
    return flat ? Bounds(ir).at(mark_of(row), address, lines)
                : Bounds(ir).behind(mark_of(row), row.load->data(), address, lines);
}

std::vector<Value*> transposed(llvm::IRBuilder<>& ir, const std::vector<Value*>& rows) {
    constexpr uint32_t block = 4; // 128-bit lanes; first transposes units and pairs within them
    const auto count = static_cast<uint32_t>(rows.size());
    // Element k of each result comes from the first vector, or (+ count) from the second.
    const auto mixed = [&](Value* one, Value* other, const auto& element) {
        std::vector<int> order;
        for (uint32_t k = 0; k < count; ++k)
            order.push_back(static_cast<int>(element(k)));
        return ir.CreateShuffleVector(one, other, order);
    };
    const auto units = [&](uint32_t half) {
        return [count, half](uint32_t k) {
            return k / block * block + half * 2 + k % block / 2 + k % 2 * count;
        };
    };
    const auto pairs = [&](uint32_t half) {
        return [count, half](uint32_t k) {
            return k / block * block + half * 2 + k % 2 + k % block / 2 * count;
        };
    };
    std::vector<Value*> two(count);
    for (uint32_t k = 0; k < count; ++k)
        two[k] = mixed(rows[k - k % 2], rows[k - k % 2 + 1], units(k % 2));
    std::vector<Value*> columns(count); // so far of rows k / 4 * 4 ..., column k % 4 of each 128-bit lane
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t first = k / block * block + k % block / 2;
        columns[k] = mixed(two[first], two[first + 2], pairs(k % 2));
    }
    // Then transposes the 128-bit lanes: those of vectors `apart` apart change places where `apart` is set.
    for (uint32_t apart = block; apart < count; apart *= 2) {
        const std::vector<Value*> before = columns;
        for (uint32_t k = 0; k < count; ++k) {
            const bool upper = (k & apart) != 0;
            columns[k] = mixed(before[k & ~apart], before[k | apart], [&](uint32_t at) {
                return ((at & ~apart) | (upper ? apart : 0)) + ((at & apart) != 0 ? count : 0);
            });
        }
    }
    return columns;
}

} // namespace visor::jit
