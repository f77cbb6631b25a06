#include "jit/emitter.h"

#include "isa/opcode.h"
#include "isa/predefined.h"
#include "jit/affine.h"

#include <algorithm>

namespace visor::jit {

namespace {

constexpr llvm::Align any_alignment; // any byte

} // namespace

Emitter::Emitter(llvm::Module& module, const Program& program, const Plan& plan, const CodeOptions& options)
    : module_(module), context_(module.getContext()), ir_(context_), program_(program), plan_(plan),
      options_(options) {}

// ---- state

Emitter::Value* Emitter::member_address(size_t offset) {
    return ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), state_, offset);
}
Emitter::Value* Emitter::member(size_t offset, llvm::Type* type) {
    return ir_.CreateLoad(type, member_address(offset));
}
void Emitter::set_member(size_t offset, Value* value) {
    ir_.CreateStore(value, member_address(offset));
}
llvm::BasicBlock* Emitter::block(const char* name) {
    return llvm::BasicBlock::Create(context_, name, function_);
}

Emitter::Value* Emitter::call_back(size_t offset, llvm::ArrayRef<Value*> arguments) {
    std::vector<llvm::Type*> types;
    for (Value* argument : arguments)
        types.push_back(argument->getType());
    auto* const type = llvm::FunctionType::get(ir_.getInt32Ty(), types, false);
    return ir_.CreateCall(type, member(offset, ir_.getPtrTy()), arguments);
}

// ---- the function

void Emitter::emit(const char* name) {
    find_looked_up();
    auto* const type = llvm::FunctionType::get(ir_.getPtrTy(), {ir_.getPtrTy(), ir_.getInt64Ty()}, false);
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module_);
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    function_->addFnAttr("prefer-vector-width", "512");
    function_->addFnAttr("min-legal-vector-width", "512");
    function_->addParamAttr(0, llvm::Attribute::NoAlias);
    emit_entry();
    emit_code();
}

// On the stack, once.
void Emitter::make_storage() {
    for (const Root& root : plan_.roots)
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
    ir_.CreateStore(ir_.getInt64(0), phase_);
    ir_.CreateStore(ir_.getInt64(0), stopped_);
    ir_.CreateStore(ir_.getFalse(), parks_);
    ir_.CreateStore(ir_.getInt64(0), total_);
    ir_.CreateStore(function_->getArg(1), more_);
}

// For each thread.
void Emitter::clear_storage() {
    for (const auto* const words : {&predicate_, &address_})
        for (Value* const word : *words)
            ir_.CreateStore(ir_.getInt32(0), word);
    for (Value* const root : root_)
        if (root != nullptr) {
            auto* const bytes = llvm::cast<llvm::AllocaInst>(root)->getAllocatedType();
            ir_.CreateStore(llvm::Constant::getNullValue(bytes), root);
        }
    for (size_t k = 0; k < program_.joins.size(); ++k) {
        if (waiting_as_values())
            ir_.CreateStore(ir_.getInt32(0), waiting_[k]);
        else
            waiting_.push_back(ir_.CreateConstGEP1_64(ir_.getInt32Ty(), waiting_in_memory_, k));
    }
}

// As values lanes that wait cost a choice at every label for every other one: with many labels they stay in
// memory.
bool Emitter::waiting_as_values() const {
    constexpr size_t most_values = 400;
    return program_.joins.size() <= most_values;
}

void Emitter::make_blocks() {
    code_.assign(program_.code.size() + 1, nullptr);
    past_end_ = block("past_end");
    for (size_t i = 0; i < program_.code.size(); ++i)
        if (plan_.leader[i])
            code_[i] = block("code");
    code_[program_.code.size()] = past_end_;
    exits_.assign(plan_.entries.size(), nullptr);
    leave_ = block("leave");
    ended_ = block("ended");
    arrived_ = block("arrived");
}

