#include "jit/memory/buffer_rows.h"

#include "jit/analysis/lane_rows.h"
#include "jit/memory/transpose_rows.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

// What reading lines costs in iterations that they serve, by estimate, and what a call of the code begins
// with.
constexpr uint64_t cost = 5;
constexpr uint64_t credit = 64;

class Building {
public:
    Building(llvm::Function& function, bool eager)
        : function_(function), ir_(function.getContext()), eager_(eager) {}

    void build(const LaneRow& walk, const RowLoop& around) {
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
        ir_.CreateCondBr(ir_.CreateAnd(is_worth_it(), lines_are_inside(ir_, *walk_)), refill, apart,
                         odds(1, 1));
        ir_.SetInsertPoint(refill);
        read_lines();
        ir_.CreateBr(take);

        ir_.SetInsertPoint(take);
        llvm::PHINode* const at = ir_.CreatePHI(ir_.getInt64Ty(), 2);
        at->addIncoming(used, before);
        at->addIncoming(number(0), refill);
        auto* const quarter = llvm::ArrayType::get(ir_.getInt8Ty(), walk.lanes());
        Value* const column = Bounds(ir_).elements(lines_, load.getType(), quarter, at);
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
    void make_room(const RowLoop& around) {
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
        for (llvm::BasicBlock* const from : llvm::predecessors(around.header)) {
            if (std::ranges::find(around.latches, from) != around.latches.end())
                continue;
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

    Value* splat(Value* value) { return ir_.CreateVectorSplat(walk_->lanes(), value); }

    Value* is_where_expected(Value* used) {
        Value* const left = ir_.CreateICmpNE(used, number(line_bytes));
        Value* const start = ir_.CreateLoad(start_->getAllocatedType(), start_);
        Value* const passed = ir_.CreateTrunc(used, start->getType()->getScalarType());
        if (walk_->form) {
            Value* const same = ir_.CreateICmpEQ(walk_->form->base, ir_.CreateAdd(start, passed));
            return ir_.CreateAnd(ir_.CreateAnd(left, same), conditions_of(ir_, *walk_->form));
        }
        Value* const same = ir_.CreateICmpEQ(walk_->places(), ir_.CreateAdd(start, splat(passed)));
        return ir_.CreateAnd(left, every_on(ir_, same, walk_->on()));
    }

    Value* is_worth_it() {
        if (eager_)
            return ir_.getTrue();
        return ir_.CreateICmpUGE(ir_.CreateLoad(ir_.getInt64Ty(), credit_), ir_.getInt64(cost));
    }

    void earn(int64_t iterations) {
        ir_.CreateStore(ir_.CreateAdd(ir_.CreateLoad(ir_.getInt64Ty(), credit_), number(iterations)),
                        credit_);
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

    // So many lines at once are more than a CPU waits for beside others: each iteration asks for its share,
    // where a iteration's number is all that it takes to tell which lanes' these are.
    [[nodiscard]] bool asks_turn_by_turn() const {
        return walk_->form && walk_->lanes() % line_units == 0 && walk_->row_step();
    }

    void ask_for_some_of_next(Value* at) {
        const int64_t a_turn = walk_->lanes() / line_units; // lines
        const int64_t step = *walk_->row_step();
        Value* const row = ir_.CreateExactSDiv(ir_.CreateMul(at, number(a_turn * step)), number(unit_bytes));
        Value* const lines = ir_.CreateGEP(ir_.getInt8Ty(), first_line(ir_, *walk_), ir_.CreateSub(row, at));
        for (int64_t k = 0; k < a_turn; ++k)
            prefetch_line(ir_, ir_.CreateGEP(ir_.getInt8Ty(), lines, number(walk_->next_line() + k * step)));
    }

    // No CPU reads so many rows ahead.
    void ask_for_next(const std::vector<Value*>& begins) {
        for (Value* const begin : begins)
            prefetch_line(ir_, ir_.CreateGEP(ir_.getInt8Ty(), begin, number(walk_->next_line())));
    }

    // Lanes that are off, and may be on later, are where no other iteration finds them: no flat memory begins
    // at 0, and no surface reaches so far (a lane there reads zero, as the lines of those that are off have
    // it).
    Value* start_of_lines() {
        if (walk_->form)
            return walk_->form->base;
        constexpr uint32_t longest_surface = uint32_t{1} << 31U;
        Value* const nowhere = flat() ? ir_.getInt64(0) : static_cast<Value*>(ir_.getInt32(longest_surface));
        return ir_.CreateSelect(walk_->on(), walk_->places(), splat(nowhere));
    }

    // Lanes that are off read zeros of Visor's own.
    std::vector<Value*> begins_of_lines() {
        std::vector<Value*> begins;
        const uint32_t lanes = walk_->lanes();
        if (walk_->form) {
            Value* const first = first_line(ir_, *walk_);
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
            begins.push_back(Bounds(ir_).at(mark_of(*walk_),
                                            ir_.CreateAlignedLoad(ir_.getInt64Ty(), at, llvm::Align(8), true),
                                            {0, line_bytes}));
        }
        return begins;
    }

    llvm::Function& function_;
    llvm::IRBuilder<> ir_;
    bool eager_;
    const LaneRow* walk_ = nullptr;
    llvm::AllocaInst* credit_ = nullptr;
    llvm::AllocaInst* lines_ = nullptr;
    llvm::AllocaInst* used_ = nullptr;
    llvm::AllocaInst* start_ = nullptr;
};

} // namespace

void buffer_lane_rows(llvm::Function& function, bool eager) {
    const LaneRows walks = find_lane_rows(function, eager);
    Building building(function, eager);
    for (const LaneRow& walk : walks.all) {
        const RowLoop& around = walks.loops[walk.loop];
        const bool alone = std::ranges::count(walks.all, walk.loop, &LaneRow::loop) == 1;
        if (eager || !alone || !transpose_unrolled_rows(walk, around))
            building.build(walk, around);
    }
}

} // namespace visor::jit
