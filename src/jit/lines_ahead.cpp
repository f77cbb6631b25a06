#include "jit/lines_ahead.h"

#include "jit/affine.h"
#include "jit/cold.h"
#include "jit/line.h"
#include "jit/stand_in.h"
#include "jit/turn_step.h"
#include "jit/writes.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr uint32_t unit_bits = 32;
constexpr int64_t unit_bytes = 4;
constexpr uint32_t line_units = line_bytes / unit_bytes;
constexpr uint32_t least_lanes = 8;
constexpr uint32_t part_lanes = 16; // have forms of their own
constexpr size_t most_walks = 16;   // each has its lines on the stack
// Lanes nearer to each other share lines, and have better ways.
constexpr int64_t near_bytes = line_bytes / 2;
// What reading lines costs in turns that they serve, by estimate, and what a call of the code begins with.
constexpr uint64_t cost = 5;
constexpr uint64_t credit = 64;

using Rows = std::array<Value*, line_units>;

// Element k of result i is element i of row k.
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

// One load of a loop.
struct Walk {
    llvm::CallInst* load = nullptr;
    llvm::CallInst* admits = nullptr; // null: of a surface
    std::optional<Affine::Form> form;
    size_t loop = 0;
    [[nodiscard]] Value* places() const { return load->getArgOperand(0); }
    [[nodiscard]] Value* on() const { return load->getArgOperand(1); }
    [[nodiscard]] uint32_t lanes() const { return lanes_of(places()); }
    [[nodiscard]] int64_t displacement() const { return displacement_of(*load); }
};

// Where what was read ahead is forgotten.
struct Around {
    std::vector<llvm::BasicBlock*> before; // blocks that lead into the loop
    std::vector<llvm::BasicBlock*> cold;   // blocks of the loop that may write
};

struct Found {
    std::vector<Walk> walks;
    std::vector<Around> loops; // by a walk's `loop`
};

class Finding {
public:
    Finding(llvm::Function& function, bool eager)
        : function_(function), tree_(function), loops_(tree_), whole_(function, 0),
          parts_(function, part_lanes), eager_(eager) {}

    Found run() {
        note_admits();
        for (const llvm::Loop* const loop : loops_.getLoopsInPreorder())
            if (loop->isInnermost() && found_.walks.size() < most_walks)
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
                if (is_stand_in(*call, stand_in::admits))
                    admits_[site(*call->getArgOperand(5))] = call;
                if (is_stand_in(*call, stand_in::load_flat))
                    ++units_[site(*call->getArgOperand(3))];
            }
    }

    static uint64_t site(const Value& number) { return llvm::cast<llvm::ConstantInt>(number).getZExtValue(); }

    void look_at(const llvm::Loop& loop) {
        const std::optional<Around> around = around_of(loop);
        if (!around)
            return;
        TurnSteps steps(loop);
        const size_t before = found_.walks.size();
        for (llvm::BasicBlock* const block : loop.blocks()) {
            if (std::ranges::find(around->cold, block) != around->cold.end())
                continue;
            for (llvm::Instruction& instruction : *block)
                if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
                    call != nullptr && found_.walks.size() < most_walks && may_walk(*call) &&
                    (eager_ || steps.of(call->getArgOperand(0)) == unit_bytes))
                    note(*call);
        }
        if (found_.walks.size() != before)
            found_.loops.push_back(*around);
    }

    // None: what is likely may write where loads look, or keeps an order with other threads.
    static std::optional<Around> around_of(const llvm::Loop& loop) {
        Around around;
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
        for (llvm::BasicBlock* const from : llvm::predecessors(loop.getHeader()))
            if (!loop.contains(from))
                around.before.push_back(from);
        return around;
    }

    static bool is_cold(const llvm::BasicBlock& block, const std::set<const llvm::BasicBlock*>& cold) {
        return llvm::all_of(llvm::predecessors(&block), [&](const llvm::BasicBlock* from) {
            return cold.contains(from) || is_unlikely(*from, block);
        });
    }

    bool may_walk(const llvm::CallInst& call) {
        if (call.getType()->getScalarSizeInBits() != unit_bits ||
            lanes_of(call.getArgOperand(0)) < least_lanes || !call.getType()->isVectorTy())
            return false;
        if (!is_stand_in(call, stand_in::load_flat))
            return loads_shared_surface(call);
        const uint64_t number = site(*call.getArgOperand(3));
        const auto found = admits_.find(number);
        return found != admits_.end() && units_[number] == 1 &&
               found->second->getArgOperand(0) == call.getArgOperand(0) &&
               found->second->getArgOperand(2) == call.getArgOperand(2) &&
               tree_.dominates(found->second, &call);
    }

    void note(llvm::CallInst& load) {
        Walk walk{.load = &load, .loop = found_.loops.size()};
        if (is_stand_in(load, stand_in::load_flat))
            walk.admits = admits_.at(site(*load.getArgOperand(3)));
        walk.form = whole_.form(walk.places(), 0, &load);
        if (!eager_ && (walk.form ? has_near(*walk.form) : has_near_parts(walk)))
            return;
        found_.walks.push_back(std::move(walk));
    }

    static bool has_near(const Affine::Form& form) {
        for (size_t k = 1; k < form.steps.size(); ++k)
            if (std::abs(form.steps[k] - form.steps[k - 1]) < near_bytes)
                return true;
        return false;
    }

    // As in groups that are as wide as half a thread.
    bool has_near_parts(const Walk& walk) {
        for (uint32_t part = 0; part < walk.lanes() / part_lanes; ++part)
            if (const auto form = parts_.form(walk.places(), part, walk.load); form && has_near(*form))
                return true;
        return false;
    }

    llvm::Function& function_;
    llvm::DominatorTree tree_;
    llvm::LoopInfo loops_;
    Affine whole_;
    Affine parts_;
    bool eager_;
    std::map<uint64_t, llvm::CallInst*> admits_; // by site
    std::map<uint64_t, size_t> units_;           // loads by site
    Found found_;
};