void Emitter::emit_entry() {
    llvm::BasicBlock* const entry = block("entry");
    llvm::BasicBlock* const thread = block("thread");
    begin(entry);
    make_storage();
    ir_.CreateBr(thread);
    begin(thread);
    auto* const pointer = ir_.getPtrTy();
    llvm::PHINode* const state = ir_.CreatePHI(pointer, 3);
    state->addIncoming(function_->getArg(0), entry);
    state_ = state;
    set_member(offsetof(State, ended), ir_.getInt32(0));
    registers_ = member(offsetof(State, registers), pointer);
    predicates_ = member(offsetof(State, predicates), pointer);
    addresses_ = member(offsetof(State, addresses), pointer);
    waiting_in_memory_ = member(offsetof(State, waiting), pointer);
    saved_ = member(offsetof(State, saved), pointer);
    dispatched_ = options_.full ? ir_.getInt32(machine::lane_bits(options_.simd))
                                : member(offsetof(State, dispatch_mask), ir_.getInt32Ty());
    ir_.CreateStore(member(offsetof(State, mask), ir_.getInt32Ty()), mask_);
    ir_.CreateStore(member(offsetof(State, instructions), ir_.getInt64Ty()), counter_);
    clear_storage();
    make_blocks();
    emit_dispatch();
    emit_end(state);
}

// Round and round where the group comes to barriers.
Emitter::Value* Emitter::next_state() {
    auto* const byte = ir_.getInt8Ty();
    Value* const next = ir_.CreateConstInBoundsGEP1_64(byte, state_, sizeof(State));
    if (std::ranges::none_of(program_.code, [](const Instruction& instruction) {
            return instruction.row->opcode == isa::opcode::barrier;
        }))
        return next;
    Value* const group = member(offsetof(State, group), ir_.getPtrTy());
    Value* const bytes =
        ir_.CreateMul(member(offsetof(State, group_count), ir_.getInt64Ty()), ir_.getInt64(sizeof(State)));
    Value* const end =
        ir_.CreateGEP(byte, group, bytes); // the first one when the barrier is not the code's affair
    return ir_.CreateSelect(ir_.CreateICmpEQ(next, end), group, next);
}

// The thread is over, or waits at the group's barrier: the next one's turn. When all wait a new phase begins.
void Emitter::emit_end(llvm::PHINode* state) {
    auto* const qword = ir_.getInt64Ty();
    llvm::BasicBlock* const last = block("last");
    llvm::BasicBlock* const well = block("well");
    llvm::BasicBlock* const turn = block("turn");
    const auto go_on_with = [&](Value* next) {
        state->addIncoming(next, ir_.GetInsertBlock());
        ir_.CreateBr(state->getParent());
    };
    begin(ended_);
    Value* const spent = ir_.CreateLoad(qword, counter_);
    ir_.CreateCondBr(ir_.CreateICmpUGT(spent, member(offsetof(State, fuel), qword)), last, well);
    begin(well);
    ir_.CreateStore(ir_.CreateAdd(ir_.CreateLoad(qword, total_), spent), total_);
    set_member(offsetof(State, ended), ir_.getInt32(1));
    set_member(offsetof(State, pc), ir_.getInt32(0)); // ready for the next group
    set_member(offsetof(State, mask), dispatched_);
    set_member(offsetof(State, instructions), ir_.getInt64(0));
    ir_.CreateBr(turn);
    begin(arrived_);
    ir_.CreateStore(ir_.getFalse(), parks_);
    ir_.CreateStore(ir_.CreateAdd(ir_.CreateLoad(qword, stopped_), ir_.getInt64(1)), stopped_);
    ir_.CreateBr(turn);

    llvm::BasicBlock* const next = block("next");
    llvm::BasicBlock* const all_ran = block("all_ran");
    llvm::BasicBlock* const some = block("some");
    llvm::BasicBlock* const phase = block("phase");
    llvm::BasicBlock* const mixed = block("mixed");
    begin(turn);
    Value* const more = ir_.CreateLoad(qword, more_);
    ir_.CreateCondBr(ir_.CreateICmpEQ(more, ir_.getInt64(0)), all_ran, next);
    begin(next);
    ir_.CreateStore(ir_.CreateSub(more, ir_.getInt64(1)), more_);
    go_on_with(next_state());
    begin(all_ran);
    Value* const stopped = ir_.CreateLoad(qword, stopped_);
    ir_.CreateCondBr(ir_.CreateICmpEQ(stopped, ir_.getInt64(0)), last, some);
    begin(some);
    Value* const count = member(offsetof(State, group_count), qword);
    ir_.CreateCondBr(ir_.CreateICmpEQ(stopped, count), phase, mixed);
    begin(phase);
    ir_.CreateStore(ir_.CreateAdd(ir_.CreateLoad(qword, phase_), ir_.getInt64(1)), phase_);
    ir_.CreateStore(ir_.getInt64(0), stopped_);
    ir_.CreateStore(ir_.CreateSub(count, ir_.getInt64(1)), more_);
    go_on_with(state_); // who comes last does not wait
    begin(mixed);
    set_member(offsetof(State, some_wait), ir_.getInt32(1));
    return_state();
    begin(last);
    set_member(offsetof(State, ended), ir_.getInt32(1));
    ir_.CreateBr(leave_);
}

