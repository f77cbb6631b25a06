#include "jit/transform/unroll_and_jam_threads.h"

#include "jit/analysis/load_reduction.h"
#include "jit/analysis/memory_effects.h"
#include "jit/engine/runtime_abi.h"
#include "jit/ir/bounds.h"
#include "jit/ir/memory_intrinsics.h"
#include "jit/ir/prefetch.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr int64_t max_results = 32; // of a group: a mask bit and a stack slot each
constexpr int64_t min_chunk = 2;
constexpr size_t max_instructions = 8192; // per chunk
constexpr int64_t page_bytes = 4096;
constexpr int64_t max_unused = 256;   // unused results, after which caching stops
constexpr int64_t unused_per_hit = 2; // unused results that one hit offsets

size_t next_operation(const LoadReduction& reduction, size_t step) {
    do
        ++step;
    while (step < reduction.steps.size() && reduction.steps[step].loads);
    return step;
}

// Register pressure of a reduction with loads at their first use, without operands that the next operation
// kills.
size_t most_alive(const LoadReduction& reduction) {
    std::map<const Value*, size_t> last_use;
    for (size_t k = 0; k < reduction.steps.size(); ++k)
        if (!reduction.steps[k].loads)
            for (const Value* const operand : reduction.steps[k].code->operands())
                last_use[operand] = k;
    std::vector<size_t> ends(reduction.steps.size() + 1); // last uses by step
    size_t alive = 0;
    size_t most = 1;
    for (size_t k = 0; k < reduction.steps.size(); ++k) {
        alive -= ends[k];
        const auto last = last_use.find(reduction.steps[k].code);
        if (reduction.steps[k].loads || last == last_use.end() ||
            last->second <= next_operation(reduction, k))
            continue;
        ++alive;
        ++ends[last->second];
        most = std::max(most, alive);
    }
    return most;
}

class UnrollAndJam {
public:
    UnrollAndJam(llvm::Function& function, ThreadEntry& thread_entry, const ReductionRegion& region,
                 int64_t chunk)
        : function_(function), thread_entry_(thread_entry), region_(region), chunk_(chunk),
          ir_(function.getContext()) {}

    void build() {
        for (llvm::Instruction* const code : region_.hoisted)
            code->moveBefore(region_.first);
        result_type_ = reduction().result()->getType();
        create_buffers();
        llvm::BasicBlock* const after =
            region_.last->getParent()->splitBasicBlock(std::next(region_.last->getIterator()), "after");
        llvm::BasicBlock* const before = region_.first->getParent();
        llvm::BasicBlock* const direct = before->splitBasicBlock(region_.first->getIterator(), "direct");
        llvm::BasicBlock* const jam = block("jam", direct);
        llvm::BasicBlock* const lookup = block("lookup", direct);
        llvm::BasicBlock* const hit = block("hit", direct);
        before->getTerminator()->eraseFromParent();

        ir_.SetInsertPoint(before);
        for (const LoadReduction& one : region_.reductions)
            addresses_.push_back(address_of(one));
        Value* const results = results_to_compute();
        ir_.CreateCondBr(is_worth_it(results), jam, lookup, odds(1, 7));
        emit_jammed(jam, lookup, results);
        ir_.SetInsertPoint(lookup);
        Value* const bits = result_bits();
        Value* const remaining = ir_.CreateLoad(ir_.getInt64Ty(), remaining_);
        Value* const is_cached = ir_.CreateAnd(ir_.CreateICmpNE(bits, number(0)),
                                               ir_.CreateICmpEQ(ir_.CreateAnd(remaining, bits), bits));
        Value* const rest = ir_.CreateXor(remaining, bits);
        ir_.CreateCondBr(is_cached, hit, direct, odds(7, 1));
        emit_hit(hit, after, rest);
    }

    // Invalidates the cached results.
    void invalidate_at(llvm::Instruction& write) {
        ir_.SetInsertPoint(&write);
        ir_.CreateStore(number(0), remaining_);
    }

private:
    [[nodiscard]] const LoadReduction& reduction() const { return region_.reductions.front(); }
    [[nodiscard]] int64_t reductions_per_thread() const {
        return static_cast<int64_t>(region_.reductions.size());
    }
    llvm::BasicBlock* block(const char* name, llvm::BasicBlock* before) {
        return llvm::BasicBlock::Create(function_.getContext(), name, &function_, before);
    }
    llvm::MDNode* odds(uint32_t yes, uint32_t no) {
        return llvm::MDBuilder(function_.getContext()).createBranchWeights(yes, no);
    }
    Value* number(int64_t value) { return ir_.getInt64(static_cast<uint64_t>(value)); }
    [[nodiscard]] llvm::Align alignment() const {
        return llvm::Align(std::bit_floor(static_cast<uint64_t>(std::min(region_.row_bytes, line_bytes))));
    }

