#include "jit/memory/buffer_rows.h"

#include "jit/analysis/lane_rows.h"
#include "jit/memory/row_stores.h"
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

// Estimated cost of loading lines, in iterations served, and the initial credit of a call.
constexpr uint64_t cost = 5;
constexpr uint64_t credit = 64;

class RowBuffering {
public:
    RowBuffering(llvm::Function& function, uint32_t block_units, bool eager)
        : function_(function), ir_(function.getContext()), block_units_(block_units), eager_(eager) {}

    void build(const LaneRow& row, const RowLoop& row_loop) {
        row_ = &row;
        create_buffers(row_loop);
        llvm::CallInst& load = *row.load;
        llvm::BasicBlock* const before = load.getParent();
        llvm::BasicBlock* const done = before->splitBasicBlock(load.getIterator());
        llvm::BasicBlock* const match = block("match", done);
        llvm::BasicBlock* const hit = block("hit", done);
        llvm::BasicBlock* const miss = block("miss", done);
        llvm::BasicBlock* const look = block("look", done);
        llvm::BasicBlock* const refill = block("refill", done);
        llvm::BasicBlock* const give_up = block("give_up", done);
        llvm::BasicBlock* const bypass = block("bypass", done);
        before->getTerminator()->eraseFromParent();

        // Loops that gain nothing shall take few instructions more: cheap conditions come first.
        ir_.SetInsertPoint(before);
        Value* const used = ir_.CreateLoad(ir_.getInt64Ty(), used_);
        ir_.CreateCondBr(ir_.CreateICmpNE(used, number(line_bytes)), match, miss, odds(line_units - 1, 1));
        ir_.SetInsertPoint(match);
        ir_.CreateCondBr(is_next(used), hit, miss, odds(line_units - 1, 1));
        ir_.SetInsertPoint(miss);
        ir_.CreateCondBr(has_credit(), look, bypass, odds(1, 1));
        ir_.SetInsertPoint(look);
        ir_.CreateCondBr(ir_.CreateAnd(lanes_are_far(), lines_are_inside(ir_, *row_)), refill, give_up,
                         odds(1, 1));
        ir_.SetInsertPoint(give_up);
        earn(-static_cast<int64_t>(cost));
        ir_.CreateBr(bypass);
        ir_.SetInsertPoint(refill);
        read_lines();
        ir_.CreateBr(hit);

        ir_.SetInsertPoint(hit);
        llvm::PHINode* const at = ir_.CreatePHI(ir_.getInt64Ty(), 2);
        at->addIncoming(used, match);
        at->addIncoming(number(0), refill);
        auto* const column_type = llvm::ArrayType::get(ir_.getInt8Ty(), row.lanes());
        Value* const column = Bounds(ir_).elements(lines_, load.getType(), column_type, at);
        Value* const taken = ir_.CreateAlignedLoad(load.getType(), column, column_alignment());
        if (prefetches_each_iteration())
            prefetch_share_of_next(at);
        ir_.CreateStore(ir_.CreateAdd(at, number(unit_bytes)), used_);
        earn(1);
        ir_.CreateBr(done);

        ir_.SetInsertPoint(bypass);
        ir_.CreateStore(number(line_bytes), used_);
        llvm::Instruction* const end = ir_.CreateBr(done);
        llvm::PHINode* const result = llvm::PHINode::Create(load.getType(), 2, "", done->begin());
        load.replaceAllUsesWith(result);
        load.moveBefore(end);
        result->addIncoming(taken, hit);
        result->addIncoming(&load, bypass);
        for (const RowStore& store : row_loop.stores)
            invalidate_behind(store);
    }

private:
    llvm::BasicBlock* block(const char* name, llvm::BasicBlock* before) {
        return llvm::BasicBlock::Create(function_.getContext(), name, &function_, before);
    }
    llvm::MDNode* odds(uint32_t yes, uint32_t no) {
        return llvm::MDBuilder(function_.getContext()).createBranchWeights(yes, no);
    }
    Value* number(int64_t value) { return ir_.getInt64(static_cast<uint64_t>(value)); }
    [[nodiscard]] bool flat() const { return row_->check != nullptr; }
    [[nodiscard]] llvm::Align column_alignment() const {
        return llvm::Align(std::min<uint64_t>(uint64_t{row_->lanes()} * unit_bytes, line_bytes));
    }