// To the start, or where the thread stopped.
void Emitter::emit_dispatch() {
    llvm::BasicBlock* const first = block("first");
    auto* const dispatch = ir_.CreateSwitch(member(offsetof(State, pc), ir_.getInt32Ty()), first,
                                            static_cast<unsigned>(plan_.entries.size()));
    begin(first);
    load_inputs();
    ir_.CreateBr(program_.code.empty() ? past_end_ : code_[0]);
    for (size_t e = 0; e < plan_.entries.size(); ++e) {
        const uint32_t pc = plan_.entries[e];
        if (pc == 0)
            continue;
        llvm::BasicBlock* const again = block("again");
        dispatch->addCase(ir_.getInt32(pc), again);
        begin(again);
        for (const uint32_t item : plan_.alive[e])
            load_item(item, e);
        for (size_t k = 0; k < waiting_.size() && waiting_as_values(); ++k)
            if (plan_.waited_from[k] <= pc && program_.joins[k] >= pc)
                ir_.CreateStore(
                    ir_.CreateLoad(ir_.getInt32Ty(),
                                   ir_.CreateConstGEP1_64(ir_.getInt32Ty(), waiting_in_memory_, k)),
                    waiting_[k]);
        ir_.CreateBr(code_[pc]);
    }
}

// What variables in memory start with.
void Emitter::restore_pinned() {
    Value* const contents = member(offsetof(State, first_contents), ir_.getPtrTy());
    uint64_t from = 0;
    for (const Root& root : plan_.roots)
        if (root.pinned) {
            ir_.CreateMemCpy(ir_.CreateConstGEP1_64(ir_.getInt8Ty(), registers_, root.base), any_alignment,
                             ir_.CreateConstGEP1_64(ir_.getInt8Ty(), contents, from), any_alignment,
                             root.bytes);
            from += root.bytes;
        }
}

// The register file may still have those of the group before.
void Emitter::load_group_ids() {
    Value* const ids = member(offsetof(State, group_ids), ir_.getPtrTy());
    for (size_t k = 0; k < machine::group_id_places.size(); ++k) {
        const machine::GroupIdPlace& place = machine::group_id_places[k];
        const uint32_t byte = program_.register_base(place.variable) + place.dword * 4;
        if (plan_.roots.empty() || byte < plan_.roots.front().base)
            continue;
        const Root& root = plan_.roots[plan_.root_at(byte)];
        if (byte + 4 > root.base + root.bytes || (!root.input && !root.pinned))
            continue;
        auto* const type = ir_.getInt32Ty();
        store_kept(byte, ir_.CreateLoad(type, ir_.CreateConstInBoundsGEP1_64(type, ids, k % 3)));
    }
}

