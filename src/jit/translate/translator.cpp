#include "jit/translate/translator.h"

#include "isa/predefined.h"
#include "jit/engine/symbol_table.h"
#include "jit/ir/kept_copy.h"
#include "jit/ir/runtime_call.h"

#include <algorithm>

namespace visor::jit {

namespace {

constexpr llvm::Align any_alignment; // any byte

} // namespace

Translator::Translator(llvm::Module& module, const Program& program, const FunctionInfo& info,
                       const CodeOptions& options)
    : module_(module), context_(module.getContext()), ir_(context_), program_(program), info_(info),
      options_(options) {}

// ---- state

Translator::Value* Translator::first_member_address(size_t offset) {
    return llvm::IRBuilder<>(function_start())
        .CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), function_->getArg(0), offset);
}
Translator::Value* Translator::member_address(size_t offset) {
    return ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), state_, offset);
}
Translator::Value* Translator::member(size_t offset, llvm::Type* type) {
    return ir_.CreateLoad(type, member_address(offset));
}
void Translator::set_member(size_t offset, Value* value) {
    ir_.CreateStore(value, member_address(offset));
}
llvm::BasicBlock* Translator::block(const char* name) {
    return llvm::BasicBlock::Create(context_, name, function_);
}

// ---- the function

void Translator::emit(const char* name) {
    find_looked_up();
    with_symbols_ = instructions_with_symbols(program_);
    auto* const type = llvm::FunctionType::get(ir_.getPtrTy(), {ir_.getPtrTy(), ir_.getInt64Ty()}, false);
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module_);
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    function_->addFnAttr("stackrealign"); // else spilled vectors may cross cache lines
    function_->addFnAttr("prefer-vector-width", "512");
    function_->addFnAttr("min-legal-vector-width", "512");
    function_->addParamAttr(0, llvm::Attribute::NoAlias);
    cleared_in_.assign(info_.roots.size(), no_target);
    emit_entry();
    emit_code();
}

void Translator::add_instructions(uint32_t count) {
    Value* const sum = ir_.CreateAdd(ir_.CreateLoad(ir_.getInt64Ty(), counter_), ir_.getInt64(count));
    ir_.CreateStore(sum, counter_);
}