class Building {
public:
    Building(llvm::Function& function, bool eager)
        : function_(function), ir_(function.getContext()), eager_(eager) {}

    void build(const Walk& walk, const Around& around) {
        walk_ = &walk;
        make_room(around);
        llvm::CallInst& load = *walk.load;
        llvm::BasicBlock* const before = load.getParent();
        llvm::BasicBlock* const done = before->splitBasicBlock(load.getIterator());
        llvm::BasicBlock* const take = block("take", done);
        llvm::BasicBlock* const miss = block("miss", done);
        llvm::BasicBlock* const refill = block("refill", done);
        llvm::BasicBlock* const apart = block("apart", done);
        before->getTerminator()->eraseFromParent();

        ir_.SetInsertPoint(before);
        Value* const used = ir_.CreateLoad(ir_.getInt64Ty(), used_);
        ir_.CreateCondBr(is_where_expected(used), take, miss, odds(line_units - 1, 1));
        ir_.SetInsertPoint(miss);
        ir_.CreateCondBr(ir_.CreateAnd(is_worth_it(), is_inside()), refill, apart, odds(1, 1));
        ir_.SetInsertPoint(refill);
        read_lines();
        ir_.CreateBr(take);

        ir_.SetInsertPoint(take);
        llvm::PHINode* const at = ir_.CreatePHI(ir_.getInt64Ty(), 2);
        at->addIncoming(used, before);
        at->addIncoming(number(0), refill);
        Value* const column = ir_.CreateGEP(ir_.getInt8Ty(), lines_, ir_.CreateMul(at, number(walk.lanes())));
        Value* const taken = ir_.CreateAlignedLoad(load.getType(), column, column_alignment());
        if (asks_turn_by_turn())
            ask_for_some_of_next(at);
        ir_.CreateStore(ir_.CreateAdd(at, number(unit_bytes)), used_);
        earn(1);
        ir_.CreateBr(done);

        ir_.SetInsertPoint(apart);
        ir_.CreateStore(number(line_bytes), used_);
        llvm::Instruction* const end = ir_.CreateBr(done);
        llvm::PHINode* const result = llvm::PHINode::Create(load.getType(), 2, "", done->begin());
        load.replaceAllUsesWith(result);
        load.moveBefore(end);
        result->addIncoming(taken, take);
        result->addIncoming(&load, apart);
    }

private:
    llvm::BasicBlock* block(const char* name, llvm::BasicBlock* before) {
        return llvm::BasicBlock::Create(function_.getContext(), name, &function_, before);
    }
    llvm::MDNode* odds(uint32_t yes, uint32_t no) {
        return llvm::MDBuilder(function_.getContext()).createBranchWeights(yes, no);
    }
    Value* number(int64_t value) { return ir_.getInt64(static_cast<uint64_t>(value)); }
    [[nodiscard]] bool flat() const { return walk_->admits != nullptr; }
    [[nodiscard]] llvm::Align column_alignment() const {
        return llvm::Align(std::min<uint64_t>(uint64_t{walk_->lanes()} * unit_bytes, line_bytes));
    }