// Lanes with steps known before are told by their first one.
void Emitter::load_inputs() {
    restore_pinned();
    if (plan_.spins)
        ir_.CreateStore(ir_.getInt32(0), member(offsetof(State, idle_atomics), ir_.getPtrTy()));
    for (uint32_t r = 0; r < plan_.roots.size(); ++r)
        if (plan_.roots[r].input)
            load_item(r);
    load_group_ids();
    for (const machine::LaneSteps& input : options_.inputs) {
        const uint64_t bytes = uint64_t{input.element_bytes} * input.steps.size();
        const uint64_t end = input.register_offset + bytes;
        if (bytes == 0 || bytes % 4 != 0 || input.register_offset % 4 != 0 || end > program_.register_bytes ||
            plan_.roots.empty() || input.register_offset < plan_.roots.front().base)
            continue;
        const uint32_t r = plan_.root_at(input.register_offset);
        const Root& root = plan_.roots[r];
        if (root_[r] == nullptr || !root.input || end > root.base + root.bytes)
            continue;
        auto* const element = integer(input.element_bytes * 8);
        Value* const first = ir_.CreateAlignedLoad(
            element, ir_.CreateConstGEP1_64(ir_.getInt8Ty(), registers_, input.register_offset),
            any_alignment);
        std::vector<llvm::Constant*> steps;
        for (const uint32_t step : input.steps)
            steps.push_back(llvm::ConstantInt::get(element, step));
        const auto lanes = static_cast<uint32_t>(steps.size());
        Value* const all =
            ir_.CreateAdd(splat(first, lanes), llvm::ConstantVector::get(steps), "", true, true);
        store_kept(input.register_offset,
                   ir_.CreateBitCast(all, vector(ir_.getInt32Ty(), static_cast<uint32_t>(bytes / 4))));
    }
}

void Emitter::store_control(uint32_t pc) {
    set_member(offsetof(State, mask), ir_.CreateLoad(ir_.getInt32Ty(), mask_));
    set_member(offsetof(State, pc), ir_.getInt32(pc));
    set_member(offsetof(State, instructions), ir_.CreateLoad(ir_.getInt64Ty(), counter_));
}

// Keeps what is alive at an entry, so that the thread can go on there.
void Emitter::emit_exit(size_t entry) {
    for (const uint32_t item : plan_.alive[entry])
        store_item(item, entry);
    for (size_t k = 0; k < waiting_.size() && waiting_as_values(); ++k)
        if (plan_.waited_from[k] <= plan_.entries[entry] && program_.joins[k] >= plan_.entries[entry])
            ir_.CreateStore(ir_.CreateLoad(ir_.getInt32Ty(), waiting_[k]),
                            ir_.CreateConstGEP1_64(ir_.getInt32Ty(), waiting_in_memory_, k));
    store_control(plan_.entries[entry]);
    llvm::BasicBlock* const stops = block("stops");
    ir_.CreateCondBr(ir_.CreateLoad(ir_.getInt1Ty(), parks_), arrived_, stops);
    begin(stops);
    return_state();
}

void Emitter::return_state() {
    set_member(offsetof(State, total), ir_.CreateLoad(ir_.getInt64Ty(), total_));
    set_member(offsetof(State, left), ir_.CreateLoad(ir_.getInt64Ty(), more_));
    set_member(offsetof(State, phase), ir_.CreateLoad(ir_.getInt64Ty(), phase_));
    ir_.CreateRet(state_);
}

void Emitter::add_instructions(uint32_t count) {
    Value* const sum = ir_.CreateAdd(ir_.CreateLoad(ir_.getInt64Ty(), counter_), ir_.getInt64(count));
    ir_.CreateStore(sum, counter_);
}