void Translator::emit_code() {
    for (index_ = 0; index_ < program_.code.size(); ++index_) {
        const Instruction& instruction = program_.code[index_];
        if (info_.leader[index_]) {
            if (index_ > 0)
                fall_through(index_);
            begin(code_[index_]);
            forget_surfaces();
            clear_dead(index_);
            leader_ = index_;
            if (instruction.join != no_target && is_waited_for(instruction.join))
                emit_join(instruction.join);
            uint32_t end = index_ + 1;
            while (end < program_.code.size() && !info_.leader[end])
                ++end;
            add_instructions(end - index_);
            add_idle_atomics(index_, end);
            emit_rematerialized(leader_);
        }
        clear_locals(instruction);
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

// Rematerializes in this block values that earlier blocks computed.
void Translator::emit_rematerialized(uint32_t leader) {
    const auto found = info_.rematerialized.find(leader);
    if (found == info_.rematerialized.end())
        return;
    for (const uint32_t index : found->second) {
        const Instruction& instruction = program_.code[index];
        const uint32_t root = info_.root_at(operand(instruction, 0).base);
        if (cleared_in_[root] != leader) {
            cleared_in_[root] = leader;
            clear_root(root);
        }
    }
    for (const uint32_t index : found->second) {
        index_ = index;
        emit_instruction(program_.code[index]);
    }
    index_ = leader;
}

// Clears block-local variables in their block instead of at the thread's start. LLVM's promotion to SSA
// values takes quadratic time where a long block does not define them first.
void Translator::clear_locals(const Instruction& instruction) {
    for (const PreparedOperand& at : program_.operands_of(instruction)) {
        if ((at.kind != OperandKind::general && at.kind != OperandKind::raw) || at.null)
            continue;
        const uint32_t root = info_.root_at(at.base);
        if (!info_.roots[root].local || root_[root] == nullptr || cleared_in_[root] == leader_)
            continue;
        cleared_in_[root] = leader_;
        clear_root(root);
    }
}

void Translator::fall_through(uint32_t next) {
    if (ir_.GetInsertBlock()->getTerminator() == nullptr) {
        flush_surfaces();
        ir_.CreateBr(code_[next]);
    }
    pending_surfaces_.clear();
}

void Translator::emit_join(uint32_t join) {
    Value* const waiting = ir_.CreateLoad(ir_.getInt32Ty(), waiting_[join]);
    ir_.CreateStore(ir_.CreateOr(ir_.CreateLoad(ir_.getInt32Ty(), mask_), waiting), mask_);
    ir_.CreateStore(ir_.getInt32(0), waiting_[join]);
}

void Translator::emit_instruction(const Instruction& instruction) {
    if (ir_.GetInsertBlock()->getTerminator() != nullptr)
        begin(block("unreachable_code")); // after an unconditional branch
    if (instruction.row->family == isa::Family::flow || instruction.row->family == isa::Family::sync) {
        flush_surfaces();
        pending_surfaces_.clear();
    }
    if (lower_flow(instruction) || lower_sync(instruction))
        return;
    if (options_.lowered && !always_reports(instruction) && lower(instruction))
        return;
    leave_to_interpreter();
}

void Translator::leave_to_interpreter() {
    interpreted_.push_back(index_);
    call_out();
}

// True if the interpreter always executes the instruction, since listeners follow it: indirect accesses, and
// writes of address registers. An address is tracked from where it was set.
bool Translator::always_reports(const Instruction& instruction) const {
    const auto is_indirect = [](const PreparedOperand& operand) {
        return operand.kind == OperandKind::indirect;
    };
    if (!options_.reported.outside || std::ranges::none_of(program_.operands, is_indirect))
        return false;
    const auto operands = program_.operands_of(instruction);
    return std::ranges::any_of(operands, is_indirect) ||
           (!operands.empty() && operands.front().kind == OperandKind::address);
}

// %ce0 and %tsc are updated before each read.
void Translator::refresh_state(const Instruction& instruction) {
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

bool Translator::lower(const Instruction& instruction) {
    refresh_state(instruction);
    const bool is_indirect = std::ranges::any_of(program_.operands_of(instruction), [](const auto& operand) {
        return operand.kind == OperandKind::indirect;
    });
    return is_indirect ? lower_indirect(instruction) : lower_family(instruction);
}

bool Translator::lower_family(const Instruction& instruction) {
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
        return lowering::lsc(*this, instruction) || lowering::image(*this, instruction);
    case isa::Family::matrix:
        return lowering::matrix(*this, instruction);
    case isa::Family::sampler:
    case isa::Family::typed:
        return lowering::image(*this, instruction);
    case isa::Family::atomic:
        return lowering::atomic(*this, instruction);
    default:
        return false;
    }
}

// ---- call-outs

// The pieces of an item: its alloca and its memory. Long variables as one vector would have more elements
// than LLVM has registers for. Empty if the item lives in memory only.
std::vector<Translator::ItemPiece> Translator::pieces_of(uint32_t item, bool saved) {
    const auto word = [&](const std::vector<Value*>& values, Value* file, uint32_t element) {
        return std::vector{ItemPiece{values[element], ir_.CreateConstGEP1_64(ir_.getInt32Ty(), file, element),
                                     ir_.getInt32Ty()}};
    };
    const uint32_t first_address = info_.address_item(program_, 0);
    const uint32_t first_predicate = info_.predicate_item(0);
    if (item >= first_address)
        return word(address_, addresses_, item - first_address);
    if (item >= first_predicate)
        return word(predicate_, predicates_, item - first_predicate);
    const Root& root = info_.roots[item];
    std::vector<ItemPiece> pieces;
    const uint32_t most = std::max(options_.simd, 8U) * 4;
    for (uint32_t at = 0; at < root.bytes && root_[item] != nullptr; at += most) {
        auto* const type = llvm::FixedVectorType::get(ir_.getInt32Ty(), std::min(most, root.bytes - at) / 4);
        pieces.push_back(
            {root_address(item, root.base + at),
             ir_.CreateConstGEP1_64(ir_.getInt8Ty(), saved ? saved_ : registers_, root.base + at), type});
    }
    return pieces;
}

// Marks an entry's copies (ir/kept_copy.h).
void Translator::mark_kept(llvm::Instruction* copy, uint32_t item, size_t piece,
                           std::optional<size_t> entry) {
    if (!entry)
        return;
    const uint32_t pc = info_.entries[*entry];
    if (pc > 0 && meets_partner(program_.code[pc - 1]))
        return; // the partner may write the saved value meanwhile
    mark_kept_copy(*copy, *entry, item, piece);
}

void Translator::store_item(uint32_t item, std::optional<size_t> entry) {
    const std::vector<ItemPiece> pieces = pieces_of(item, entry.has_value());
    for (size_t k = 0; k < pieces.size(); ++k) {
        Value* const value = ir_.CreateAlignedLoad(pieces[k].type, pieces[k].value, any_alignment);
        mark_kept(ir_.CreateAlignedStore(value, pieces[k].memory, any_alignment), item, k, entry);
    }
}

void Translator::load_item(uint32_t item, std::optional<size_t> entry) {
    const std::vector<ItemPiece> pieces = pieces_of(item, entry.has_value());
    for (size_t k = 0; k < pieces.size(); ++k) {
        llvm::LoadInst* const value = ir_.CreateAlignedLoad(pieces[k].type, pieces[k].memory, any_alignment);
        mark_kept(value, item, k, entry);
        ir_.CreateAlignedStore(value, pieces[k].value, any_alignment);
    }
}

// Stores the registers that an instruction names before a call-out; with `results`, reloads its results.
void Translator::spill_operands(const Instruction& instruction, bool results) {
    Items items;
    const auto operands = program_.operands_of(instruction);
    for (size_t k = 0; k < operands.size(); ++k) {
        const PreparedOperand& at = operands[k];
        if (results && !is_result(instruction, k))
            continue;
        if (is_register(at))
            items.push_back(info_.root_at(at.base));
        else if (at.kind == OperandKind::predicate)
            items.push_back(info_.predicate_item(at.base));
        // Indirect results are written to memory.
        const uint32_t addresses =
            results && at.kind == OperandKind::indirect ? 0 : addresses_of(instruction, at);
        for (uint32_t e = 0; e < addresses && at.base + e < program_.address_elements; ++e)
            items.push_back(info_.address_item(program_, at.base + e));
    }
    if (instruction.predicate.id != 0 && (!results || isa::has(*instruction.row, isa::writes_predicate)))
        items.push_back(info_.predicate_item(instruction.predicate.id));
    std::ranges::sort(items);
    const auto [first, last] = std::ranges::unique(items);
    items.erase(first, last);
    for (const uint32_t item : items)
        results ? load_item(item) : store_item(item);
}

// Scratch memory is not reachable by flat messages.
bool Translator::may_reach_scratch(const Instruction& instruction) const {
    return isa::has(*instruction.row, isa::reads_memory) && instruction.row->family != isa::Family::svm &&
           !lowering::is_flat_lsc(*this, instruction);
}

void Translator::mark_reads_scratch() {
    jit::mark_reads_scratch(*function_);
}

void Translator::call_out() {
    const Instruction& instruction = program_.code[index_];
    flush_surfaces();
    if (moves_surface(program_, instruction)) {
        forget_surfaces();
        pending_surfaces_.clear();
    }
    spill_operands(instruction, false);
    store_control(index_ + 1);
    Value* const status = create_fallback(ir_, state_, index_, may_reach_scratch(instruction));
    if (!may_stop(instruction)) {
        llvm::BasicBlock* const goes_on = block("goes_on");
        ir_.CreateCondBr(ir_.CreateICmpEQ(status, ir_.getInt32(0)), goes_on, leave_,
                         llvm::MDBuilder(context_).createBranchWeights(1000, 1));
        begin(goes_on);
        spill_operands(instruction, true);
        return;
    }
    continue_or_stop(status, true);
}

// The thread may be waiting now, or in another function: live values have to survive this call.
void Translator::continue_or_stop(Value* status, bool has_results) {
    const Instruction& instruction = program_.code[index_];
    const auto load_results = [&] {
        if (has_results)
            spill_operands(instruction, true);
    };
    const auto entry =
        static_cast<size_t>(std::ranges::lower_bound(info_.entries, index_ + 1) - info_.entries.begin());
    llvm::BasicBlock* const goes_on = block("goes_on");
    llvm::BasicBlock* const stops = block("stops");
    ir_.CreateCondBr(ir_.CreateICmpEQ(status, ir_.getInt32(0)), goes_on, stops);
    begin(stops);
    load_results();
    if (entry < info_.entries.size() && info_.entries[entry] == index_ + 1) {
        if (exits_[entry] == nullptr)
            exits_[entry] = block("exit");
        ir_.CreateBr(exits_[entry]);
    } else {
        ir_.CreateBr(leave_);
    }
    begin(goes_on);
    load_results();
}

void Translator::guarded(Value* holds, llvm::function_ref<void()> body) {
    llvm::BasicBlock* const hot = block("hot");
    llvm::BasicBlock* const cold = block("cold");
    llvm::BasicBlock* const done = block("done");
    ir_.CreateCondBr(holds, hot, cold, llvm::MDBuilder(context_).createBranchWeights(1000, 1));
    begin(cold);
    call_out();
    ir_.CreateBr(done);
    begin(hot);
    body();
    ir_.CreateBr(done);
    begin(done);
}

void Translator::each_lane_on(Value* on, llvm::function_ref<void(Value*)> body) {
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

Translator::Value* Translator::call_check_range(uint32_t site, Value* first, Value* last, uint32_t bytes) {
    Value* const passed = create_check_range_call(
        ir_, state_, {.site = site, .instruction = index_, .bytes = bytes}, first, last);
    return ir_.CreateICmpNE(passed, ir_.getInt32(0));
}

Translator::Value* Translator::call_check_lanes(uint32_t site, Value* addresses, Value* on,
                                                uint32_t displacement, uint32_t bytes) {
    Value* const buffer = lane_buffer(0);
    ir_.CreateStore(addresses, buffer);
    const StoredLanes lanes{.addresses = buffer,
                            .on = ir_.CreateZExt(bits_of(on), ir_.getInt32Ty()),
                            .lanes = lanes_of(addresses),
                            .displacement = displacement};
    Value* const passed =
        create_check_lanes_call(ir_, state_, {.site = site, .instruction = index_, .bytes = bytes}, lanes);
    return ir_.CreateICmpNE(passed, ir_.getInt32(0));
}

Translator::Value* Translator::entry_alloca(llvm::Type* type) {
    const llvm::IRBuilder<>::InsertPointGuard guard(ir_);
    llvm::BasicBlock& entry = function_->getEntryBlock();
    ir_.SetInsertPoint(&entry, entry.begin());
    return ir_.CreateAlloca(type);
}

Translator::Value* Translator::lane_buffer(size_t index) {
    if (index >= lane_buffers_.size())
        lane_buffers_.resize(index + 1);
    if (lane_buffers_[index] == nullptr)
        lane_buffers_[index] = entry_alloca(llvm::FixedVectorType::get(ir_.getInt64Ty(), lane_buffer_lanes));
    return lane_buffers_[index];
}

llvm::Function* Translator::get_or_create_function(const std::string& name, llvm::FunctionType* type,
                                                   llvm::function_ref<void(llvm::Function&)> body) {
    if (llvm::Function* const known = module_.getFunction(name))
        return known;
    auto* const created = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, module_);
    created->addFnAttrs(llvm::AttrBuilder(context_, function_->getAttributes().getFnAttrs()));
    const llvm::IRBuilder<>::InsertPointGuard guard(ir_);
    llvm::Function* const kernel = std::exchange(function_, created);
    begin(block("entry"));
    body(*created);
    function_ = kernel;
    return created;
}

// ---- values

bool Mask::all() const {
    const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(bits);
    return number != nullptr && number->isMinusOne();
}
Mask Mask::without_execution() const {
    return {predicate, predicate};
}

llvm::Type* Translator::vector(llvm::Type* element, uint32_t lanes) {
    return lanes == 1 ? element : llvm::FixedVectorType::get(element, lanes);
}
Translator::Value* Translator::splat(Value* scalar, uint32_t lanes) {
    return lanes == 1 ? scalar : ir_.CreateVectorSplat(lanes, scalar);
}
Translator::Value* Translator::constant(uint32_t bits, uint64_t value, uint32_t lanes) {
    return splat(llvm::ConstantInt::get(integer(bits), llvm::APInt(64, value).zextOrTrunc(bits)), lanes);
}
uint32_t Translator::lanes_of(Value* value) {
    const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    return type == nullptr ? 1 : type->getNumElements();
}
Translator::Value* Translator::as(Value* value, llvm::Type* element) {
    return ir_.CreateBitCast(value, vector(element, lanes_of(value)));
}
Translator::Value* Translator::lane(Value* value, uint32_t index) {
    return lanes_of(value) == 1 && !value->getType()->isVectorTy()
               ? value
               : ir_.CreateExtractElement(value, static_cast<uint64_t>(index));
}
Translator::Value* Translator::reshaped(Value* value, llvm::ArrayRef<int> order) {
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
