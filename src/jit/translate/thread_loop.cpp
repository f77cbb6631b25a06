// Thread scheduling in generated code: how threads begin, follow each other, stop, resume and end. Emits the
// stack storage, the initial registers, and the transition to the next thread, barriers of a group included.
#include "jit/translate/translator.h"

#include "isa/opcode.h"
#include "jit/engine/runtime_calls.h"
#include "jit/ir/runtime_call.h"
#include "jit/ir/thread_entry.h"

#include <algorithm>

namespace visor::jit {

namespace {

constexpr llvm::Align any_alignment; // any byte

} // namespace

// Allocas, once for all threads.
void Translator::create_storage() {
    for (const Root& root : info_.roots)
        root_.push_back(root.pinned || root.bytes == 0
                            ? nullptr
                            : ir_.CreateAlloca(llvm::ArrayType::get(ir_.getInt32Ty(), root.bytes / 4)));
    const auto words = [&](std::vector<Value*>& out, size_t count) {
        for (size_t i = 0; i < count; ++i)
            out.push_back(ir_.CreateAlloca(ir_.getInt32Ty()));
    };
    words(predicate_, program_.predicate_count);
    words(address_, program_.address_elements);
    if (waiting_as_values())
        words(waiting_, program_.joins.size());
    mask_ = ir_.CreateAlloca(ir_.getInt32Ty());
    counter_ = ir_.CreateAlloca(ir_.getInt64Ty());
    total_ = ir_.CreateAlloca(ir_.getInt64Ty());
    more_ = ir_.CreateAlloca(ir_.getInt64Ty());
    phase_ = ir_.CreateAlloca(ir_.getInt64Ty());
    stopped_ = ir_.CreateAlloca(ir_.getInt64Ty());
    parks_ = ir_.CreateAlloca(ir_.getInt1Ty());
    passes_ = ir_.CreateAlloca(ir_.getInt1Ty());
    ir_.CreateStore(ir_.getInt64(0), phase_);
    ir_.CreateStore(ir_.getInt64(0), stopped_);
    ir_.CreateStore(ir_.getFalse(), parks_);
    ir_.CreateStore(ir_.getFalse(), passes_);
    ir_.CreateStore(ir_.getInt64(0), total_);
}

void Translator::clear_root(uint32_t root) {
    // Short ones as the vectors that they become; long ones as an integer, which SROA splits anywhere.
    constexpr uint32_t most_dwords = 32;
    const uint32_t dwords = info_.roots[root].bytes / 4;
    llvm::Type* const type = dwords <= most_dwords
                                 ? static_cast<llvm::Type*>(vector(ir_.getInt32Ty(), dwords))
                                 : integer(info_.roots[root].bytes * 8);
    ir_.CreateAlignedStore(llvm::Constant::getNullValue(type), root_[root], any_alignment);
}

// Per thread; block-local variables are cleared in their block.
void Translator::clear_storage() {
    for (const auto* const words : {&predicate_, &address_})
        for (Value* const word : *words)
            ir_.CreateStore(ir_.getInt32(0), word);
    for (uint32_t r = 0; r < root_.size(); ++r)
        if (root_[r] != nullptr && !info_.roots[r].local)
            clear_root(r);
    for (size_t k = 0; k < program_.joins.size(); ++k) {
        if (waiting_as_values())
            ir_.CreateStore(ir_.getInt32(0), waiting_[k]);
        else
            waiting_.push_back(ir_.CreateConstGEP1_64(ir_.getInt32Ty(), waiting_in_memory_, k));
    }
}

// Whether masks of waiting lanes are SSA values. They cost a phi at every label for every other one, so with
// many labels they stay in memory.
bool Translator::waiting_as_values() const {
    constexpr size_t most_values = 400;
    return program_.joins.size() <= most_values;
}

void Translator::create_blocks() {
    code_.assign(program_.code.size() + 1, nullptr);
    past_end_ = block("past_end");
    for (size_t i = 0; i < program_.code.size(); ++i)
        if (info_.leader[i])
            code_[i] = block("code");
    code_[program_.code.size()] = past_end_;
    exits_.assign(info_.entries.size(), nullptr);
    leave_ = block("leave");
    ended_ = block("ended");
    arrived_ = block("arrived");
}

void Translator::emit_entry() {
    llvm::BasicBlock* const entry = block("entry");
    llvm::BasicBlock* const thread = block("thread");
    begin(entry);
    create_storage();
    load_shared();
    group_ = block("group");
    ir_.CreateBr(group_);
    begin(group_);
    begin_group();
    ir_.CreateBr(thread);
    begin(thread);
    auto* const pointer = ir_.getPtrTy();
    llvm::PHINode* const state = ir_.CreatePHI(pointer, 3);
    state->addIncoming(function_->getArg(0), group_);
    state_ = state;
    thread_start_ = ir_.CreateStore(ir_.getInt32(0), member_address(offsetof(State, ended)));
    mark_thread_start(*thread_start_, has_barrier());
    registers_ = member(offsetof(State, registers), pointer);
    predicates_ = member(offsetof(State, predicates), pointer);
    addresses_ = member(offsetof(State, addresses), pointer);
    waiting_in_memory_ = member(offsetof(State, waiting), pointer);
    saved_ = member(offsetof(State, saved), pointer);
    surface_numbers_ = member(offsetof(State, surfaces), pointer);
    dispatched_ = options_.full ? ir_.getInt32(machine::lane_bits(options_.simd))
                                : member(offsetof(State, dispatch_mask), ir_.getInt32Ty());
    ir_.CreateStore(member(offsetof(State, mask), ir_.getInt32Ty()), mask_);
    ir_.CreateStore(member(offsetof(State, instructions), ir_.getInt64Ty()), counter_);
    clear_storage();
    load_inputs(true);
    create_blocks();
    emit_dispatch();
    emit_end(state);
}

bool Translator::has_barrier() const {
    return std::ranges::any_of(program_.code, [](const Instruction& instruction) {
        return instruction.row->opcode == isa::opcode::barrier;
    });
}

// The next thread's State; wraps around within the group if there are barriers.
Translator::Value* Translator::next_state() {
    auto* const byte = ir_.getInt8Ty();
    Value* const next = ir_.CreateConstInBoundsGEP1_64(byte, state_, sizeof(State));
    if (!has_barrier())
        return next;
    Value* const group = member(offsetof(State, group), ir_.getPtrTy());
    Value* const bytes =
        ir_.CreateMul(member(offsetof(State, group_count), ir_.getInt64Ty()), ir_.getInt64(sizeof(State)));
    Value* const end = ir_.CreateGEP(byte, group, bytes); // `group` itself if the engine handles the barrier
    return ir_.CreateSelect(ir_.CreateICmpEQ(next, end), group, next);
}

// The thread has ended, or waits at the group's barrier: continues with the next one. When all threads wait a
// new phase begins.
void Translator::emit_end(llvm::PHINode* state) {
    auto* const qword = ir_.getInt64Ty();
    llvm::BasicBlock* const last = block("last");
    llvm::BasicBlock* const within_fuel = block("within_fuel");
    llvm::BasicBlock* const next_thread = block("next_thread");
    const auto go_on_with = [&](Value* next) {
        state->addIncoming(next, ir_.GetInsertBlock());
        ir_.CreateBr(state->getParent());
    };
    begin(ended_);
    Value* const spent = ir_.CreateLoad(qword, counter_);
    ir_.CreateCondBr(ir_.CreateICmpUGT(spent, member(offsetof(State, fuel), qword)), last, within_fuel);
    begin(within_fuel);
    ir_.CreateStore(ir_.CreateAdd(ir_.CreateLoad(qword, total_), spent), total_);
    set_member(offsetof(State, ended), ir_.getInt32(1));
    if (info_.entries.size() > 1) { // reset for the next group; threads that cannot stop need no reset
        set_member(offsetof(State, pc), ir_.getInt32(0));
        set_member(offsetof(State, mask), dispatched_);
        set_member(offsetof(State, instructions), ir_.getInt64(0));
    }
    ir_.CreateBr(next_thread);
    begin(arrived_);
    ir_.CreateStore(ir_.getFalse(), parks_);
    ir_.CreateStore(ir_.CreateAdd(ir_.CreateLoad(qword, stopped_), ir_.getInt64(1)), stopped_);
    ir_.CreateBr(next_thread);

    llvm::BasicBlock* const next = block("next");
    llvm::BasicBlock* const all_ran = block("all_ran");
    llvm::BasicBlock* const some = block("some");
    llvm::BasicBlock* const phase = block("phase");
    llvm::BasicBlock* const mixed = block("mixed");
    begin(next_thread);
    Value* const more = ir_.CreateLoad(qword, more_);
    ir_.CreateCondBr(ir_.CreateICmpEQ(more, ir_.getInt64(0)), all_ran, next);
    begin(next);
    ir_.CreateStore(ir_.CreateSub(more, ir_.getInt64(1)), more_);
    go_on_with(next_state());
    begin(all_ran);
    Value* const stopped = ir_.CreateLoad(qword, stopped_);
    llvm::BasicBlock* const none = block("none");
    ir_.CreateCondBr(ir_.CreateICmpEQ(stopped, ir_.getInt64(0)), none, some);
    begin(none);
    emit_next_group(last);
    state_ = state;
    begin(some);
    Value* const count = member(offsetof(State, group_count), qword);
    ir_.CreateCondBr(ir_.CreateICmpEQ(stopped, count), phase, mixed);
    begin(phase);
    if (defers_fences())
        fence_host();
    ir_.CreateStore(ir_.CreateAdd(ir_.CreateLoad(qword, phase_), ir_.getInt64(1)), phase_);
    ir_.CreateStore(ir_.getInt64(0), stopped_);
    ir_.CreateStore(ir_.CreateSub(count, ir_.getInt64(1)), more_);
    go_on_with(state_); // the last thread to arrive does not wait
    begin(mixed);
    set_member(offsetof(State, some_wait), ir_.getInt32(1));
    return_state();
    begin(last);
    set_member(offsetof(State, ended), ir_.getInt32(1));
    ir_.CreateBr(leave_);
}

// To the first instruction, or to where the thread stopped.
void Translator::emit_dispatch() {
    llvm::BasicBlock* const first = block("first");
    auto* const dispatch = ir_.CreateSwitch(member(offsetof(State, pc), ir_.getInt32Ty()), first,
                                            static_cast<unsigned>(info_.entries.size()));
    begin(first);
    restore_pinned();
    restore_surfaces();
    reset_idle_atomics();
    load_inputs(false);
    ir_.CreateBr(program_.code.empty() ? past_end_ : code_[0]);
    again_.assign(info_.entries.size(), nullptr);
    passes_at_.assign(info_.entries.size(), false);
    for (size_t e = 0; e < info_.entries.size(); ++e) {
        const uint32_t pc = info_.entries[e];
        if (pc == 0)
            continue;
        again_[e] = block("again");
        dispatch->addCase(ir_.getInt32(pc), again_[e]);
        begin(again_[e]);
        reset_idle_atomics(); // other threads have run since
        ir_.CreateStore(ir_.getFalse(), passes_);
        for (const uint32_t item : info_.live[e])
            load_item(item, e);
        for (size_t k = 0; k < waiting_.size() && waiting_as_values(); ++k)
            if (info_.waited_from[k] <= pc && program_.joins[k] >= pc)
                ir_.CreateStore(
                    ir_.CreateLoad(ir_.getInt32Ty(),
                                   ir_.CreateConstGEP1_64(ir_.getInt32Ty(), waiting_in_memory_, k)),
                    waiting_[k]);
        ir_.CreateBr(code_[pc]);
    }
}

// At an entry dead variables become zero, as they are after a resume: no phi merges them with the values of
// a thread that did not stop.
void Translator::clear_dead(uint32_t pc) {
    const auto entry = std::ranges::lower_bound(info_.entries, pc);
    if (pc == 0 || entry == info_.entries.end() || *entry != pc)
        return;
    const Items& live = info_.live[static_cast<size_t>(entry - info_.entries.begin())];
    const uint32_t items = info_.address_item(program_, program_.address_elements);
    for (uint32_t item = 0; item < items; ++item) {
        if (std::ranges::binary_search(live, item))
            continue;
        if (item >= info_.address_item(program_, 0)) {
            ir_.CreateStore(ir_.getInt32(0), address_[item - info_.address_item(program_, 0)]);
        } else if (item >= info_.predicate_item(0)) {
            ir_.CreateStore(ir_.getInt32(0), predicate_[item - info_.predicate_item(0)]);
        } else if (const Root& root = info_.roots[item];
                   root_[item] != nullptr && !root.local && !root.constant && !root.rematerialized) {
            clear_root(item);
        }
    }
}

// Initial values of variables in memory.
void Translator::restore_pinned() {
    Value* const contents = member(offsetof(State, first_contents), ir_.getPtrTy());
    uint64_t from = 0;
    for (const Root& root : info_.roots)
        if (root.pinned) {
            ir_.CreateMemCpy(ir_.CreateConstGEP1_64(ir_.getInt8Ty(), registers_, root.base), any_alignment,
                             ir_.CreateConstGEP1_64(ir_.getInt8Ty(), contents, from), any_alignment,
                             root.bytes);
            from += root.bytes;
        }
}

// Once per group.
void Translator::begin_group() {
    Value* const ids = member(offsetof(State, group_ids), ir_.getPtrTy());
    for (size_t k = 0; k < shared_ids_.size(); ++k)
        shared_ids_[k] =
            ir_.CreateLoad(ir_.getInt32Ty(), ir_.CreateConstInBoundsGEP1_64(ir_.getInt32Ty(), ids, k));
    ir_.CreateStore(function_->getArg(1), more_);
}

// All threads have ended: the next group along x, if this call runs it.
void Translator::emit_next_group(llvm::BasicBlock* last) {
    auto* const qword = ir_.getInt64Ty();
    state_ = function_->getArg(0);
    Value* const left = member(offsetof(State, groups_left), qword);
    Value* const calls = ir_.CreateLoad(ir_.getInt32Ty(), member(offsetof(State, calls), ir_.getPtrTy()));
    Value* const goes_on =
        ir_.CreateAnd(ir_.CreateICmpNE(left, ir_.getInt64(0)), ir_.CreateICmpEQ(calls, ir_.getInt32(0)));
    llvm::BasicBlock* const another = block("another");
    ir_.CreateCondBr(goes_on, another, last);
    begin(another);
    set_member(offsetof(State, groups_left), ir_.CreateSub(left, ir_.getInt64(1)));
    Value* const ids = member(offsetof(State, group_ids), ir_.getPtrTy());
    ir_.CreateStore(ir_.CreateAdd(shared_ids_[0], ir_.getInt32(1)), ids);
    ir_.CreateStore(ir_.getInt64(0), phase_);
    clear_memory();
    ir_.CreateBr(group_);
}

// Clears what the previous group left in memory.
void Translator::clear_memory() {
    if (options_.slm_bytes == 0 && options_.scratch_bytes == 0 && !has_barrier())
        return; // with barriers the call is emitted too: it invalidates cached results
                // (transform/unroll_and_jam_threads.h)
    create_clear_call(ir_, state_, clear_shared_local | clear_scratch, info_.entries.size() <= 1);
}

// Once per call: inputs that are read-only and uniform over all threads.
void Translator::load_shared() {
    state_ = function_->getArg(0);
    registers_ = member(offsetof(State, registers), ir_.getPtrTy());
    shared_.resize(info_.roots.size());
    for (uint32_t r = 0; r < info_.roots.size(); ++r) {
        const Root& root = info_.roots[r];
        const bool is_shared = std::ranges::any_of(options_.shared, [&](const machine::SharedInput& input) {
            return input.begin <= root.base && root.base + root.bytes <= input.end;
        });
        if (root.input && root.constant && is_shared)
            for (const ItemPiece& piece : pieces_of(r, false))
                shared_[r].push_back(ir_.CreateAlignedLoad(piece.type, piece.memory, any_alignment));
    }
}

// Group ids and scratch number: the register file may still hold those of the previous group.
void Translator::load_dispatched(bool constant) {
    const auto load = [&](const machine::DispatchedDword& source, Value* value) {
        const uint32_t byte = program_.register_base(source.variable) + source.dword * 4;
        if (info_.roots.empty() || byte < info_.roots.front().base)
            return;
        const Root& root = info_.roots[info_.root_at(byte)];
        if (byte + 4 <= root.base + root.bytes && (root.input || root.pinned) && root.constant == constant)
            store_register(byte, value);
    };
    for (size_t k = 0; k < machine::group_id_dwords.size(); ++k)
        load(machine::group_id_dwords[k], shared_ids_[k % 3]);
    load(machine::scratch_number_dword, ir_.getInt32(0));
}

void Translator::assume_range(Fact fact, llvm::LoadInst& value, uint64_t first, uint64_t end) {
    value.setName(std::string_view(facts[static_cast<size_t>(fact)].name));
    const unsigned bits = value.getType()->getIntegerBitWidth();
    value.setMetadata(llvm::LLVMContext::MD_range, llvm::MDBuilder(context_).createRange(
                                                       llvm::APInt(bits, first), llvm::APInt(bits, end)));
}

// Loads the inputs that are constant, or the others. Inputs with known steps by lane are computed from the
// first lane.
void Translator::load_inputs(bool constant) {
    for (uint32_t r = 0; r < info_.roots.size(); ++r)
        if (info_.roots[r].input && info_.roots[r].constant == constant) {
            if (shared_[r].empty()) {
                load_item(r);
                continue;
            }
            const std::vector<ItemPiece> pieces = pieces_of(r, false);
            for (size_t k = 0; k < pieces.size(); ++k)
                ir_.CreateAlignedStore(shared_[r][k], pieces[k].value, any_alignment);
        }
    load_dispatched(constant);
    for (const machine::LaneSteps& input : options_.inputs) {
        const uint64_t bytes = uint64_t{input.element_bytes} * input.steps.size();
        const uint64_t end = input.register_offset + bytes;
        if (bytes == 0 || bytes % 4 != 0 || input.register_offset % 4 != 0 || end > program_.register_bytes ||
            info_.roots.empty() || input.register_offset < info_.roots.front().base)
            continue;
        const uint32_t r = info_.root_at(input.register_offset);
        const Root& root = info_.roots[r];
        if (root_[r] == nullptr || !root.input || root.constant != constant || end > root.base + root.bytes)
            continue;
        auto* const element = integer(input.element_bytes * 8);
        llvm::LoadInst* const first = ir_.CreateAlignedLoad(
            element, ir_.CreateConstGEP1_64(ir_.getInt8Ty(), registers_, input.register_offset),
            any_alignment);
        if (input.most < (uint64_t{1} << (8 * input.element_bytes - 1)))
            assume_range(Fact::local_id_range, *first, 0, input.most + 1);
        std::vector<llvm::Constant*> steps;
        for (const uint32_t step : input.steps)
            steps.push_back(llvm::ConstantInt::get(element, step));
        const auto lanes = static_cast<uint32_t>(steps.size());
        Value* const all =
            ir_.CreateAdd(splat(first, lanes), llvm::ConstantVector::get(steps), "", true, true);
        store_register(input.register_offset,
                       ir_.CreateBitCast(all, vector(ir_.getInt32Ty(), static_cast<uint32_t>(bytes / 4))));
    }
}

void Translator::store_control(uint32_t pc) {
    set_member(offsetof(State, mask), ir_.CreateLoad(ir_.getInt32Ty(), mask_));
    set_member(offsetof(State, pc), ir_.getInt32(pc));
    set_member(offsetof(State, instructions), ir_.CreateLoad(ir_.getInt64Ty(), counter_));
}

// Saves the live values of an entry, so that the thread can resume there.
void Translator::emit_exit(size_t entry) {
    for (const uint32_t item : info_.live[entry])
        store_item(item, entry);
    for (size_t k = 0; k < waiting_.size() && waiting_as_values(); ++k)
        if (info_.waited_from[k] <= info_.entries[entry] && program_.joins[k] >= info_.entries[entry])
            ir_.CreateStore(ir_.CreateLoad(ir_.getInt32Ty(), waiting_[k]),
                            ir_.CreateConstGEP1_64(ir_.getInt32Ty(), waiting_in_memory_, k));
    store_control(info_.entries[entry]);
    llvm::BasicBlock* const stops = block("stops");
    llvm::BasicBlock* const stays = passes_at_[entry] ? block("stays") : stops;
    ir_.CreateCondBr(ir_.CreateLoad(ir_.getInt1Ty(), parks_), arrived_, stays);
    if (passes_at_[entry]) {
        begin(stays);
        ir_.CreateCondBr(ir_.CreateLoad(ir_.getInt1Ty(), passes_), again_[entry], stops);
    }
    begin(stops);
    return_state();
}

void Translator::return_state() {
    if (defers_fences()) // threads that wait have not fenced
        fence_host();
    set_member(offsetof(State, total), ir_.CreateLoad(ir_.getInt64Ty(), total_));
    set_member(offsetof(State, left), ir_.CreateLoad(ir_.getInt64Ty(), more_));
    set_member(offsetof(State, phase), ir_.CreateLoad(ir_.getInt64Ty(), phase_));
    ir_.CreateRet(state_);
}

} // namespace visor::jit