    llvm::AllocaInst* on_stack(llvm::Type* type, uint64_t alignment) {
        llvm::IRBuilder<> entry(&*function_.getEntryBlock().begin());
        llvm::AllocaInst* const buffer = entry.CreateAlloca(type);
        buffer->setAlignment(llvm::Align(alignment));
        return buffer;
    }

    // The lines, the bytes of them already used, and the address that they were loaded from.
    void create_buffers(const RowLoop& row_loop) {
        if (credit_ == nullptr) {
            credit_ = on_stack(ir_.getInt64Ty(), 8);
            ir_.SetInsertPoint(credit_->getParent(), std::next(credit_->getIterator()));
            ir_.CreateStore(ir_.getInt64(credit), credit_);
        }
        lines_ = on_stack(llvm::ArrayType::get(ir_.getInt32Ty(), uint64_t{line_units} * row_->lanes()),
                          line_bytes);
        used_ = on_stack(ir_.getInt64Ty(), 8);
        llvm::Type* const type = row_->form ? row_->form->base->getType() : row_->addresses()->getType();
        start_ = on_stack(type, line_bytes);
        for (llvm::AllocaInst** const one : {&memory_, &memory_bytes_, &first_})
            *one = row_loop.stores.empty() ? nullptr : on_stack(ir_.getInt64Ty(), 8);
        for (llvm::BasicBlock* const from : llvm::predecessors(row_loop.header)) {
            if (std::ranges::find(row_loop.latches, from) != row_loop.latches.end())
                continue;
            ir_.SetInsertPoint(from->getTerminator());
            ir_.CreateStore(number(line_bytes), used_);
            ir_.CreateStore(llvm::Constant::getNullValue(type), start_);
            for (llvm::AllocaInst* const one : {memory_, memory_bytes_, first_})
                if (one != nullptr)
                    ir_.CreateStore(number(0), one);
        }
        for (llvm::BasicBlock* const cold : row_loop.cold) {
            ir_.SetInsertPoint(cold->getTerminator());
            ir_.CreateStore(number(line_bytes), used_);
        }
    }

    // ---- stores of the loop

    // Kept when lines are loaded: where they come from need not dominate the store.
    void keep_memory() {
        const auto [memory, bytes] = memory_of(ir_, *row_->load, row_->check);
        ir_.CreateStore(memory, memory_);
        ir_.CreateStore(bytes, memory_bytes_);
        if (row_->form) {
            Value* const offset = ir_.CreateAdd(ir_.CreateZExt(row_->form->base, ir_.getInt64Ty()),
                                                number(row_->displacement()));
            ir_.CreateStore(flat() ? offset : ir_.CreateAdd(offset, memory), first_);
        }
    }

    void invalidate_behind(const RowStore& store) {
        ir_.SetInsertPoint(store.store->getNextNode());
        const auto load = [&](llvm::AllocaInst* from) { return ir_.CreateLoad(ir_.getInt64Ty(), from); };
        const BufferedLines lines{load(memory_), load(memory_bytes_), load(first_), load(used_)};
        Value* const keeps = leaves_lines(ir_, *row_, lines, store);
        ir_.CreateStore(ir_.CreateSelect(keeps, lines.used, number(line_bytes)), used_);
    }

    // ---- conditions

    Value* splat(Value* value) { return ir_.CreateVectorSplat(row_->lanes(), value); }

    // Whether the lanes read what comes after the first USED bytes of the lines.
    Value* is_next(Value* used) {
        Value* const start = ir_.CreateLoad(start_->getAllocatedType(), start_);
        Value* const passed = ir_.CreateTrunc(used, start->getType()->getScalarType());
        if (row_->form) {
            Value* const same = ir_.CreateICmpEQ(row_->form->base, ir_.CreateAdd(start, passed));
            return ir_.CreateAnd(same, conditions_of(ir_, *row_->form));
        }
        Value* const same = ir_.CreateICmpEQ(row_->addresses(), ir_.CreateAdd(start, splat(passed)));
        return every_on(ir_, same, row_->on());
    }

