// SIMD control flow with reconvergence (GOTO page; launch ABI 3.1). Lanes that branch are parked at their
// label, lanes that do not take a backward branch after it. They rejoin when control arrives there. When no
// lane is active, control goes to the nearest later label with parked lanes. A goto is a plain branch where
// it is uniform and no lane is parked. Backward branches are safepoints.
#include "jit/translate/translator.h"

#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "jit/ir/runtime_call.h"
#include "jit/ir/safepoint.h"
#include "program/waits.h"

#include <algorithm>
#include <utility>

namespace visor::jit {

namespace {

namespace opcode = isa::opcode;

// A thread that has executed so many atomics in a row may be waiting for another; a fence counts as several.
constexpr uint32_t atomics_before_yield = 1000;
constexpr uint32_t atomics_in_fence = 16;

bool is_fence(const PreparedInstruction& instruction) {
    return instruction.row->opcode == opcode::fence || instruction.row->opcode == opcode::lsc_fence;
}

} // namespace

llvm::BasicBlock* Translator::target_of(uint32_t index) {
    return code_[std::min<size_t>(index, program_.code.size())];
}

llvm::BasicBlock* Translator::search_parked(uint32_t index, llvm::BasicBlock* last) {
    const auto next = std::ranges::lower_bound(program_.joins, index + 1);
    std::vector<size_t> joins;
    for (auto k = static_cast<size_t>(next - program_.joins.begin()); k < program_.joins.size(); ++k)
        if (info_.waited_from[k] <= index)
            joins.push_back(k);
    llvm::BasicBlock* otherwise = last;
    std::vector<size_t> from; // the joins that the rest of the search tests: its key
    if (last == nullptr) {
        if (joins.empty())
            return ended_;
        // Some lane is parked: at the last join if not before.
        otherwise = code_[program_.joins[joins.back()]];
        from.push_back(joins.back());
        joins.pop_back();
    }
    const llvm::IRBuilder<>::InsertPointGuard guard(ir_);
    for (; !joins.empty(); joins.pop_back()) {
        const size_t join = joins.back();
        from.insert(from.begin(), join);
        std::vector<size_t> key = from;
        if (last != nullptr)
            key.push_back(SIZE_MAX);
        llvm::BasicBlock*& search = searches_[key];
        if (search == nullptr) {
            search = block("search");
            begin(search);
            Value* const waits =
                ir_.CreateICmpNE(ir_.CreateLoad(ir_.getInt32Ty(), waiting_[join]), ir_.getInt32(0));
            ir_.CreateCondBr(waits, code_[program_.joins[join]], otherwise);
        }
        otherwise = search;
    }
    return otherwise;
}

// Once per block, not per message. The interpreter counts its own again.
void Translator::add_idle_atomics(uint32_t first, uint32_t end) {
    uint32_t count = 0;
    for (uint32_t i = first; i < end; ++i) {
        const isa::Row& row = *program_.code[i].row;
        if (isa::has(row, isa::atomic_access))
            ++count;
        else if (row.opcode == opcode::fence || row.opcode == opcode::lsc_fence)
            count += atomics_in_fence;
    }
    if (count == 0)
        return;
    Value* const idle = member(offsetof(State, idle_atomics), ir_.getPtrTy());
    ir_.CreateStore(ir_.CreateAdd(ir_.CreateLoad(ir_.getInt32Ty(), idle), ir_.getInt32(count)), idle);
}

void Translator::reset_idle_atomics() {
    if (info_.spins)
        ir_.CreateStore(ir_.getInt32(0), member(offsetof(State, idle_atomics), ir_.getPtrTy()));
}

// A safepoint before the branch to `target`: tests the stop flag, the fuel, and the spin counter.
void Translator::poll_and_branch(uint32_t target) {
    Value* const stopped = ir_.CreateICmpNE(
        ir_.CreateLoad(ir_.getInt8Ty(), member(offsetof(State, stop), ir_.getPtrTy()), true), ir_.getInt8(0));
    Value* const fuel = member(offsetof(State, fuel), ir_.getInt64Ty());
    Value* const count = ir_.CreateLoad(ir_.getInt64Ty(), counter_);
    Value* needs_poll = create_poll_condition(ir_, stopped, count, fuel);
    const auto entry = std::ranges::lower_bound(info_.entries, target);
    const bool can_yield = entry != info_.entries.end() && *entry == target && info_.spins;
    if (can_yield) {
        Value* const idle =
            ir_.CreateLoad(ir_.getInt32Ty(), member(offsetof(State, idle_atomics), ir_.getPtrTy()));
        needs_poll = ir_.CreateOr(needs_poll, ir_.CreateICmpUGE(idle, ir_.getInt32(atomics_before_yield)));
    }
    llvm::BasicBlock* const attention = block("attention");
    create_safepoint_poll(ir_, needs_poll, attention, target_of(target));
    begin(attention);
    store_control(target);
    Value* const status = create_poll_call(ir_, state_, index_, can_yield);
    llvm::BasicBlock* stops = leave_;
    if (can_yield) {
        const auto number = static_cast<size_t>(entry - info_.entries.begin());
        if (exits_[number] == nullptr)
            exits_[number] = block("exit");
        stops = exits_[number];
    }
    ir_.CreateCondBr(ir_.CreateICmpEQ(status, ir_.getInt32(0)), target_of(target), stops);
}

// As bits of the thread's lanes. An instruction of one lane decides for all active lanes.
Translator::Value* Translator::taken_lanes(const Instruction& instruction) {
    Value* const running = current_mask();
    if (instruction.execution.size == 1) {
        Value* const taken = predicate(instruction.predicate, instruction.execution).bits;
        return ir_.CreateSelect(taken, running, ir_.getInt32(0));
    }
    Value* const lanes = ir_.CreateZExt(enabled(instruction).bits, ir_.getInt32Ty());
    return ir_.CreateAnd(ir_.CreateShl(lanes, instruction.execution.offset), running);
}

// The condition of a uniform goto: all active lanes take it or none.
Translator::Value* Translator::uniform_condition(const Instruction& instruction) {
    if (instruction.predicate.id == 0)
        return ir_.getTrue();
    if (instruction.execution.size == 1)
        return predicate(instruction.predicate, instruction.execution).bits;
    return ir_.CreateICmpNE(taken_lanes(instruction), ir_.getInt32(0));
}

void Translator::lower_goto(const Instruction& instruction) {
    const uint32_t target = instruction.target;
    const uint32_t next = index_ + 1;
    const bool backward = target <= index_;
    if (info_.plain_branch[index_]) {
        Value* const taken = uniform_condition(instruction);
        llvm::BasicBlock* goes = target_of(target);
        if (backward)
            goes = block("again");
        ir_.CreateCondBr(taken, goes, target_of(next));
        if (backward) {
            begin(goes);
            poll_and_branch(target);
        }
        return;
    }
    const auto wait_at = [&](uint32_t index, Value* lanes) {
        Value* const waiting = waiting_[program_.code[index].join];
        ir_.CreateStore(ir_.CreateOr(ir_.CreateLoad(ir_.getInt32Ty(), waiting), lanes), waiting);
    };
    Value* const taken = taken_lanes(instruction);
    Value* const staying = ir_.CreateAnd(current_mask(), ir_.CreateNot(taken));
    if (!backward) {
        wait_at(target, taken);
        ir_.CreateStore(staying, mask_);
        ir_.CreateCondBr(ir_.CreateICmpEQ(staying, ir_.getInt32(0)), search_parked(index_, nullptr),
                         target_of(next));
        return;
    }
    llvm::BasicBlock* const goes = block("again");
    ir_.CreateCondBr(ir_.CreateICmpEQ(taken, ir_.getInt32(0)), target_of(next), goes);
    begin(goes);
    if (next < program_.code.size())
        wait_at(next, staying);
    ir_.CreateStore(taken, mask_);
    poll_and_branch(target);
}

// Lane 0's predicate alone decides.
void Translator::lower_jump(const Instruction& instruction) {
    Value* taken = ir_.getTrue();
    if (instruction.predicate.id != 0) {
        const Mask mask = predicate(instruction.predicate, instruction.execution);
        taken = ir_.CreateTrunc(mask.bits, ir_.getInt1Ty());
    }
    const bool backward = instruction.target <= index_;
    llvm::BasicBlock* const goes = backward ? block("again") : target_of(instruction.target);
    ir_.CreateCondBr(taken, goes, target_of(index_ + 1));
    if (!backward)
        return;
    begin(goes);
    poll_and_branch(instruction.target);
}

bool Translator::lower_switch(const Instruction& instruction) {
    std::vector<uint32_t> labels;
    Value* index = nullptr;
    for (const PreparedOperand& at : program_.operands_of(instruction)) {
        if (at.kind == OperandKind::label)
            labels.push_back(at.base);
        else if (at.kind != OperandKind::literal)
            index = scalar(at);
    }
    if (index == nullptr)
        index = ir_.getInt64(UINT32_MAX);
    auto* const choice = ir_.CreateSwitch(ir_.CreateTrunc(index, ir_.getInt32Ty()), target_of(index_ + 1),
                                          static_cast<unsigned>(labels.size()));
    for (size_t k = 0; k < labels.size(); ++k) {
        llvm::BasicBlock* goes = target_of(labels[k]);
        if (labels[k] <= index_) {
            goes = block("again");
            begin(goes);
            poll_and_branch(labels[k]);
        }
        choice->addCase(ir_.getInt32(static_cast<uint32_t>(k)), goes);
    }
    return true;
}

// In a kernel: these lanes have ended.
void Translator::lower_return(const Instruction& instruction) {
    if (info_.convergent[index_] && instruction.predicate.id == 0 && instruction.execution.size == 1) {
        ir_.CreateBr(ended_);
        return;
    }
    Value* const staying = ir_.CreateAnd(current_mask(), ir_.CreateNot(taken_lanes(instruction)));
    ir_.CreateStore(staying, mask_);
    ir_.CreateCondBr(ir_.CreateICmpEQ(staying, ir_.getInt32(0)), search_parked(index_, ended_),
                     target_of(index_ + 1));
}

bool Translator::lower_flow(const Instruction& instruction) {
    if (instruction.row->family != isa::Family::flow)
        return false;
    switch (instruction.row->opcode) {
    case opcode::goto_:
        lower_goto(instruction);
        return true;
    case opcode::jmp:
        lower_jump(instruction);
        return true;
    case opcode::ret:
        lower_return(instruction);
        return true;
    case opcode::switchjmp:
        return lower_switch(instruction);
    case opcode::faddr:
        return options_.lowered && lower_symbol_address(instruction);
    default:
        return false;
    }
}

// Executes once, whatever the mask. An undefined symbol is an interpreter fallback, which reports it.
bool Translator::lower_symbol_address(const Instruction& instruction) {
    const PreparedOperand& to = operand(instruction, isa::operand_order::faddr::dst);
    if (to.kind != OperandKind::general && !to.null)
        return false;
    const auto which = std::ranges::lower_bound(with_symbols_, index_) - with_symbols_.begin();
    Value* address = nullptr;
    {
        const llvm::IRBuilder<>::InsertPointGuard guard(ir_);
        ir_.SetInsertPoint(function_start());
        const auto constant = [&](llvm::Type* type, Value* pointer) {
            return mark_invariant(ir_.CreateLoad(type, pointer));
        };
        Value* const symbols = constant(ir_.getPtrTy(), first_member_address(offsetof(State, symbols)));
        address = constant(ir_.getInt64Ty(), ir_.CreateConstInBoundsGEP1_64(ir_.getInt64Ty(), symbols,
                                                                            static_cast<uint64_t>(which)));
    }
    guarded(ir_.CreateICmpNE(address, ir_.getInt64(0)), [&] {
        if (!to.null)
            store_bits(to, ir_.CreateTrunc(address, integer(isa::size_of(to.type) * 8)), all_lanes(1));
    });
    return true;
}

// A group's barrier needs no call when this code runs all of the group's threads.
void Translator::meet(uint32_t actions) {
    store_control(index_ + 1);
    const auto entry = std::ranges::find(info_.entries, index_ + 1);
    llvm::BasicBlock* exit = nullptr;
    if (actions == (meet_signal | meet_wait) && entry != info_.entries.end()) {
        const auto number = static_cast<size_t>(entry - info_.entries.begin());
        if (exits_[number] == nullptr)
            exits_[number] = block("exit");
        exit = exits_[number];
        passes_at_[number] = true;
        llvm::BasicBlock* const parks = block("parks");
        llvm::BasicBlock* const calls = block("calls");
        Value* const count = member(offsetof(State, group_count), ir_.getInt64Ty());
        ir_.CreateCondBr(ir_.CreateICmpNE(count, ir_.getInt64(0)), parks, calls);
        begin(parks);
        ir_.CreateStore(ir_.getTrue(), parks_);
        ir_.CreateBr(exit);
        begin(calls);
    }
    if (std::exchange(fence_deferred_, false))
        fence_host();
    continue_or_stop(create_barrier_call(ir_, state_, index_, actions), false);
    if (exit == nullptr)
        return;
    // Saved and reloaded even so: every value at the entry is then what is saved
    // (transform/eliminate_redundant_saves.h).
    ir_.CreateStore(ir_.getTrue(), passes_);
    ir_.CreateBr(exit);
}

void Translator::fence_host() {
    ir_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::System);
}