    llvm::AllocaInst* on_stack(llvm::Type* type, uint64_t alignment) {
        llvm::IRBuilder<> entry(&*function_.getEntryBlock().begin());
        llvm::AllocaInst* const room = entry.CreateAlloca(type);
        room->setAlignment(llvm::Align(alignment));
        return room;
    }

    // The lines, how many bytes of them are used up, and where they were read.
    void make_room(const Around& around) {
        if (credit_ == nullptr) {
            credit_ = on_stack(ir_.getInt64Ty(), 8);
            ir_.SetInsertPoint(credit_->getParent(), std::next(credit_->getIterator()));
            ir_.CreateStore(ir_.getInt64(credit), credit_);
        }
        lines_ = on_stack(llvm::ArrayType::get(ir_.getInt32Ty(), uint64_t{line_units} * walk_->lanes()),
                          line_bytes);
        used_ = on_stack(ir_.getInt64Ty(), 8);
        llvm::Type* const type = walk_->form ? walk_->form->base->getType() : walk_->places()->getType();
        start_ = on_stack(type, line_bytes);
        for (llvm::BasicBlock* const from : around.before) {
            ir_.SetInsertPoint(from->getTerminator());
            ir_.CreateStore(number(line_bytes), used_);
            ir_.CreateStore(llvm::Constant::getNullValue(type), start_);
        }
        for (llvm::BasicBlock* const cold : around.cold) {
            ir_.SetInsertPoint(cold->getTerminator());
            ir_.CreateStore(number(line_bytes), used_);
        }
    }

    // ---- conditions

    Value* conditions_of_form() {
        Value* all = ir_.getTrue();
        for (Value* const condition : walk_->form->unless)
            all = ir_.CreateAnd(all, condition);
        return all;
    }

    Value* splat(Value* value) { return ir_.CreateVectorSplat(walk_->lanes(), value); }

    Value* is_where_expected(Value* used) {
        Value* const left = ir_.CreateICmpNE(used, number(line_bytes));
        Value* const start = ir_.CreateLoad(start_->getAllocatedType(), start_);
        Value* const passed = ir_.CreateTrunc(used, start->getType()->getScalarType());
        if (walk_->form) {
            Value* const same = ir_.CreateICmpEQ(walk_->form->base, ir_.CreateAdd(start, passed));
            return ir_.CreateAnd(ir_.CreateAnd(left, same), conditions_of_form());
        }
        Value* const same = ir_.CreateICmpEQ(walk_->places(), ir_.CreateAdd(start, splat(passed)));
        return ir_.CreateAnd(left, every_on(ir_, same, walk_->on()));
    }

    Value* is_worth_it() {
        if (eager_)
            return ir_.getTrue();
        return ir_.CreateICmpUGE(ir_.CreateLoad(ir_.getInt64Ty(), credit_), ir_.getInt64(cost));
    }

    void earn(int64_t turns) {
        ir_.CreateStore(ir_.CreateAdd(ir_.CreateLoad(ir_.getInt64Ty(), credit_), number(turns)), credit_);
    }

