// What the rows leave to their TextForm: fields that exclude each other, shapes, places. One function a form,
// in the words of row.h; a form that is a mere arrangement of the fields needs none.
#include "instructions.h"

#include "isa/codec.h"
#include "isa/table.h"
#include "literals.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace visor::generator {

namespace {

using isa::Codec;
using isa::Field;
using isa::FieldKind;
using isa::TextForm;
using isa::Type;

constexpr uint64_t flat = 1, arg = 5, surf = 6; // Codec::lsc_address_type
constexpr uint64_t untransposed = 1, transposed = 2;

// The operand of this name; nullptr when the row has none.
Operand* find(Instruction& instruction, std::string_view name) {
    const int index = isa::operand_index(*instruction.row, name);
    return index < 0 ? nullptr : &instruction.operands[static_cast<size_t>(index)];
}

void set(Instruction& instruction, std::string_view name, uint64_t value) {
    if (Operand* operand = find(instruction, name))
        operand->value = value;
}

bool is_null_or_absent(const Operand& operand) {
    return operand.kind == OperandKind::absent || is_null(operand);
}

} // namespace

void Instructions::settle(Instruction& instruction) {
    switch (instruction.row->form) {
    case TextForm::dpas:
        return settle_dpas(instruction);
    case TextForm::sample_3d:
        return settle_sample(instruction);
    case TextForm::nbarrier:
        return settle_nbarrier(instruction);
    case TextForm::no_exec:
        return settle_lifetime(instruction);
    case TextForm::raw_send:
    case TextForm::raw_sends:
    case TextForm::raw_sendg:
        return settle_send(instruction);
    case TextForm::lsc_untyped:
    case TextForm::lsc_block2d:
    case TextForm::lsc_typed:
        return settle_lsc(instruction);
    case TextForm::lsc_state_info:
        settle_lsc(instruction);
        return settle_state_info(instruction);
    default:
        break;
    }
}

// The region of vector sources is implied.
void Instructions::settle_dpas(Instruction& instruction) {
    for (Operand& operand : instruction.operands) {
        if (operand.kind == OperandKind::general) {
            operand.region = {1, 1, 0};
            operand.modifier = SourceModifier::none;
        }
    }
}

// Wait 1 operand; signal 2 (mode 1) or 4 (mode 2).
void Instructions::settle_nbarrier(Instruction& instruction) {
    const uint64_t mode = random_.below(3);
    set(instruction, "mode", mode);
    for (const char* name : {"type", "num_producers", "num_consumers"}) {
        const bool is_there = mode == 2 || (mode == 1 && name == std::string_view("num_producers"));
        if (!is_there)
            *find(instruction, name) = {};
    }
}

// The class of the variable is part of the literal in text.
void Instructions::settle_lifetime(Instruction& instruction) const {
    std::vector<Operand>& operands = instruction.operands;
    const auto variable = std::ranges::find(operands, OperandKind::variable, &Operand::kind);
    if (variable != operands.end())
        operands[0].value |= uint64_t{variable->klass} << 4U;
}

// Only mnemonics that the row spells exist. A shared function's id has four bits, a length 16.
void Instructions::settle_send(Instruction& instruction) {
    const isa::Row& row = *instruction.row;
    Operand* modifiers = find(instruction, "modifiers");
    do {
        modifiers->value = random_.pick(codes(Codec::send_modifiers));
    } while (isa::find(row.mnemonic + isa::spell(Codec::send_modifiers, modifiers->value)) != &row);
    if (row.form != TextForm::raw_sendg)
        return;
    find(instruction, "sfid")->value &= 0xf;
    for (const char* name : {"dst_length", "src0_length", "src1_length"})
        find(instruction, name)->value &= 0xffff;
}

// ---- LSC

// V(row,column), or a number.
Operand Instructions::place(Type immediate) {
    Operand made;
    if (random_.one_in(2)) {
        made.kind = OperandKind::immediate;
        made.type = immediate;
        made.value = random_.number(isa::size_of(immediate) == 8 ? UINT64_MAX : UINT32_MAX);
        return made;
    }
    made.kind = OperandKind::general;
    made.id = variables_.general(0, 1, false);
    made.region = {0, 1, 0};
    const uint32_t size = isa::size_of(general_type(function_, made.id));
    const uint32_t elements = std::min(variables_.bytes_of(made.id), 256 * options_.grf_bytes) / size;
    const auto first = static_cast<uint32_t>(random_.below(elements));
    made.row = static_cast<uint8_t>(first * size / options_.grf_bytes);
    made.column = static_cast<uint8_t>(first * size % options_.grf_bytes / size);
    return made;
}

// In text the null variable in front of other parameters is a paired resource.
void Instructions::settle_sample(Instruction& instruction) {
    Operand& paired = *find(instruction, "paired_resource");
    const size_t first = static_cast<size_t>(isa::operand_index(*instruction.row, "num_params")) + 1;
    if (!in_binary() && instruction.operands.size() > first + 1 && is_null(instruction.operands[first]))
        paired.kind = OperandKind::raw;
}