    // The results, a mask of unused ones, and the address of the first one's rows.
    void create_buffers() {
        llvm::BasicBlock& entry = function_.getEntryBlock();
        ir_.SetInsertPoint(&entry, entry.begin());
        auto* const buffer =
            ir_.CreateAlloca(llvm::ArrayType::get(result_type_, static_cast<uint64_t>(max_results)));
        buffer->setAlignment(llvm::Align(line_bytes));
        results_ = buffer;
        remaining_ = ir_.CreateAlloca(ir_.getInt64Ty());
        begin_ = ir_.CreateAlloca(ir_.getInt64Ty());
        ir_.CreateStore(number(0), remaining_);
        ir_.CreateStore(number(0), begin_);
    }

    // An address, or an offset in the surface.
    Value* address_of(const LoadReduction& one) {
        return ir_.CreateAdd(ir_.CreateZExt(one.root, ir_.getInt64Ty()), number(one.displacement));
    }

    // The results of the group, in whole chunks; 0 unless this is its first thread.
    Value* results_to_compute() {
        Value* const all =
            ir_.CreateMul(thread_entry_.group_threads_if_first(), number(reductions_per_thread()));
        Value* const whole = ir_.CreateAnd(all, number(-chunk_));
        Value* const fits = ir_.CreateICmpULE(whole, number(max_results));
        return ir_.CreateSelect(fits, whole, number(0));
    }

    Value* is_worth_it(Value* results) {
        Value* const bytes = ir_.CreateMul(results, number(region_.row_bytes));
        Value* const some = ir_.CreateICmpNE(results, number(0));
        Value* const direct = ir_.CreateICmpULE(bytes, number(region_.gap));
        Value* const unused =
            ir_.CreateLoad(ir_.getInt64Ty(), thread_entry_.member(ir_, offsetof(State, jammed)));
        Value* const used = ir_.CreateICmpSLE(unused, number(max_unused));
        return ir_.CreateAnd(ir_.CreateAnd(some, direct), ir_.CreateAnd(used, are_inside(bytes)));
    }

    // All rows of all results.
    Value* are_inside(Value* bytes) {
        Value* const lowest = ir_.CreateAdd(addresses_.front(), number(region_.low));
        Value* const span = ir_.CreateAdd(bytes, number(region_.high - region_.low));
        if (const auto* const check = llvm::dyn_cast<RangeCheck>(region_.first)) {
            Value* const end = ir_.CreateAdd(check->last(), number(check->bytes()));
            return Bounds(ir_).span_in({check->low(), end}, lowest, span);
        }
        const auto& load = llvm::cast<MemLoad>(*region_.first);
        return Bounds(ir_).span_in({.low = nullptr, .last = load.window_bytes()}, lowest, span);
    }

    void emit_jammed(llvm::BasicBlock* jam, llvm::BasicBlock* lookup, Value* results) {
        llvm::BasicBlock* const chunk = block("chunk", lookup);
        llvm::BasicBlock* const filled = block("filled", lookup);
        ir_.SetInsertPoint(jam);
        const auto* const load = llvm::dyn_cast<MemLoad>(region_.first);
        Value* const begin = load == nullptr
                                 ? ir_.CreateIntToPtr(addresses_.front(), ir_.getPtrTy())
                                 : ir_.CreateGEP(ir_.getInt8Ty(), load->data(), addresses_.front());
        ir_.CreateBr(chunk);
        ir_.SetInsertPoint(chunk);
        llvm::PHINode* const from = ir_.CreatePHI(ir_.getInt64Ty(), 2);
        auto* const results_of_chunk = llvm::ArrayType::get(result_type_, static_cast<uint64_t>(chunk_));
        emit_chunk(Bounds(ir_).behind({region_.flat() ? Guard::flat : Guard::surface, Use::ahead}, begin,
                                      ir_.CreateMul(from, number(region_.row_bytes)),
                                      {region_.low, region_.high + chunk_ * region_.row_bytes}),
                   Bounds(ir_).elements(results_, results_of_chunk, result_type_, from));
        Value* const next = ir_.CreateAdd(from, number(chunk_));
        from->addIncoming(number(0), jam);
        from->addIncoming(next, chunk);
        ir_.CreateCondBr(ir_.CreateICmpULT(next, results), chunk, filled);

        ir_.SetInsertPoint(filled);
        ir_.CreateStore(addresses_.front(), begin_);
        ir_.CreateStore(ir_.CreateSub(ir_.CreateShl(number(1), results), number(1)), remaining_);
        count(results);
        llvm::Instruction* const end = ir_.CreateBr(lookup);
        ir_.SetInsertPoint(end);
        thread_entry_.prefetch_next_stream(ir_.CreateGEP(ir_.getInt8Ty(), begin, number(region_.low)),
                                           region_.high - region_.low + region_.gap, end);
    }