void Emitter::emit_code() {
    for (index_ = 0; index_ < program_.code.size(); ++index_) {
        const Instruction& instruction = program_.code[index_];
        if (plan_.leader[index_]) {
            if (index_ > 0)
                fall_through(index_);
            begin(code_[index_]);
            known_surfaces_.clear();
            if (instruction.join != no_target && is_waited_for(instruction.join))
                emit_join(instruction.join);
            uint32_t end = index_ + 1;
            while (end < program_.code.size() && !plan_.leader[end])
                ++end;
            add_instructions(end - index_);
        }
        emit_instruction(instruction);
    }
    fall_through(static_cast<uint32_t>(program_.code.size()));
    for (size_t e = 0; e < exits_.size(); ++e) {
        if (exits_[e] == nullptr)
            continue;
        begin(exits_[e]);
        emit_exit(e);
    }
    begin(past_end_);
    set_member(offsetof(State, ended), ir_.getInt32(2));
    ir_.CreateBr(leave_);
    begin(leave_);
    set_member(offsetof(State, instructions), ir_.CreateLoad(ir_.getInt64Ty(), counter_));
    return_state();
}

void Emitter::fall_through(uint32_t next) {
    if (ir_.GetInsertBlock()->getTerminator() == nullptr)
        ir_.CreateBr(code_[next]);
}

void Emitter::emit_join(uint32_t join) {
    Value* const waiting = ir_.CreateLoad(ir_.getInt32Ty(), waiting_[join]);
    ir_.CreateStore(ir_.CreateOr(ir_.CreateLoad(ir_.getInt32Ty(), mask_), waiting), mask_);
    ir_.CreateStore(ir_.getInt32(0), waiting_[join]);
}

void Emitter::emit_instruction(const Instruction& instruction) {
    if (ir_.GetInsertBlock()->getTerminator() != nullptr)
        begin(block("unreachable_code")); // behind an unconditional branch
    if (lower_flow(instruction) || lower_sync(instruction))
        return;
    if (options_.lowered && lower(instruction))
        return;
    call_out();
}

// %ce0 and %tsc have a value of their own at every read.
void Emitter::refresh_state(const Instruction& instruction) {
    for (const PreparedOperand& at : program_.operands_of(instruction)) {
        if (at.kind != OperandKind::general || at.null)
            continue;
        if (at.base == program_.register_base(isa::Predefined::ce0))
            ir_.CreateStore(current_mask(), ir_.CreateConstGEP1_64(ir_.getInt8Ty(), registers_, at.base));
        const uint32_t clock = program_.register_base(isa::Predefined::tsc);
        if (at.base >= clock && at.base < clock + 20)
            ir_.CreateStore(ir_.CreateLoad(ir_.getInt64Ty(), counter_),
                            ir_.CreateConstGEP1_64(ir_.getInt8Ty(), registers_, clock));
    }
}

bool Emitter::lower(const Instruction& instruction) {
    refresh_state(instruction);
    const bool is_indirect = std::ranges::any_of(program_.operands_of(instruction), [](const auto& operand) {
        return operand.kind == OperandKind::indirect;
    });
    return is_indirect ? lower_indirect(instruction) : lower_family(instruction);
}

bool Emitter::lower_family(const Instruction& instruction) {
    switch (instruction.row->family) {
    case isa::Family::arith:
        return lowering::arith(*this, instruction);
    case isa::Family::logic:
        return lowering::logic(*this, instruction);
    case isa::Family::compare:
        return lowering::compare(*this, instruction);
    case isa::Family::move:
    case isa::Family::address:
        return lowering::move(*this, instruction);
    case isa::Family::scattered:
        return lowering::scattered(*this, instruction);
    case isa::Family::block:
        return lowering::block(*this, instruction);
    case isa::Family::svm:
        return lowering::svm(*this, instruction);
    case isa::Family::lsc:
        return lowering::lsc(*this, instruction);
    case isa::Family::atomic:
        return lowering::atomic(*this, instruction);
    default:
        return false;
    }
}

// ---- call-outs

