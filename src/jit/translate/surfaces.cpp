// Surfaces: by binding-table index, by the element of a state variable, by handle. Windows, which the engine
// fills (engine/surface_windows.h), hold the address range of each.
#include "jit/translate/translator.h"

#include "isa/predefined.h"
#include "jit/ir/bounds.h"
#include "machine/state_handle.h"

#include <algorithm>
#include <bit>

namespace visor::jit {

namespace {

// The index of an element in a list; appends it if new.
template <class T>
uint32_t index_in(std::vector<T>& list, const T& one) {
    const auto found = std::ranges::find(list, one);
    const auto index = static_cast<uint32_t>(found - list.begin());
    if (found == list.end())
        list.push_back(one);
    return index;
}

} // namespace

// Elements of surface variables used without a preceding move in their block that sets a known index.
void Translator::find_looked_up() {
    std::vector<uint32_t> known;
    for (uint32_t i = 0; i < program_.code.size(); ++i) {
        if (info_.leader[i])
            known.clear();
        if (const auto named = named_surface(program_, info_, i, options_.full)) {
            (void)index_in(known, named->element);
            continue;
        }
        for (const PreparedOperand& operand : program_.operands_of(program_.code[i]))
            if (operand.kind == OperandKind::surface && !is_bindless(operand) &&
                std::ranges::find(known, operand.base) == known.end())
                (void)index_in(looked_up_, operand.base);
        if (program_.code[i].row->family == isa::Family::move)
            known.clear();
    }
}

Translator::Value* Translator::element_window(size_t windows, uint32_t element) {
    return ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), member(windows, ir_.getPtrTy()),
                                          sizeof(Window) * index_in(surfaces_, element));
}

Translator::WindowAddress Translator::window_of_element(uint32_t element) {
    if (const auto known = known_surfaces_.find(element); known != known_surfaces_.end())
        return window_of_index(known->second);
    if (may_reach_scratch(program_.code[index_]))
        mark_reads_scratch();
    return {.address = element_window(offsetof(State, windows), element),
            .invariance = WindowAddress::varying,
            .local = true,
            .scratch = false};
}

Translator::WindowAddress Translator::window_of_index(uint32_t binding_table_index) {
    const llvm::IRBuilder<>::InsertPointGuard guard(ir_);
    const bool own = binding_table_index == isa::bti_stateless || // one for each thread
                     binding_table_index == machine::bti_scratch_surface;
    ir_.SetInsertPoint(own ? thread_start() : function_start());
    Value* const address = own ? member_address(offsetof(State, named_windows))
                               : first_member_address(offsetof(State, named_windows));
    Value* const windows = ir_.CreateLoad(ir_.getPtrTy(), address);
    return {.address = ir_.CreateConstInBoundsGEP1_64(
                ir_.getInt8Ty(), windows, sizeof(Window) * index_in(named_surfaces_, binding_table_index)),
            .invariance = own ? WindowAddress::per_thread : WindowAddress::per_call,
            .local = binding_table_index == isa::bti_slm,
            .scratch = own};
}

void Translator::flush_surfaces() {
    for (const auto& [element, number] : pending_surfaces_)
        ir_.CreateStore(ir_.getInt32(number),
                        ir_.CreateConstInBoundsGEP1_64(ir_.getInt32Ty(), surface_numbers_, element));
}

void Translator::set_surface(uint32_t element, uint32_t binding_table_index) {
    pending_surfaces_[element] = binding_table_index;
    if (std::ranges::find(looked_up_, element) != looked_up_.end()) {
        known_surfaces_.erase(element);
        copy_window(window_of_index(binding_table_index).address, window_of_element(element).address);
    }
    known_surfaces_[element] = binding_table_index;
}

void Translator::copy_window(Value* from, Value* to) {
    auto* const words = llvm::ArrayType::get(ir_.getInt64Ty(), sizeof(Window) / 8);
    ir_.CreateStore(ir_.CreateLoad(words, from), to);
}

// Resets state variables that the previous thread or group may have changed.
void Translator::restore_surfaces() {
    const auto moves = [this](auto element) {
        return std::ranges::any_of(program_.operands, [&](const PreparedOperand& operand) {
            return operand.kind == OperandKind::state_surface && element(operand);
        });
    };
    if (moves(is_bindless))
        ir_.CreateStore(ir_.getInt32(isa::bti_bindless), bss_address());
    if (!moves([](const PreparedOperand&) { return true; }))
        return;
    Value* const numbers = member(offsetof(State, first_surfaces), ir_.getPtrTy());
    for (const uint32_t element : looked_up_) {
        const auto of = [&](Value* list) {
            return ir_.CreateConstInBoundsGEP1_64(ir_.getInt32Ty(), list, element);
        };
        ir_.CreateStore(ir_.CreateLoad(ir_.getInt32Ty(), of(numbers)), of(surface_numbers_));
        copy_window(element_window(offsetof(State, first_windows), element),
                    element_window(offsetof(State, windows), element));
    }
}

void Translator::forget_surfaces() {
    known_surfaces_.clear();
    given_to_bss_ = nullptr;
}

// ---- handles

