// Every row of the table as an instruction with plain operands: it is printed, read back and is the same.
#include "reading.h"

#include "isa/codec.h"
#include "isa/table.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace visor::text {
namespace {

using isa::Codec;
using isa::Field;
using isa::FieldKind;
using isa::Row;
using isa::TextForm;

uint64_t largest(FieldKind kind) {
    return kind == FieldKind::literal16 ? 0xffff : kind == FieldKind::literal32 ? 0xffffffff : 0xff;
}

// The n-th code that the codec spells and reads back.
uint64_t code_of(const Field& field, unsigned n) {
    std::vector<uint64_t> codes;
    for (uint64_t code = 0; code < 256 && codes.size() <= n; ++code) {
        if (isa::parse(field.codec, isa::spell(field.codec, code)) == code && code <= largest(field.kind))
            codes.push_back(code);
    }
    if (field.codec == Codec::plain)
        return n + 1;
    if (field.codec == Codec::dpas_info)
        return n == 0 ? 0x08080909 : 0x01080807;
    return codes.empty() ? 0 : codes[std::min<size_t>(n, codes.size() - 1)];
}

Operand vector_of(const Field& field, unsigned n) {
    const bool destination = field.kind == FieldKind::vector_dst;
    const auto allows = [&](isa::OperandClass klass) {
        return field.classes == 0 || (field.classes & klass) != 0;
    };
    Operand operand;
    if (allows(isa::class_general)) {
        operand.kind = OperandKind::general;
        operand.id = 32;
        operand.row = static_cast<uint8_t>(n);
        operand.region = destination ? Region{region_absent, region_absent, 1} : Region{1, 1, 0};
    } else if (allows(isa::class_address)) {
        operand.kind = OperandKind::address;
        operand.width = 4;
    } else {
        operand.kind = OperandKind::predicate;
        operand.id = 1;
    }
    return operand;
}

Operand operand_of(const Field& field, unsigned n) {
    Operand operand;
    switch (field.kind) {
    case FieldKind::vector_dst:
    case FieldKind::vector_src:
    case FieldKind::scalar_src:
        return vector_of(field, n);
    case FieldKind::raw_dst:
    case FieldKind::raw_src:
        operand.kind = OperandKind::raw;
        operand.id = field.place == isa::Place::hidden ? 0 : 33;
        operand.offset = field.place == isa::Place::hidden ? 0 : static_cast<int32_t>(32 * n);
        return operand;
    case FieldKind::surface:
        return {.kind = OperandKind::surface, .id = 6};
    case FieldKind::sampler:
        return {.kind = OperandKind::sampler};
    case FieldKind::label:
        return {.kind = OperandKind::label};
    case FieldKind::string16:
    case FieldKind::string32:
        return {.kind = OperandKind::string};
    case FieldKind::variable:
        return {.kind = OperandKind::variable, .id = 32};
    default:
        operand.kind = OperandKind::literal;
        operand.value = field.place == isa::Place::hidden ? field.fallback : code_of(field, n);
        return operand;
    }
}

// What forms fix or share beyond their fields.
void adjust(Instruction& instruction, unsigned n) {
    const auto set = [&](std::string_view name, uint64_t value) {
        if (const int index = isa::operand_index(*instruction.row, name); index >= 0)
            instruction.operands[static_cast<size_t>(index)].value = value;
    };
    const auto drop = [&](std::string_view name) {
        if (const int index = isa::operand_index(*instruction.row, name); index >= 0)
            instruction.operands[static_cast<size_t>(index)] = {};
    };
    const TextForm form = instruction.row->form;
    const bool lsc =
        form == TextForm::lsc_untyped || form == TextForm::lsc_typed || form == TextForm::lsc_block2d;
    if (lsc || form == TextForm::lsc_state_info) {
        for (const Field& field : instruction.row->format) {
            if (field.kind == FieldKind::scalar_src && instruction.operands.size() > 1)
                if (const int index = isa::operand_index(*instruction.row, field.name); index >= 0)
                    instruction.operands[static_cast<size_t>(index)].region = {0, 1, 0};
        }
        set("ch_mask", 0);
        set("addr_type", 4); // bti
        set("vnni", n % 2);
    }
    if (form == TextForm::lsc_state_info) {
        instruction.execution = {1, 0, true};
        for (const auto& [name, value] : {std::pair{"addr_size", 2},
                                          {"data_size", 3},
                                          {"data_order", 2},
                                          {"data_elems_per_addr", 6},
                                          {"u_offset", 0},
                                          {"v_offset", 0},
                                          {"r_offset", 0}})
            set(name, static_cast<uint64_t>(value));
        for (const std::string_view name : {"src0_addrs_v", "src0_addrs_r", "src0_addrs_lod"})
            if (const int index = isa::operand_index(*instruction.row, name); index >= 0)
                instruction.operands[static_cast<size_t>(index)] = {.kind = OperandKind::raw};
    }
    if (form == TextForm::nbarrier) {
        set("mode", n);
        if (n == 0) {
            drop("type");
            drop("num_producers");
            drop("num_consumers");
        } else {
            drop("type");
            drop("num_consumers");
        }
    }
    if (form == TextForm::dpas)
        for (Operand& operand : instruction.operands)
            operand.region = operand.kind == OperandKind::general ? Region{1, 1, 0} : Region{};
    if (form == TextForm::fence)
        instruction.operands[0].value = n == 0 ? 0x21 : 0x41;
}

Instruction instruction_of(const Row& row, unsigned n) {
    Instruction instruction;
    instruction.row = &row;
    if (isa::has_exec(row) && row.form != TextForm::lsc_fence)
        instruction.execution = {static_cast<uint8_t>(8U << n), static_cast<uint8_t>(16 * n), n == 1};
    if (isa::has_predicate(row))
        instruction.predicate = {2, n == 0 ? PredicateControl::none : PredicateControl::any, n == 1};
    instruction.saturate = isa::has(row, isa::can_saturate) && n == 1;
    bool repeated = false;
    for (const Field& field : row.format) {
        repeated = repeated || field.kind == FieldKind::counted;
        if (field.newer) // the null variable, or nothing
            instruction.operands.push_back({.kind = n == 0 ? OperandKind::raw : OperandKind::absent});
        else if (isa::is_operand(field.kind))
            instruction.operands.push_back(operand_of(field, n));
        if (field.kind == FieldKind::counted) {
            size_t count = instruction.operands.size();
            while (instruction.operands[count - 1].kind != OperandKind::literal)
                --count;
            instruction.operands[count - 1].value = 1;
        }
        if (field.present_if != 0)
            instruction.operands.back() = {};
    }
    if (const int mode = isa::operand_index(row, "mode"); mode >= 0 && row.form == TextForm::rt_write)
        instruction.operands[static_cast<size_t>(mode)].value = 0;
    adjust(instruction, n);
    return instruction;
}

TEST(Row, EveryRowComesBack) {
    const Reading base = read_lines("");
    ASSERT_TRUE(base.module.has_value()) << base.rendered();
    for (const Row* row : isa::table()) {
        const bool mark = row->form == TextForm::label || row->form == TextForm::subroutine;
        for (unsigned n = 0; n < 2; ++n) {
            Module module = *base.module;
            Function& function = module.functions[0];
            const Instruction instruction = instruction_of(*row, n);
            function.code.push_back(instruction);
            const bool labels = std::ranges::any_of(instruction.operands, [](const Operand& operand) {
                return operand.kind == OperandKind::label;
            });
            const bool strings = std::ranges::any_of(instruction.operands, [](const Operand& operand) {
                return operand.kind == OperandKind::string;
            });
            if (strings)
                function.strings = {"name"};
            if (labels) {
                function.labels = {{"L", LabelKind::block, {}, true}};
                if (row->form == TextForm::subroutine || row->mnemonic == std::string_view("call"))
                    function.labels[0].kind = LabelKind::subroutine;
                if (!mark)
                    function.code.push_back(
                        {.row = isa::find(0x31, -1), .operands = {{.kind = OperandKind::label}}});
            }
            const std::string printed = print(module);
            const Reading reading = read(printed);
            ASSERT_TRUE(reading.module.has_value()) << print(function, instruction) << '\n'
                                                    << reading.rendered();
            EXPECT_TRUE(same(module, *reading.module)) << print(function, instruction) << '\n'
                                                       << print(reading.function(), reading.code(0));
            EXPECT_EQ(print(*reading.module), printed);
        }
    }
}

} // namespace
} // namespace visor::text