    Value* has_credit() {
        if (eager_)
            return ir_.getTrue();
        return ir_.CreateICmpUGE(ir_.CreateLoad(ir_.getInt64Ty(), credit_), ir_.getInt64(cost));
    }

    // The distance of lanes without a form is known here alone; of lanes side by side one load is enough.
    Value* lanes_are_far() {
        if (eager_ || row_->form)
            return ir_.getTrue();
        Value* const addresses = row_->addresses();
        Value* const step = ir_.CreateSub(ir_.CreateExtractElement(addresses, uint64_t{1}),
                                          ir_.CreateExtractElement(addresses, uint64_t{0}));
        const auto bytes = [&](int64_t value) {
            return llvm::ConstantInt::get(step->getType(), static_cast<uint64_t>(value), true);
        };
        return ir_.CreateICmpUGE(ir_.CreateAdd(step, bytes(close_bytes - 1)), bytes(2 * close_bytes - 1));
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
        if (memory_ != nullptr)
            keep_memory();
        const std::vector<Value*> line_pointers = pointers_to_lines();
        if (!prefetches_each_iteration())
            prefetch_next_lines(line_pointers);
        const uint32_t lanes = row_->lanes();
        for (uint32_t first = 0; first < lanes; first += block_units_)
            for (uint32_t unit = 0; unit < line_units; unit += block_units_)
                read_block(line_pointers, first, unit);
    }

    // Units `unit` ... of the lines of lanes `first` ...: as many as a vector register holds, of as many
    // lanes.
    void read_block(const std::vector<Value*>& line_pointers, uint32_t first, uint32_t unit) {
        auto* const part = llvm::FixedVectorType::get(ir_.getInt32Ty(), block_units_);
        const uint32_t lanes = row_->lanes();
        const uint32_t count = std::min(lanes - first, block_units_);
        std::vector<Value*> rows(block_units_, llvm::PoisonValue::get(part));
        for (uint32_t k = 0; k < count; ++k)
            rows[k] = ir_.CreateAlignedLoad(
                part, ir_.CreateConstGEP1_64(ir_.getInt32Ty(), line_pointers[first + k], unit),
                llvm::Align(1));
        const std::vector<Value*> columns = transposed(ir_, rows);
        std::vector<int> order(count);
        std::iota(order.begin(), order.end(), 0);
        for (uint32_t k = 0; k < block_units_; ++k)
            ir_.CreateAlignedStore(
                ir_.CreateShuffleVector(columns[k], order),
                ir_.CreateConstGEP1_64(ir_.getInt32Ty(), lines_, uint64_t{unit + k} * lanes + first),
                llvm::Align(std::min<uint64_t>(uint64_t{count} * unit_bytes, line_bytes)));
    }

    // The prefetches exceed the CPU's outstanding misses: distributes them over the iterations. Requires that
    // the iteration's number determines its lines.
    [[nodiscard]] bool prefetches_each_iteration() const {
        return row_->form && row_->lanes() % line_units == 0 && row_->row_step();
    }

    void prefetch_share_of_next(Value* at) {
        const int64_t lines_per_iteration = row_->lanes() / line_units; // lines
        const int64_t step = *row_->row_step();
        Value* const row =
            ir_.CreateExactSDiv(ir_.CreateMul(at, number(lines_per_iteration * step)), number(unit_bytes));
        Value* const lines = ir_.CreateGEP(ir_.getInt8Ty(), first_line(ir_, *row_), ir_.CreateSub(row, at));
        for (int64_t k = 0; k < lines_per_iteration; ++k)
            prefetch_line(ir_, ir_.CreateGEP(ir_.getInt8Ty(), lines, number(row_->next_line() + k * step)));
    }

