#include "jit/emitter.h"

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
    auto* const type = llvm::FunctionType::get(ir_.getVoidTy(), {ir_.getPtrTy()}, false);
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module_);
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    function_->addFnAttr("prefer-vector-width", "512");
    function_->addFnAttr("min-legal-vector-width", "512");
    function_->addParamAttr(0, llvm::Attribute::NoAlias);
    state_ = function_->getArg(0);
    emit_entry();
    emit_code();
}

void Emitter::make_storage() {
    for (const Root& root : plan_.roots)
        root_.push_back(root.pinned || root.bytes == 0
                            ? nullptr
                            : ir_.CreateAlloca(llvm::ArrayType::get(ir_.getInt32Ty(), root.bytes / 4)));
    const auto words = [&](std::vector<Value*>& out, size_t count) {
        for (size_t i = 0; i < count; ++i) {
            out.push_back(ir_.CreateAlloca(ir_.getInt32Ty()));
            ir_.CreateStore(ir_.getInt32(0), out.back());
        }
    };
    words(predicate_, program_.predicate_count);
    words(address_, program_.address_elements);
    mask_ = ir_.CreateAlloca(ir_.getInt32Ty());
    counter_ = ir_.CreateAlloca(ir_.getInt64Ty());
    for (Value* const root : root_)
        if (root != nullptr) {
            auto* const bytes = llvm::cast<llvm::AllocaInst>(root)->getAllocatedType();
            ir_.CreateStore(llvm::Constant::getNullValue(bytes), root);
        }
}

// As values lanes that wait cost a choice at every label for every other one: with many labels they stay in
// memory.
bool Emitter::waiting_as_values() const {
    constexpr size_t most_values = 400;
    return program_.joins.size() <= most_values;
}

void Emitter::make_waiting() {
    for (size_t k = 0; k < program_.joins.size(); ++k) {
        if (!waiting_as_values()) {
            waiting_.push_back(ir_.CreateConstGEP1_64(ir_.getInt32Ty(), waiting_in_memory_, k));
            continue;
        }
        waiting_.push_back(ir_.CreateAlloca(ir_.getInt32Ty()));
        ir_.CreateStore(ir_.getInt32(0), waiting_.back());
    }
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
}

void Emitter::emit_entry() {
    begin(block("entry"));
    make_storage();
    auto* const pointer = ir_.getPtrTy();
    registers_ = member(offsetof(State, registers), pointer);
    predicates_ = member(offsetof(State, predicates), pointer);
    addresses_ = member(offsetof(State, addresses), pointer);
    waiting_in_memory_ = member(offsetof(State, waiting), pointer);
    dispatched_ = options_.full ? ir_.getInt32(machine::lane_bits(options_.simd))
                                : member(offsetof(State, dispatch_mask), ir_.getInt32Ty());
    ir_.CreateStore(member(offsetof(State, mask), ir_.getInt32Ty()), mask_);
    ir_.CreateStore(member(offsetof(State, instructions), ir_.getInt64Ty()), counter_);
    make_waiting();
    make_blocks();

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

// Lanes with steps known before are told by their first one.
void Emitter::load_inputs() {
    for (uint32_t r = 0; r < plan_.roots.size(); ++r)
        if (plan_.roots[r].input)
            load_item(r);
    for (const machine::LaneSteps& input : options_.inputs) {
        const uint64_t bytes = uint64_t{input.element_bytes} * input.steps.size();
        const uint64_t end = input.register_offset + bytes;
        if (bytes == 0 || bytes % 4 != 0 || input.register_offset % 4 != 0 || end > program_.register_bytes)
            continue;
        const uint32_t r = plan_.root_at(input.register_offset);
        const Root& root = plan_.roots[r];
        if (root_[r] == nullptr || !root.input || end > root.base + root.bytes)
            continue;
        auto* const element = integer(input.element_bytes * 8);
        Value* const first = ir_.CreateAlignedLoad(
            element, ir_.CreateConstGEP1_64(ir_.getInt8Ty(), registers_, input.register_offset), any_alignment);
        std::vector<llvm::Constant*> steps;
        for (const uint32_t step : input.steps)
            steps.push_back(llvm::ConstantInt::get(element, step));
        const auto lanes = static_cast<uint32_t>(steps.size());
        Value* const all = ir_.CreateAdd(splat(first, lanes), llvm::ConstantVector::get(steps), "", true, true);
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
    ir_.CreateRetVoid();
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
    begin(ended_);
    set_member(offsetof(State, ended), ir_.getInt32(1));
    ir_.CreateBr(leave_);
    begin(leave_);
    set_member(offsetof(State, instructions), ir_.CreateLoad(ir_.getInt64Ty(), counter_));
    ir_.CreateRetVoid();
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
Emitter::ItemPlace Emitter::place_of(uint32_t item) {
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
    return {root_[item], ir_.CreateConstGEP1_64(ir_.getInt8Ty(), registers_, root.base),
            llvm::FixedVectorType::get(ir_.getInt32Ty(), root.bytes / 4)};
}

// At an entry: the copies are told apart from others (affine.h).
void Emitter::mark_kept(llvm::Instruction* copy, uint32_t item, std::optional<size_t> entry) {
    if (!entry)
        return;
    const auto number = [&](uint64_t value) {
        return llvm::ConstantAsMetadata::get(ir_.getInt64(value));
    };
    copy->setMetadata(kept_mark, llvm::MDNode::get(context_, {number(*entry), number(item)}));
}

void Emitter::store_item(uint32_t item, std::optional<size_t> entry) {
    const ItemPlace place = place_of(item);
    if (place.value == nullptr)
        return;
    Value* const value = ir_.CreateAlignedLoad(place.type, place.value, any_alignment);
    mark_kept(ir_.CreateAlignedStore(value, place.memory, any_alignment), item, entry);
}

void Emitter::load_item(uint32_t item, std::optional<size_t> entry) {
    const ItemPlace place = place_of(item);
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

uint32_t Emitter::window_of_index(uint32_t binding_table_index) {
    const auto found = std::ranges::find(named_surfaces_, binding_table_index);
    const auto place = static_cast<uint32_t>(found - named_surfaces_.begin());
    if (found == named_surfaces_.end())
        named_surfaces_.push_back(binding_table_index);
    return program_.surface_elements + place;
}

void Emitter::set_surface(uint32_t element, uint32_t binding_table_index) {
    Value* const numbers = member(offsetof(State, surfaces), ir_.getPtrTy());
    ir_.CreateStore(ir_.getInt32(binding_table_index),
                    ir_.CreateConstInBoundsGEP1_64(ir_.getInt32Ty(), numbers, element));
    Value* const windows = member(offsetof(State, windows), ir_.getPtrTy());
    const auto window = [&](uint32_t place) {
        return ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), windows, sizeof(Window) * place);
    };
    auto* const words = llvm::ArrayType::get(ir_.getInt64Ty(), sizeof(Window) / 8);
    ir_.CreateStore(ir_.CreateLoad(words, window(window_of_index(binding_table_index))), window(element));
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