namespace {

// %bss holds a 32-bit handle, moved without conversion.
bool is_handle(const PreparedOperand& operand) {
    return (operand.kind == OperandKind::general || operand.kind == OperandKind::immediate) &&
           operand.modifier == SourceModifier::none && isa::is_integer(operand.type) &&
           isa::size_of(operand.type) == 4;
}

// A move of one element, whatever the mask.
bool moves_one(const FunctionInfo& info, const PreparedInstruction& instruction, uint32_t index, bool full) {
    return instruction.operand_count >= 2 && instruction.execution.size == 1 &&
           runs_always(info, instruction, index, full);
}

} // namespace

Translator::Value* Translator::bss_address() {
    return ir_.CreateConstInBoundsGEP1_64(ir_.getInt32Ty(), surface_numbers_,
                                          static_cast<uint64_t>(isa::PredefinedSurface::bss));
}

Translator::Value* Translator::load_bss() {
    return ir_.CreateLoad(ir_.getInt32Ty(), bss_address());
}

bool Translator::set_bss(const Instruction& instruction) {
    if (!moves_one(info_, instruction, index_, options_.full))
        return false;
    const PreparedOperand& to = operand(instruction, 0);
    const PreparedOperand& from = operand(instruction, 1);
    if (to.kind != OperandKind::state_surface || !is_bindless(to) || !is_handle(from))
        return false;
    ir_.CreateStore(load_bits(from, 1), bss_address());
    given_to_bss_ = is_given(from) ? &from : nullptr;
    return true;
}

const ImageAccess* Translator::image_access() const {
    const auto found = std::ranges::lower_bound(options_.images, index_, {}, &ImageAccess::instruction);
    return found != options_.images.end() && found->instruction == index_ ? &*found : nullptr;
}

// Only in front of a message that uses it, which is an interpreter fallback: that marks the thread as one
// whose samplers have changed.
bool Translator::set_sampler(const Instruction& instruction) {
    if (!moves_one(info_, instruction, index_, options_.full))
        return false;
    const PreparedOperand& to = operand(instruction, 0);
    const PreparedOperand& from = operand(instruction, 1);
    if (to.kind != OperandKind::state_sampler || to.base >= program_.sampler_elements || !is_handle(from))
        return false;
    uint32_t user = index_ + 1;
    while (user < program_.code.size() && !info_.leader[user] &&
           program_.code[user].row->family != isa::Family::sampler)
        ++user;
    if (user == program_.code.size() || info_.leader[user])
        return false;
    Value* const samplers = member(offsetof(State, samplers), ir_.getPtrTy());
    ir_.CreateStore(load_bits(from, 1), ir_.CreateConstInBoundsGEP1_64(ir_.getInt32Ty(), samplers, to.base));
    return true;
}

// A launch argument: uniform over all threads and read-only.
bool Translator::is_given(const PreparedOperand& operand) const {
    const uint32_t end = operand.base + isa::size_of(operand.type);
    return is_given_input(program_, info_, operand) &&
           std::ranges::any_of(options_.shared, [&](const machine::SharedInput& input) {
               return input.begin <= operand.base && end <= input.end;
           });
}

std::optional<Translator::WindowAddress> Translator::window_of_given(const PreparedOperand& handle,
                                                                     uint32_t index) {
    if (!is_given(handle))
        return std::nullopt;
    const GivenHandle given{.offset = handle.base, .type = handle.type, .index = index};
    const llvm::IRBuilder<>::InsertPointGuard guard(ir_);
    ir_.SetInsertPoint(function_start());
    Value* const windows =
        ir_.CreateLoad(ir_.getPtrTy(), first_member_address(offsetof(State, handle_windows)));
    return WindowAddress{.address = ir_.CreateConstInBoundsGEP1_64(
                             ir_.getInt8Ty(), windows, sizeof(Window) * index_in(handles_, given)),
                         .invariance = WindowAddress::per_call,
                         .local = false,
                         .scratch = false};
}

Translator::LookedUp Translator::look_up(Value* handle) {
    looks_up_ = true;
    const auto same_for_all = [&](llvm::Type* type, size_t offset) {
        const llvm::IRBuilder<>::InsertPointGuard guard(ir_);
        ir_.SetInsertPoint(function_start());
        return mark_invariant(ir_.CreateLoad(type, first_member_address(offset)));
    };
    Value* const windows = same_for_all(ir_.getPtrTy(), offsetof(State, launch_windows));
    Value* const count = same_for_all(ir_.getInt64Ty(), offsetof(State, launch_window_count));
    Value* const is_index = ir_.CreateICmpULT(handle, ir_.getInt64(machine::scratch_handle));
    Value* const of_state = ir_.CreateLShr(handle, std::countr_zero(machine::state_bytes));
    Value* const number = ir_.CreateSelect(is_index, handle, of_state);
    // Entry 0 always exists, so that no further check is needed before the read.
    const Bounds::Entry entry = Bounds(ir_).entry(windows, count, number, sizeof(Window));
    Value* const data = mark_invariant(
        ir_.CreateLoad(ir_.getPtrTy(), ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), entry.pointer,
                                                                      offsetof(Window, data))));
    return {.window = {.address = entry.pointer,
                       .invariance = WindowAddress::invariant,
                       .local = false,
                       .scratch = false},
            .known = ir_.CreateAnd(entry.known, ir_.CreateIsNotNull(data))};
}

llvm::LoadInst* Translator::mark_invariant(llvm::LoadInst* load) {
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
    return load;
}

} // namespace visor::jit