    // Rows are adjacent: interleaves the results step by step.
    void emit_chunk(Value* begin, Value* results) {
        std::map<const Value*, int64_t> rows;
        for (const LoadReduction::Step& step : reduction().steps)
            if (step.loads)
                rows[step.code] = step.at;
        std::vector<std::map<const Value*, Value*>> values(static_cast<size_t>(chunk_)); // by result
        for (const LoadReduction::Step& step : reduction().steps) {
            if (step.loads)
                continue;
            for (size_t k = 0; k < values.size(); ++k) {
                for (Value* const operand : step.code->operands())
                    if (const auto row = rows.find(operand);
                        row != rows.end() && !values[k].contains(operand))
                        values[k][operand] =
                            row_at(begin, row->second + static_cast<int64_t>(k) * region_.row_bytes,
                                   operand->getType());
                values[k][step.code] = copy_of(*step.code, values[k]);
            }
        }
        for (size_t k = 0; k < values.size(); ++k)
            ir_.CreateAlignedStore(values[k].at(reduction().result()),
                                   ir_.CreateConstGEP1_64(result_type_, results, k), alignment());
    }

    // Hardware prefetchers stop at page boundaries.
    Value* row_at(Value* begin, int64_t at, llvm::Type* type) {
        const auto address = [&](int64_t distance) {
            return ir_.CreateGEP(ir_.getInt8Ty(), begin, number(at + distance));
        };
        for (int64_t line = 0; line < region_.row_bytes; line += line_bytes)
            prefetch_line(ir_, address(line + page_bytes), CacheLevel::second_cache);
        return ir_.CreateAlignedLoad(type, address(0), llvm::Align(1));
    }

    Value* copy_of(const llvm::Instruction& code, const std::map<const Value*, Value*>& values) {
        llvm::Instruction* const copy = code.clone();
        for (llvm::Use& operand : copy->operands())
            if (const auto known = values.find(operand); known != values.end())
                operand.set(known->second);
        return ir_.Insert(copy);
    }

    // The index of each reduction's result, and its mask bit; 0 if any is not cached.
    Value* result_bits() {
        Value* const begin = ir_.CreateLoad(ir_.getInt64Ty(), begin_);
        Value* bits = number(0);
        Value* all = ir_.getTrue();
        for (Value* const address : addresses_) {
            Value* const distance = ir_.CreateSub(address, begin);
            Value* const quotient = ir_.CreateLShr(distance, number(std::countr_zero(row_bytes())));
            Value* const exact =
                ir_.CreateICmpEQ(ir_.CreateAnd(distance, number(region_.row_bytes - 1)), number(0));
            const auto [inside, index] = Bounds(ir_).index_of(quotient, number(max_results));
            Value* const known = ir_.CreateAnd(exact, inside);
            Value* const bit = ir_.CreateShl(number(1), index);
            all = ir_.CreateAnd(all,
                                ir_.CreateAnd(known, ir_.CreateICmpEQ(ir_.CreateAnd(bits, bit), number(0))));
            bits = ir_.CreateOr(bits, bit);
            indices_.push_back(index);
        }
        return ir_.CreateSelect(all, bits, number(0));
    }

    [[nodiscard]] uint64_t row_bytes() const { return static_cast<uint64_t>(region_.row_bytes); }