    // i1: lines from where lanes are lie where they may read.
    Value* is_inside() {
        const int64_t more = line_bytes - unit_bytes;
        Value* const low = flat() ? walk_->admits->getArgOperand(3) : number(0);
        Value* last = flat() ? walk_->admits->getArgOperand(4)
                             : ir_.CreateSub(walk_->load->getArgOperand(4), number(unit_bytes));
        const auto wide = [&](Value* places) {
            llvm::Type* const type = places->getType()->getWithNewBitWidth(64);
            return flat() ? places : ir_.CreateZExt(places, type);
        };
        Value* const fits = ir_.CreateICmpSGE(last, number(more));
        last = ir_.CreateSub(last, number(more));
        if (walk_->form) {
            Value* const base = ir_.CreateAdd(wide(walk_->form->base), number(walk_->displacement()));
            Value* const lowest = ir_.CreateAdd(base, number(walk_->form->lowest()));
            Value* const highest = ir_.CreateAdd(base, number(walk_->form->highest()));
            Value* const above =
                ir_.CreateAnd(ir_.CreateICmpUGE(lowest, low), ir_.CreateICmpULE(lowest, last));
            Value* const below =
                ir_.CreateAnd(ir_.CreateICmpULE(highest, last), ir_.CreateICmpUGE(highest, lowest));
            return ir_.CreateAnd(ir_.CreateAnd(fits, conditions_of_form()), ir_.CreateAnd(above, below));
        }
        Value* const places = ir_.CreateAdd(wide(walk_->places()), splat(number(walk_->displacement())));
        Value* const above = ir_.CreateICmpUGE(places, splat(low));
        Value* const below = ir_.CreateICmpULE(places, splat(last));
        return ir_.CreateAnd(fits, every_on(ir_, ir_.CreateAnd(above, below), walk_->on()));
    }

    // ---- lines

    void read_lines() {
        if (!eager_)
            earn(-static_cast<int64_t>(cost));
        ir_.CreateStore(start_of_lines(), start_);
        const std::vector<Value*> begins = begins_of_lines();
        if (!asks_turn_by_turn())
            ask_for_next(begins);
        auto* const line = llvm::FixedVectorType::get(ir_.getInt32Ty(), line_units);
        const uint32_t lanes = walk_->lanes();
        for (uint32_t first = 0; first < lanes; first += line_units) {
            Rows rows{};
            rows.fill(llvm::PoisonValue::get(line));
            const uint32_t count = std::min(lanes - first, line_units);
            for (uint32_t k = 0; k < count; ++k)
                rows[k] = ir_.CreateAlignedLoad(line, begins[first + k], llvm::Align(1));
            const Rows columns = transposed(ir_, rows);
            std::vector<int> order(count);
            std::iota(order.begin(), order.end(), 0);
            for (uint32_t k = 0; k < line_units; ++k)
                ir_.CreateAlignedStore(
                    ir_.CreateShuffleVector(columns[k], order),
                    ir_.CreateConstGEP1_64(ir_.getInt32Ty(), lines_, uint64_t{k} * lanes + first),
                    llvm::Align(std::min<uint64_t>(uint64_t{count} * unit_bytes, line_bytes)));
        }
    }

    // Bytes from a line to the one that is asked for. Where one line ends the next lane's begins, and the
    // next thread's behind the last one's; else rows may go on.
    [[nodiscard]] int64_t next_line() const {
        return walk_->form && row_step() == line_bytes ? walk_->lanes() * line_bytes : line_bytes;
    }

    // How far a lane's row lies behind that of the lane before, if that is the same for all.
    [[nodiscard]] std::optional<int64_t> row_step() const {
        const std::vector<int64_t>& steps = walk_->form->steps;
        for (size_t k = 2; k < steps.size(); ++k)
            if (steps[k] - steps[k - 1] != steps[1] - steps[0])
                return {};
        return steps[1] - steps[0];
    }

    // So many lines at once are more than a CPU waits for beside others: each turn asks for its share, where
    // a turn's number is all that it takes to tell which lanes' these are.
    [[nodiscard]] bool asks_turn_by_turn() const {
        return walk_->form && walk_->lanes() % line_units == 0 && row_step();
    }