// Where an item is as a value and in memory; nothing to move when it lives in memory anyhow.
Emitter::ItemPlace Emitter::place_of(uint32_t item, bool saved) {
    const auto word = [&](const std::vector<Value*>& values, Value* file, uint32_t element) {
        return ItemPlace{values[element], ir_.CreateConstGEP1_64(ir_.getInt32Ty(), file, element),
                         ir_.getInt32Ty()};
    };
    const uint32_t first_address = plan_.address_item(program_, 0);
    const uint32_t first_predicate = plan_.predicate_item(0);
    if (item >= first_address)
        return word(address_, addresses_, item - first_address);
    if (item >= first_predicate)
        return word(predicate_, predicates_, item - first_predicate);
    const Root& root = plan_.roots[item];
    return {root_[item], ir_.CreateConstGEP1_64(ir_.getInt8Ty(), saved ? saved_ : registers_, root.base),
            llvm::FixedVectorType::get(ir_.getInt32Ty(), root.bytes / 4)};
}

// At an entry: the copies are told apart from others (affine.h).
void Emitter::mark_kept(llvm::Instruction* copy, uint32_t item, std::optional<size_t> entry) {
    if (!entry)
        return;
    const uint32_t pc = plan_.entries[*entry];
    if (pc > 0 && meets_partner(program_.code[pc - 1]))
        return; // it may be another copy by then
    const auto number = [&](uint64_t value) { return llvm::ConstantAsMetadata::get(ir_.getInt64(value)); };
    copy->setMetadata(kept_mark, llvm::MDNode::get(context_, {number(*entry), number(item)}));
}

void Emitter::store_item(uint32_t item, std::optional<size_t> entry) {
    const ItemPlace place = place_of(item, entry.has_value());
    if (place.value == nullptr)
        return;
    Value* const value = ir_.CreateAlignedLoad(place.type, place.value, any_alignment);
    mark_kept(ir_.CreateAlignedStore(value, place.memory, any_alignment), item, entry);
}

void Emitter::load_item(uint32_t item, std::optional<size_t> entry) {
    const ItemPlace place = place_of(item, entry.has_value());
    if (place.value == nullptr)
        return;
    llvm::LoadInst* const value = ir_.CreateAlignedLoad(place.type, place.memory, any_alignment);
    mark_kept(value, item, entry);
    ir_.CreateAlignedStore(value, place.value, any_alignment);
}

// Everything that an instruction names goes to memory before a call-out; results come back.
void Emitter::spill_operands(const Instruction& instruction, bool results) {
    Items items;
    const auto operands = program_.operands_of(instruction);
    for (size_t k = 0; k < operands.size(); ++k) {
        const PreparedOperand& at = operands[k];
        const isa::FieldKind kind = isa::field_of_operand(*instruction.row, k).kind;
        const bool result = kind == isa::FieldKind::vector_dst || kind == isa::FieldKind::raw_dst;
        if (results && !result)
            continue;
        if ((at.kind == OperandKind::general || at.kind == OperandKind::raw) && !at.null)
            items.push_back(plan_.root_at(at.base));
        else if (at.kind == OperandKind::predicate)
            items.push_back(plan_.predicate_item(at.base));
        else if (at.kind == OperandKind::address || at.kind == OperandKind::indirect)
            for (uint32_t e = 0; e < 32 && at.base + e < program_.address_elements; ++e)
                items.push_back(plan_.address_item(program_, at.base + e));
    }
    if (instruction.predicate.id != 0 && (!results || isa::has(*instruction.row, isa::writes_predicate)))
        items.push_back(plan_.predicate_item(instruction.predicate.id));
    std::ranges::sort(items);
    const auto [first, last] = std::ranges::unique(items);
    items.erase(first, last);
    for (const uint32_t item : items)
        results ? load_item(item) : store_item(item);
}

void Emitter::call_out() {
    const Instruction& instruction = program_.code[index_];
    if (instruction.row->family == isa::Family::move)
        known_surfaces_.clear();
    spill_operands(instruction, false);
    store_control(index_ + 1);
    Value* const status = call_back(offsetof(State, step), {state_, ir_.getInt32(index_)});
    if (!may_stop(instruction)) {
        llvm::BasicBlock* const goes_on = block("goes_on");
        ir_.CreateCondBr(ir_.CreateICmpEQ(status, ir_.getInt32(0)), goes_on, leave_,
                         llvm::MDBuilder(context_).createBranchWeights(1000, 1));
        begin(goes_on);
        spill_operands(instruction, true);
        return;
    }
    go_or_stop(status, true);
}