    void emit_hit(llvm::BasicBlock* hit, llvm::BasicBlock* after, Value* remaining) {
        ir_.SetInsertPoint(hit);
        ir_.CreateStore(remaining, remaining_);
        std::vector<Value*> taken;
        for (Value* const index : indices_)
            taken.push_back(ir_.CreateAlignedLoad(
                result_type_, Bounds(ir_).element(results_, result_type_, index), alignment()));
        count(number(-unused_per_hit * reductions_per_thread()));
        ir_.CreateBr(after);
        for (size_t k = 0; k < taken.size(); ++k)
            choose(region_.reductions[k], taken[k], hit, after);
    }

    // Users take a phi of the cached and the computed result.
    void choose(const LoadReduction& one, Value* taken, llvm::BasicBlock* hit, llvm::BasicBlock* after) {
        auto* const result = llvm::PHINode::Create(taken->getType(), 2, "", after->begin());
        for (llvm::Use* const use : one.uses_after)
            use->set(result);
        result->addIncoming(one.result(), region_.last->getParent());
        result->addIncoming(taken, hit);
    }

    // Adds to the first thread's count of unused results; used ones reduce it.
    void count(Value* more) {
        Value* const address = thread_entry_.member_of_first(ir_, offsetof(State, jammed));
        Value* const sum = ir_.CreateAdd(ir_.CreateLoad(ir_.getInt64Ty(), address), more);
        ir_.CreateStore(ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, sum, number(0)), address);
    }

    llvm::Function& function_;
    ThreadEntry& thread_entry_;
    const ReductionRegion& region_;
    int64_t chunk_;
    llvm::IRBuilder<> ir_;
    llvm::Type* result_type_ = nullptr;
    Value* results_ = nullptr;
    Value* remaining_ = nullptr;
    Value* begin_ = nullptr;
    std::vector<Value*> addresses_; // of this thread's reductions
    std::vector<Value*> indices_;   // of their cached results
};

// Threads of a group run one after the other on a CPU thread: compiler fences and shared local memory do not
// invalidate.
std::vector<llvm::Instruction*> writes_of(llvm::Function& function) {
    std::vector<llvm::Instruction*> writes;
    for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block) {
            const auto* const fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
            const auto* const store = llvm::dyn_cast<MemStore>(&instruction);
            const bool local = store != nullptr && !store->flat() && masks_offsets(store->offset_mask());
            const bool own = fence != nullptr && fence->getSyncScopeID() == llvm::SyncScope::SingleThread;
            if (!local && !own && (may_write(instruction) || orders_memory(instruction)))
                writes.push_back(&instruction);
        }
    return writes;
}

// Results per chunk, a power of two; 0: register pressure is too high.
int64_t chunk_of(const ReductionRegion& region, VectorRegisters registers) {
    const LoadReduction& reduction = region.reductions.front();
    const uint64_t row_bits = static_cast<uint64_t>(region.row_bytes) * 8;
    const uint64_t of_value = (row_bits + registers.bits - 1) / std::max(registers.bits, 1U);
    const uint64_t fit = registers.count * 5 / 8 / (of_value * most_alive(reduction));
    const auto chunk = static_cast<int64_t>(std::bit_floor(std::min<uint64_t>(fit, max_results)));
    const auto lines = static_cast<size_t>((region.row_bytes + line_bytes - 1) / line_bytes);
    const auto rows =
        static_cast<size_t>(std::ranges::count(reduction.steps, true, &LoadReduction::Step::loads));
    const size_t of_result = reduction.steps.size() + rows * (1 + 2 * lines); // addresses and prefetches
    const bool is_short = of_result * static_cast<size_t>(chunk) <= max_instructions;
    return chunk >= min_chunk && is_short ? chunk : 0;
}

} // namespace

void unroll_and_jam_threads(llvm::Function& function, ThreadEntry& thread_entry, VectorRegisters registers) {
    const std::vector<ReductionRegion> regions = find_load_reductions(function);
    if (regions.empty())
        return;
    const std::vector<llvm::Instruction*> writes = writes_of(function);
    for (const ReductionRegion& region : regions) {
        const int64_t chunk = chunk_of(region, registers);
        if (chunk == 0)
            continue;
        UnrollAndJam unroll_and_jam(function, thread_entry, region, chunk);
        unroll_and_jam.build();
        for (llvm::Instruction* const write : writes)
            unroll_and_jam.invalidate_at(*write);
    }
}

} // namespace visor::jit