    // No hardware prefetcher follows so many rows.
    void prefetch_next_lines(const std::vector<Value*>& line_pointers) {
        for (Value* const begin : line_pointers)
            prefetch_line(ir_, ir_.CreateGEP(ir_.getInt8Ty(), begin, number(row_->next_line())));
    }

    // Inactive lanes, which may become active later, get an address that never matches. Flat memory does not
    // begin at 0, and no surface extends so far (a lane there reads zero, as in an inactive lane's line).
    Value* start_of_lines() {
        if (row_->form)
            return row_->form->base;
        constexpr uint32_t longest_surface = uint32_t{1} << 31U;
        Value* const unused_address =
            flat() ? ir_.getInt64(0) : static_cast<Value*>(ir_.getInt32(longest_surface));
        return ir_.CreateSelect(row_->on(), row_->addresses(), splat(unused_address));
    }

    // Inactive lanes load zeros of the module.
    std::vector<Value*> pointers_to_lines() {
        std::vector<Value*> line_pointers;
        const uint32_t lanes = row_->lanes();
        if (row_->form) {
            Value* const first = first_line(ir_, *row_);
            for (const int64_t step : row_->form->steps)
                line_pointers.push_back(
                    ir_.CreateConstGEP1_64(ir_.getInt8Ty(), first, static_cast<uint64_t>(step)));
            return line_pointers;
        }
        auto* const wide = llvm::FixedVectorType::get(ir_.getInt64Ty(), lanes);
        Value* addresses = ir_.CreateAdd(flat() ? row_->addresses() : ir_.CreateZExt(row_->addresses(), wide),
                                         splat(number(row_->displacement())));
        if (!flat())
            addresses =
                ir_.CreateAdd(addresses, splat(ir_.CreatePtrToInt(row_->load->data(), ir_.getInt64Ty())));
        Value* const none = splat(ir_.CreatePtrToInt(zeros(*function_.getParent()), ir_.getInt64Ty()));
        // Memory is faster than extracting elements.
        llvm::AllocaInst* const buffer = on_stack(wide, line_bytes);
        ir_.CreateAlignedStore(ir_.CreateSelect(row_->on(), addresses, none), buffer, llvm::Align(line_bytes),
                               true);
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            Value* const at = ir_.CreateConstGEP1_64(ir_.getInt64Ty(), buffer, lane);
            line_pointers.push_back(Bounds(ir_).at(
                mark_of(*row_), ir_.CreateAlignedLoad(ir_.getInt64Ty(), at, llvm::Align(8), true),
                {0, line_bytes}));
        }
        return line_pointers;
    }

    llvm::Function& function_;
    llvm::IRBuilder<> ir_;
    uint32_t block_units_; // 4, 8 or 16
    bool eager_;
    const LaneRow* row_ = nullptr;
    llvm::AllocaInst* credit_ = nullptr;
    llvm::AllocaInst* lines_ = nullptr;
    llvm::AllocaInst* used_ = nullptr;
    llvm::AllocaInst* start_ = nullptr;
    llvm::AllocaInst* memory_ = nullptr; // of the lines (BufferedLines); null where the loop stores nothing
    llvm::AllocaInst* memory_bytes_ = nullptr;
    llvm::AllocaInst* first_ = nullptr;
};

} // namespace

void buffer_lane_rows(llvm::Function& function, uint32_t register_bits, bool eager) {
    const uint32_t block_units =
        std::min(register_bits / (8 * static_cast<uint32_t>(unit_bytes)), line_units);
    const LaneRows rows = find_lane_rows(function, eager);
    RowBuffering buffering(function, block_units, eager);
    for (const LaneRow& row : rows.all) {
        const RowLoop& row_loop = rows.loops[row.loop];
        const bool alone = std::ranges::count(rows.all, row.loop, &LaneRow::loop) == 1;
        const bool in_registers = alone && row_loop.stores.empty() && block_units == line_units && !eager;
        if (!in_registers || !transpose_unrolled_rows(row, row_loop))
            buffering.build(row, row_loop);
    }
}

} // namespace visor::jit