// The thread may be waiting now, or in another function: what is alive has to outlive this call.
void Emitter::go_or_stop(Value* status, bool has_results) {
    const Instruction& instruction = program_.code[index_];
    const auto load_results = [&] {
        if (has_results)
            spill_operands(instruction, true);
    };
    const auto entry =
        static_cast<size_t>(std::ranges::lower_bound(plan_.entries, index_ + 1) - plan_.entries.begin());
    llvm::BasicBlock* const goes_on = block("goes_on");
    llvm::BasicBlock* const stops = block("stops");
    ir_.CreateCondBr(ir_.CreateICmpEQ(status, ir_.getInt32(0)), goes_on, stops);
    begin(stops);
    load_results();
    if (entry < plan_.entries.size() && plan_.entries[entry] == index_ + 1) {
        if (exits_[entry] == nullptr)
            exits_[entry] = block("exit");
        ir_.CreateBr(exits_[entry]);
    } else {
        ir_.CreateBr(leave_);
    }
    begin(goes_on);
    load_results();
}

void Emitter::guarded(Value* holds, llvm::function_ref<void()> body) {
    llvm::BasicBlock* const well = block("well");
    llvm::BasicBlock* const otherwise = block("otherwise");
    llvm::BasicBlock* const done = block("done");
    ir_.CreateCondBr(holds, well, otherwise, llvm::MDBuilder(context_).createBranchWeights(1000, 1));
    begin(otherwise);
    call_out();
    ir_.CreateBr(done);
    begin(well);
    body();
    ir_.CreateBr(done);
    begin(done);
}

void Emitter::each_lane_on(Value* on, llvm::function_ref<void(Value*)> body) {
    llvm::BasicBlock* const before = ir_.GetInsertBlock();
    llvm::BasicBlock* const next = block("next_lane");
    llvm::BasicBlock* const one = block("one_lane");
    llvm::BasicBlock* const done = block("all_lanes");
    Value* const all = ir_.CreateZExt(bits_of(on), ir_.getInt32Ty());
    ir_.CreateBr(next);
    begin(next);
    llvm::PHINode* const left = ir_.CreatePHI(ir_.getInt32Ty(), 2);
    left->addIncoming(all, before);
    ir_.CreateCondBr(ir_.CreateICmpEQ(left, ir_.getInt32(0)), done, one);
    begin(one);
    Value* const lane = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, ir_.getTrue());
    body(ir_.CreateZExt(lane, ir_.getInt64Ty()));
    Value* const rest = ir_.CreateAnd(left, ir_.CreateSub(left, ir_.getInt32(1)));
    left->addIncoming(rest, ir_.GetInsertBlock());
    ir_.CreateBr(next);
    begin(done);
}

Emitter::Value* Emitter::call_admit(uint32_t site, Value* first, Value* last, uint32_t bytes) {
    Value* const granted =
        call_back(offsetof(State, admit), {state_, ir_.getInt32(site), first, last, ir_.getInt64(bytes)});
    return ir_.CreateICmpNE(granted, ir_.getInt32(0));
}

Emitter::Value* Emitter::scratch_space(llvm::Type* type) {
    const llvm::IRBuilder<>::InsertPointGuard guard(ir_);
    llvm::BasicBlock& entry = function_->getEntryBlock();
    ir_.SetInsertPoint(&entry, entry.begin());
    return ir_.CreateAlloca(type);
}

namespace {

// The place of a number in a list that grows.
uint32_t place_in(std::vector<uint32_t>& list, uint32_t number) {
    const auto found = std::ranges::find(list, number);
    const auto place = static_cast<uint32_t>(found - list.begin());
    if (found == list.end())
        list.push_back(number);
    return place;
}

} // namespace