// Shared local memory belongs to one CPU thread. A fence for it alone, like a compiler fence, keeps the
// code's order and costs nothing.
void Translator::lower_fence() {
    fence_deferred_ = fence_deferred_ || is_deferred_fence(index_);
    if (is_host_fence(index_) && !fence_deferred_)
        fence_host();
    else
        ir_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
}

bool Translator::is_host_fence(size_t index) const {
    const Instruction& instruction = program_.code[index];
    return is_fence(instruction) && program::fence_scope(program_, instruction).global;
}

// Directly before the group's barrier: no thread continues until the last one has arrived, and one host fence
// for all, on their CPU thread, is enough then.
bool Translator::is_deferred_fence(size_t index) const {
    constexpr size_t most_fences = 4; // in a row
    if (!is_host_fence(index))
        return false;
    for (size_t next = index + 1; next < program_.code.size() && next <= index + most_fences; ++next) {
        if (info_.leader[next])
            return false;
        if (!is_fence(program_.code[next]))
            return program_.code[next].row->opcode == opcode::barrier;
    }
    return false;
}

// One in the program is enough: a fence in each phase costs little.
bool Translator::defers_fences() {
    if (!defers_fences_) {
        defers_fences_ = false;
        for (size_t i = 0; i < program_.code.size() && !*defers_fences_; ++i)
            defers_fences_ = is_deferred_fence(i);
    }
    return *defers_fences_;
}

bool Translator::lower_sync(const Instruction& instruction) {
    if (instruction.row->family != isa::Family::sync && instruction.row->opcode != opcode::lsc_fence)
        return false;
    switch (instruction.row->opcode) {
    case opcode::fence:
    case opcode::lsc_fence:
        lower_fence();
        return true;
    case opcode::barrier:
        meet(meet_signal | meet_wait);
        return true;
    case opcode::sbarrier:
        meet(operand(instruction, isa::operand_order::nbarrier::mode).value == 1 ? meet_signal : meet_wait);
        return true;
    case opcode::yield:
        meet(meet_yield);
        return true;
    case opcode::sampler_cache_flush:
        return true;
    default:
        return false;
    }
}

} // namespace visor::jit
