#include "check/provenance.h"

#include "check/roles.h"

#include <algorithm>
#include <cstring>

namespace visor::check {

namespace {

bool touches_memory(const isa::Row& row) {
    return isa::has(row, isa::reads_memory) || isa::has(row, isa::writes_memory);
}

// Predefined variables that hold addresses, or what functions hand on.
bool may_hold_addresses(uint32_t id) {
    using enum isa::Predefined;
    for (const isa::Predefined variable : {arg, retval, sp, fp, impl_arg_buf_ptr, local_id_buf_ptr})
        if (id == isa::id(variable))
            return true;
    return false;
}

bool is_destination(isa::FieldKind kind) {
    return kind == isa::FieldKind::vector_dst || kind == isa::FieldKind::raw_dst;
}

// Whether a lane's part of what a message brings may be a pointer.
bool may_bring_pointers(const PreparedInstruction& instruction, uint32_t bytes) {
    constexpr uint32_t pointer = 8;
    return bytes == 0 || bytes / std::max<uint32_t>(instruction.execution.size, 1) >= pointer;
}

} // namespace

Provenance::Provenance(const machine::Launch& launch) {
    const Program& program = *launch.program;
    if (program.calls)
        return;
    program_ = &program;
    collect_roots(program);
    begin(launch);
    judge(program);
}

void Provenance::collect_roots(const Program& program) {
    for (uint32_t id = 0; id < program.variables.size(); ++id) {
        const VariableSlot& slot = program.variables[id];
        if (!slot.used || slot.bytes == 0 || root_of(*program.function, id).id != id)
            continue;
        const bool unknown = id < isa::first_user_general && may_hold_addresses(id);
        roots_.push_back({slot.base, slot.base + slot.bytes, unknown ? anything : Set{0}});
    }
    std::ranges::sort(roots_, {}, &Root::base);
}

Provenance::Root* Provenance::root_at(uint32_t byte) {
    const auto after = std::ranges::upper_bound(roots_, byte, {}, &Root::base);
    return after == roots_.begin() ? nullptr : &*std::prev(after);
}

Provenance::Set Provenance::bit_of(const machine::Allocation& allocation) {
    const auto known = std::ranges::find(allocations_, allocation.address, &machine::Allocation::address);
    const auto number = static_cast<size_t>(known - allocations_.begin());
    constexpr size_t most = 63;
    if (number >= most)
        return anything;
    if (known == allocations_.end())
        allocations_.push_back(allocation);
    return Set{1} << number;
}

// What the variables hold when the thread starts.
void Provenance::begin(const machine::Launch& launch) {
    constexpr uint32_t dword = 4;
    for (const machine::ImageInput& input : launch.image_inputs)
        for (uint32_t at = 0; at + sizeof(uint64_t) <= input.bytes; at += dword) {
            uint64_t value = 0;
            if (size_t{input.image_offset} + at + sizeof value > launch.image.size())
                break;
            std::memcpy(&value, launch.image.data() + input.image_offset + at, sizeof value);
            const machine::Allocation* const in = launch.memory->find(value, 1);
            if (Root* const root = root_at(input.register_offset + at); in != nullptr && root != nullptr)
                root->made_of |= bit_of(*in);
        }
    for (const machine::ComputedInput& input : launch.computed_inputs)
        if (input.filler == machine::Filler::private_base)
            if (Root* const root = root_at(input.register_offset); root != nullptr)
                root->made_of = anything;
}

Provenance::Set Provenance::source(const PreparedOperand& operand) {
    if (operand.kind == OperandKind::indirect)
        return anything;
    if (operand.kind != OperandKind::general && operand.kind != OperandKind::raw)
        return 0;
    const Root* const root = operand.null ? nullptr : root_at(operand.base);
    return root == nullptr ? 0 : root->made_of;
}

bool Provenance::follow(const Program& program) {
    bool changed = false;
    for (size_t i = 0; i < program.code.size(); ++i) {
        const auto operands = program.operands_of(program.code[i]);
        Set made_of = results_[i];
        for (size_t k = 0; k < operands.size(); ++k)
            if (!is_destination(isa::field_of_operand(*program.code[i].row, k).kind) &&
                !touches_memory(*program.code[i].row))
                made_of |= source(operands[k]);
        for (size_t k = 0; k < operands.size() && made_of != 0; ++k) {
            if (operands[k].null || operands[k].kind == OperandKind::indirect ||
                !is_destination(isa::field_of_operand(*program.code[i].row, k).kind))
                continue;
            Root* const root =
                operands[k].kind == OperandKind::general || operands[k].kind == OperandKind::raw
                    ? root_at(operands[k].base)
                    : nullptr;
            if (root == nullptr || (root->made_of | made_of) == root->made_of)
                continue;
            root->made_of |= made_of;
            changed = true;
        }
    }
    return changed;
}

void Provenance::judge(const Program& program) {
    const Roles roles(program);
    results_.assign(program.code.size(), 0);
    messages_.assign(program.code.size(), 0);
    for (size_t i = 0; i < program.code.size(); ++i) {
        const PreparedInstruction& instruction = program.code[i];
        const auto operands = program.operands_of(instruction);
        for (size_t k = 0; k < operands.size(); ++k) {
            // What an address register reaches may be written through it.
            if (operands[k].kind == OperandKind::address_of)
                if (Root* const root = root_at(operands[k].base); root != nullptr)
                    root->made_of = anything;
            const isa::FieldKind kind = isa::field_of_operand(*instruction.row, k).kind;
            if (kind == isa::FieldKind::raw_dst &&
                may_bring_pointers(instruction, roles.bytes(instruction, k)))
                results_[i] = anything;
        }
        if (std::ranges::any_of(
                operands, [](const PreparedOperand& operand) { return operand.kind == OperandKind::string; }))
            results_[i] = anything; // an address of the program's own data
    }
    // Chains that run against the order of the code take a round for each link: compilers make none.
    constexpr int most_rounds = 100;
    int rounds = 0;
    while (follow(program))
        if (++rounds == most_rounds)
            return;
    for (size_t i = 0; i < program.code.size(); ++i) {
        const PreparedInstruction& instruction = program.code[i];
        const auto operands = program.operands_of(instruction);
        for (size_t k = 0; k < operands.size(); ++k) {
            const OperandRole role = roles.operand(instruction, k);
            if (role == OperandRole::lane_address || role == OperandRole::scalar_address)
                messages_[i] |= source(operands[k]);
        }
        if ((messages_[i] & anything) != 0)
            messages_[i] = 0;
    }
}

} // namespace visor::check
