#include "check/roles.h"

#include "isa/opcode.h"
#include "isa/row.h"
#include "isa/sub_opcode.h"
#include "module/extent.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace visor::check {

namespace {

using isa::FieldKind;
namespace opcode = isa::opcode;

bool touches_memory(const isa::Row& row) {
    return isa::has(row, isa::reads_memory) || isa::has(row, isa::writes_memory);
}

// A message's operand that says where, not what.
bool is_address(const isa::Field& field) {
    const std::string_view name = field.name;
    return !name.starts_with("src") || name.find("addr") != std::string_view::npos;
}

// A comparison or exclusive or of a value with itself has one result whatever the value: the compiler asks so
// for the lanes that are on.
bool compares_with_itself(const isa::Row& row, std::span<const PreparedOperand> operands) {
    if ((row.opcode != opcode::cmp && row.opcode != opcode::xor_) || operands.size() < 3)
        return false;
    const PreparedOperand& a = operands[operands.size() - 2];
    const PreparedOperand& b = operands[operands.size() - 1];
    return a.kind == OperandKind::general && b.kind == OperandKind::general && a.base == b.base &&
           a.type == b.type && a.vertical == b.vertical && a.width == b.width &&
           a.horizontal == b.horizontal && a.modifier == b.modifier && isa::is_integer(a.type);
}

} // namespace

Roles::Roles(const Program& program)
    : instructions_(program.code.size()), operands_(program.operands.size(), OperandRole::none),
      bytes_(program.operands.size(), 0) {
    for (size_t i = 0; i < program.code.size(); ++i) {
        const PreparedInstruction& instruction = program.code[i];
        const isa::Row& row = *instruction.row;
        const auto operands = program.operands_of(instruction);
        InstructionRoles& roles = instructions_[i];
        roles.branches = row.family == isa::Family::flow;
        roles.multiplies =
            row.opcode == opcode::dpas || row.opcode == opcode::dpasw || row.opcode == opcode::bdpas;
        roles.brings_all = row.family == isa::Family::lsc && row.sub == isa::sub_opcode::lsc::load_block2d;
        roles.may_store = instruction.predicate.id != 0 && isa::has(row, isa::writes_memory);
        roles.selects = isa::has(row, isa::predicate_selects) && instruction.predicate.id != 0;
        roles.masks =
            row.opcode == opcode::and_ &&
            std::ranges::find(operands, OperandKind::immediate, &PreparedOperand::kind) != operands.end();
        roles.intersects = row.opcode == opcode::and_ && !roles.masks;
        roles.has_indirect =
            std::ranges::find(operands, OperandKind::indirect, &PreparedOperand::kind) != operands.end();
        roles.always_the_same = compares_with_itself(row, operands);
        for (size_t k = 0; k < operands.size(); ++k)
            add_operand(program, instruction, k, roles);
    }
}

void Roles::add_operand(const Program& program, const PreparedInstruction& instruction, size_t index,
                        InstructionRoles& roles) {
    const isa::Row& row = *instruction.row;
    const isa::Field& field = isa::field_of_operand(row, index);
    const bool message = touches_memory(row);
    OperandRole& role = operands_[instruction.first_operand + index];
    uint32_t& bytes = bytes_[instruction.first_operand + index];
    const PreparedOperand& operand = program.operands[instruction.first_operand + index];
    if (operand.null || (field.newer && operand.kind == OperandKind::absent))
        return;
    const auto extent = [&] {
        return visor::extent(program.source_of(instruction), index, program.device->grf_bytes);
    };
    if (field.extent == isa::Extent::wide_pair) {
        role = OperandRole::pair;
        bytes = extent() / 2;
    } else if (field.kind == FieldKind::vector_dst) {
        role = OperandRole::destination;
    } else if (field.kind == FieldKind::raw_dst) {
        role = OperandRole::result;
        bytes = extent();
        roles.has_result = true;
    } else if (message && field.kind == FieldKind::scalar_src) {
        role = OperandRole::scalar_address;
        roles.has_addresses = true;
    } else if (message && field.kind == FieldKind::raw_src && is_address(field) &&
               field.extent != isa::Extent::lsc_base) {
        bytes = extent() / std::max<uint32_t>(instruction.execution.size, 1);
        // A sampler's parameters are elements of their own type.
        if (bytes == 0 && row.family == isa::Family::sampler)
            bytes = isa::size_of(program.operands[instruction.first_operand + index].type);
        role = bytes == 0 ? OperandRole::none : OperandRole::lane_address;
        roles.has_addresses = true;
    } else if (row.family == isa::Family::typed && field.extent == isa::Extent::channels_4 &&
               field.kind == FieldKind::raw_src) {
        constexpr uint32_t dword = 4;
        const uint32_t lanes = instruction.execution.size;
        const uint32_t all = extent();
        if (all < lanes * dword)
            return;
        bytes = std::max<uint32_t>(lanes * dword, program.device->grf_bytes);
        role = OperandRole::pixels;
        roles.pixel_channels = static_cast<uint8_t>((all - lanes * dword) / bytes + 1);
        roles.has_addresses = true;
    } else if (field.kind == FieldKind::vector_src || field.kind == FieldKind::scalar_src) {
        role = OperandRole::source;
    }
}

} // namespace visor::check