// Elements of surface variables that some instruction uses without one in front of it, in its block, that
// says what they are.
void Emitter::find_looked_up() {
    std::vector<uint32_t> known;
    for (uint32_t i = 0; i < program_.code.size(); ++i) {
        if (plan_.leader[i])
            known.clear();
        if (const auto named = named_surface(program_, plan_, i, options_.full)) {
            (void)place_in(known, named->element);
            continue;
        }
        for (const PreparedOperand& operand : program_.operands_of(program_.code[i]))
            if (operand.kind == OperandKind::surface && std::ranges::find(known, operand.base) == known.end())
                (void)place_in(looked_up_, operand.base);
        if (program_.code[i].row->family == isa::Family::move)
            known.clear();
    }
}

Emitter::WindowPlace Emitter::window_of_element(uint32_t element) {
    if (const auto known = known_surfaces_.find(element); known != known_surfaces_.end())
        return window_of_index(known->second);
    return {ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), member(offsetof(State, windows), ir_.getPtrTy()),
                                           sizeof(Window) * place_in(surfaces_, element)),
            false};
}

Emitter::WindowPlace Emitter::window_of_index(uint32_t binding_table_index) {
    return {ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(),
                                           member(offsetof(State, named_windows), ir_.getPtrTy()),
                                           sizeof(Window) * place_in(named_surfaces_, binding_table_index)),
            true};
}

void Emitter::set_surface(uint32_t element, uint32_t binding_table_index) {
    Value* const numbers = member(offsetof(State, surfaces), ir_.getPtrTy());
    ir_.CreateStore(ir_.getInt32(binding_table_index),
                    ir_.CreateConstInBoundsGEP1_64(ir_.getInt32Ty(), numbers, element));
    if (std::ranges::find(looked_up_, element) != looked_up_.end()) {
        known_surfaces_.erase(element);
        auto* const words = llvm::ArrayType::get(ir_.getInt64Ty(), sizeof(Window) / 8);
        Value* const window = ir_.CreateLoad(words, window_of_index(binding_table_index).address);
        ir_.CreateStore(window, window_of_element(element).address);
    }
    known_surfaces_[element] = binding_table_index;
}

// ---- values

bool Mask::all() const {
    const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(bits);
    return number != nullptr && number->isMinusOne();
}
Mask Mask::without_execution() const {
    return {predicate, predicate};
}

llvm::Type* Emitter::vector(llvm::Type* element, uint32_t lanes) {
    return lanes == 1 ? element : llvm::FixedVectorType::get(element, lanes);
}
Emitter::Value* Emitter::splat(Value* scalar, uint32_t lanes) {
    return lanes == 1 ? scalar : ir_.CreateVectorSplat(lanes, scalar);
}
Emitter::Value* Emitter::constant(uint32_t bits, uint64_t value, uint32_t lanes) {
    return splat(llvm::ConstantInt::get(integer(bits), llvm::APInt(64, value).zextOrTrunc(bits)), lanes);
}
uint32_t Emitter::lanes_of(Value* value) {
    const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    return type == nullptr ? 1 : type->getNumElements();
}
Emitter::Value* Emitter::as(Value* value, llvm::Type* element) {
    return ir_.CreateBitCast(value, vector(element, lanes_of(value)));
}
Emitter::Value* Emitter::lane(Value* value, uint32_t index) {
    return lanes_of(value) == 1 && !value->getType()->isVectorTy()
               ? value
               : ir_.CreateExtractElement(value, static_cast<uint64_t>(index));
}
Emitter::Value* Emitter::reshaped(Value* value, llvm::ArrayRef<int> order) {
    if (order.size() == 1)
        return lane(value, static_cast<uint32_t>(order[0]));
    if (!value->getType()->isVectorTy())
        return splat(value, static_cast<uint32_t>(order.size()));
    bool same = order.size() == lanes_of(value);
    for (size_t i = 0; i < order.size() && same; ++i)
        same = order[i] == static_cast<int>(i);
    return same ? value : ir_.CreateShuffleVector(value, order);
}

} // namespace visor::jit