    void ask_for_some_of_next(Value* at) {
        const int64_t a_turn = walk_->lanes() / line_units; // lines
        const int64_t step = *row_step();
        Value* const row = ir_.CreateExactSDiv(ir_.CreateMul(at, number(a_turn * step)), number(unit_bytes));
        Value* const lines = ir_.CreateGEP(ir_.getInt8Ty(), first_line(ir_.CreateSub(wide_base(), at)), row);
        for (int64_t k = 0; k < a_turn; ++k)
            fetch_line(ir_, ir_.CreateGEP(ir_.getInt8Ty(), lines, number(next_line() + k * step)));
    }

    // No CPU reads so many rows ahead.
    void ask_for_next(const std::vector<Value*>& begins) {
        for (Value* const begin : begins)
            fetch_line(ir_, ir_.CreateGEP(ir_.getInt8Ty(), begin, number(next_line())));
    }

    // Lanes that are off, and may be on later, are where no other turn finds them: no flat memory begins at
    // 0, and no surface reaches so far (a lane there reads zero, as the lines of those that are off have it).
    Value* start_of_lines() {
        if (walk_->form)
            return walk_->form->base;
        constexpr uint32_t longest_surface = uint32_t{1} << 31U;
        Value* const nowhere = flat() ? ir_.getInt64(0) : static_cast<Value*>(ir_.getInt32(longest_surface));
        return ir_.CreateSelect(walk_->on(), walk_->places(), splat(nowhere));
    }

    Value* wide_base() {
        return flat() ? walk_->form->base : ir_.CreateZExt(walk_->form->base, ir_.getInt64Ty());
    }

    Value* first_line(Value* base) {
        Value* const place = ir_.CreateAdd(base, number(walk_->displacement()));
        return flat() ? ir_.CreateIntToPtr(place, ir_.getPtrTy())
                      : ir_.CreateGEP(ir_.getInt8Ty(), walk_->load->getArgOperand(3), place);
    }

    // Lanes that are off read zeros of Visor's own.
    std::vector<Value*> begins_of_lines() {
        std::vector<Value*> begins;
        const uint32_t lanes = walk_->lanes();
        if (walk_->form) {
            Value* const first = first_line(wide_base());
            for (const int64_t step : walk_->form->steps)
                begins.push_back(ir_.CreateConstGEP1_64(ir_.getInt8Ty(), first, static_cast<uint64_t>(step)));
            return begins;
        }
        auto* const wide = llvm::FixedVectorType::get(ir_.getInt64Ty(), lanes);
        Value* places = ir_.CreateAdd(flat() ? walk_->places() : ir_.CreateZExt(walk_->places(), wide),
                                      splat(number(walk_->displacement())));
        if (!flat())
            places = ir_.CreateAdd(
                places, splat(ir_.CreatePtrToInt(walk_->load->getArgOperand(3), ir_.getInt64Ty())));
        Value* const none = splat(ir_.CreatePtrToInt(zeros(*function_.getParent()), ir_.getInt64Ty()));
        // Out of memory they come quicker than out of vectors.
        llvm::AllocaInst* const room = on_stack(wide, line_bytes);
        ir_.CreateAlignedStore(ir_.CreateSelect(walk_->on(), places, none), room, llvm::Align(line_bytes),
                               true);
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            Value* const at = ir_.CreateConstGEP1_64(ir_.getInt64Ty(), room, lane);
            begins.push_back(ir_.CreateIntToPtr(
                ir_.CreateAlignedLoad(ir_.getInt64Ty(), at, llvm::Align(8), true), ir_.getPtrTy()));
        }
        return begins;
    }

    llvm::Function& function_;
    llvm::IRBuilder<> ir_;
    bool eager_;
    const Walk* walk_ = nullptr;
    llvm::AllocaInst* credit_ = nullptr;
    llvm::AllocaInst* lines_ = nullptr;
    llvm::AllocaInst* used_ = nullptr;
    llvm::AllocaInst* start_ = nullptr;
};

} // namespace

void read_lines_ahead(llvm::Function& function, bool eager) {
    const Found found = Finding(function, eager).run();
    Building building(function, eager);
    for (const Walk& walk : found.walks)
        building.build(walk, found.loops[walk.loop]);
}

} // namespace visor::jit