void Instructions::settle_lsc(Instruction& instruction) {
    constexpr Type ud = Type::ud;
    size_t index = 0;
    for (const Field& field : instruction.row->format) {
        if (!isa::is_operand(field.kind))
            continue;
        if (field.kind == FieldKind::scalar_src)
            instruction.operands[index] = place(ud);
        ++index;
    }
    // ".tgm" belongs to the typed messages.
    if (Operand* sfid = find(instruction, "lsc_sfid")) {
        while (isa::spell(Codec::lsc_sfid, sfid->value) == "tgm")
            sfid->value = random_.pick(codes(Codec::lsc_sfid));
    }
    if (Operand* scale = find(instruction, "addr_scale"))
        scale->value = random_.one_in(2) ? 1 : 1 + random_.number(0xfffe);
    settle_lsc_surface(instruction);
    settle_lsc_shape(instruction);
    settle_lsc_block(instruction);
    settle_lsc_coordinates(instruction);
}

// A flat address may have a base, `arg` has nothing; all others have a surface, and text an index into it.
void Instructions::settle_lsc_surface(Instruction& instruction) {
    Operand* surface = find(instruction, "surface");
    if (surface == nullptr)
        return;
    const uint64_t type = find(instruction, "addr_type")->value;
    if (type == arg || (type == flat && random_.one_in(2)))
        *surface = {};
    else if (type == flat || type == surf)
        *surface = place(Type::uq);
    else if (random_.one_in(4))
        *surface = state(true);
    if (surface->kind == OperandKind::state_surface)
        surface->column = 0;
    if (surface->kind == OperandKind::absent || random_.one_in(2))
        set(instruction, "surface_index", 0);
}

// Either channels or a number of elements, which may be transposed.
void Instructions::settle_lsc_shape(Instruction& instruction) {
    Operand* channels = find(instruction, "ch_mask");
    if (channels == nullptr)
        return;
    if (random_.one_in(2)) {
        channels->value = 0;
        return;
    }
    set(instruction, "data_elems_per_addr", 0);
    set(instruction, "data_order", untransposed);
}

// A block is not empty. A base that stands alone is a payload, which has the rest in it.
void Instructions::settle_lsc_block(Instruction& instruction) {
    for (const char* name : {"blocks", "block_width", "block_height"}) {
        if (Operand* size = find(instruction, name))
            size->value = std::max<uint64_t>(size->value, 1);
    }
    if (Operand* vnni = find(instruction, "vnni"))
        vnni->value &= 1U;
    Operand* base = find(instruction, "surface_base_addr");
    if (base == nullptr)
        return;
    *base = place(Type::uq);
    if (in_binary() || base->kind != OperandKind::general || random_.one_in(2))
        return;
    for (const char* name :
         {"surface_width", "surface_height", "surface_pitch", "src0_addr_x", "src0_addr_y"})
        *find(instruction, name) = {};
}

// An offset stands behind a variable; behind a number it would be part of that number. The pitch of strided
// messages may be left out.
void Instructions::settle_lsc_coordinates(Instruction& instruction) {
    static constexpr std::array<std::array<const char*, 2>, 5> pairs{{{"src0_addr_x", "x_offset"},
                                                                      {"src0_addr_y", "y_offset"},
                                                                      {"src0_addrs_u", "u_offset"},
                                                                      {"src0_addrs_v", "v_offset"},
                                                                      {"src0_addrs_r", "r_offset"}}};
    for (const auto& [coordinate, offset] : pairs) {
        const Operand* at = find(instruction, coordinate);
        const bool is_in_payload = at != nullptr && at->kind == OperandKind::absent;
        if (at != nullptr && !is_in_payload && (at->kind == OperandKind::immediate || is_null_or_absent(*at)))
            set(instruction, offset, 0);
    }
    Operand* pitch = find(instruction, "src0_addr_pitch");
    if (pitch != nullptr && !in_binary() && random_.one_in(2))
        *pitch = {};
}

// lsc_read_state_info has one shape, one lane and one coordinate.
void Instructions::settle_state_info(Instruction& instruction) {
    instruction.execution = {1, 0, true};
    set(instruction, "addr_size", *isa::parse(Codec::lsc_address_size, "a32"));
    set(instruction, "data_size", *isa::parse(Codec::lsc_data_size, "d32"));
    set(instruction, "data_order", transposed);
    set(instruction, "data_elems_per_addr", *isa::parse(Codec::lsc_data_elements, "16"));
    set(instruction, "ch_mask", 0);
    for (const char* name : {"u_offset", "v_offset", "r_offset"})
        set(instruction, name, 0);
    for (const char* name : {"src0_addrs_v", "src0_addrs_r", "src0_addrs_lod"}) {
        *find(instruction, name) = {};
        find(instruction, name)->kind = OperandKind::raw;
    }
}

} // namespace visor::generator
