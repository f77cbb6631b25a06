// The order of the fields of a vISA binary, once: each function is walked by the Reader, which fills what it
// is given from bytes, and by the Writer, which turns it into bytes. What an instruction consists of is not
// said here: its row says it. Older versions differ in widths (Width) and in a few fields (`exists`).
#pragma once

#include "binary/encoding.h"

#include "isa/opcode.h"
#include "isa/row.h"
#include "module/module.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace visor::binary {

inline constexpr uint32_t magic = 0x41534943; // "CISA"
inline constexpr size_t longest_string = 1023;

template <class Archive, class T>
using Walked = std::conditional_t<Archive::reading, T, const T>;

// Bytes of counts and ids.
enum class Width : uint8_t {
    byte,
    word,
    dword,
    id,     // ud; uw before 3.4
    inputs, // ud; ub before 3.5
    name,   // uw; ub before 3.7
};
[[nodiscard]] constexpr unsigned bytes_of(Width width, Version version) {
    switch (width) {
    case Width::byte:
        return 1;
    case Width::word:
        return 2;
    case Width::dword:
        return 4;
    case Width::id:
        return version.before(3, 4) ? 2 : 4;
    case Width::inputs:
        return version.before(3, 5) ? 1 : 4;
    case Width::name:
        return version.before(3, 7) ? 1 : 2;
    }
    return 4;
}

// What an id counts in.
enum class Space : uint8_t { general, address, predicate, sampler, surface, label };
[[nodiscard]] std::string_view describe(Space space); // "general variable"

// ---- the file

struct NativeCode {
    uint8_t platform = 0;
    uint32_t offset = 0;
    uint32_t size = 0;
};
struct RoutineInfo {
    std::string name;
    uint32_t offset = 0; // from the start of the file, as is input_offset
    uint32_t size = 0;
    uint32_t input_offset = 0;
    std::vector<NativeCode> native;
};
struct FileHeader {
    std::vector<RoutineInfo> kernels;
    std::vector<RoutineInfo> functions;
};

// A count and as many items; `smallest` bytes is the least that an item takes.
template <class Archive, class List, class Walk>
void list(Archive& archive, Width width, size_t smallest, const char* what, List& items, Walk walk) {
    archive.count(width, smallest, what, items);
    for (auto& item : items) {
        if (!archive.ok())
            return;
        walk(item);
    }
}

template <class Archive>
void kernel_info(Archive& archive, Walked<Archive, RoutineInfo>& info) {
    archive.prefixed_name(info.name);
    archive.template number<uint32_t>(info.offset, "offset");
    archive.template number<uint32_t>(info.size, "size");
    archive.template number<uint32_t>(info.input_offset, "input_offset");
    archive.template none<uint16_t>("num_syms_variable");
    archive.template none<uint16_t>("num_syms_function");
    list(archive, Width::byte, 9, "num_gen_binaries", info.native, [&](auto& native) {
        archive.template number<uint8_t>(native.platform, "gen_platform");
        archive.template number<uint32_t>(native.offset, "binary_offset");
        archive.template number<uint32_t>(native.size, "binary_size");
    });
}

template <class Archive>
void function_info(Archive& archive, Walked<Archive, RoutineInfo>& info) {
    constexpr uint8_t global = 2;
    archive.unused("linkage", global);
    archive.prefixed_name(info.name);
    archive.template number<uint32_t>(info.offset, "offset");
    archive.template number<uint32_t>(info.size, "size");
    archive.template none<uint16_t>("num_syms_variable");
    archive.template none<uint16_t>("num_syms_function");
}

template <class Archive>
void file_header(Archive& archive, Walked<Archive, FileHeader>& header) {
    archive.signature();
    list(archive, Width::word, 18, "num_kernels", header.kernels,
         [&](auto& info) { kernel_info(archive, info); });
    archive.template none<uint16_t>("num_variables");
    list(archive, Width::word, 14, "num_functions", header.functions,
         [&](auto& info) { function_info(archive, info); });
}

// ---- a routine's declarations

template <class Archive, class List>
void attributes(Archive& archive, Width width, List& items) {
    list(archive, width, 3, "attribute_count", items, [&](auto& attribute) {
        archive.name(attribute.name);
        archive.attribute_value(attribute);
    });
}

template <class Archive>
void general_variable(Archive& archive, Walked<Archive, GeneralVariable>& variable) {
    archive.declaration(variable);
    archive.name(variable.name);
    archive.properties(variable.type, variable.align);
    archive.template number<uint16_t>(variable.elements, "num_elements");
    archive.alias(variable.alias);
    archive.template number<uint16_t>(variable.alias_offset, "alias_offset");
    archive.template none<uint8_t>("alias_scope_specifier");
    attributes(archive, Width::byte, variable.attributes);
}

template <class Archive>
void other_variable(Archive& archive, Walked<Archive, OtherVariable>& variable) {
    archive.declaration(variable);
    archive.name(variable.name);
    archive.template number<uint16_t>(variable.elements, "num_elements");
    attributes(archive, Width::byte, variable.attributes);
}

template <class Archive>
void label(Archive& archive, Walked<Archive, Label>& item) {
    archive.declaration(item);
    archive.name(item.name);
    archive.label_kind(item.kind);
    archive.template none<uint8_t>("attribute_count");
}

template <class Archive>
void input(Archive& archive, Walked<Archive, Input>& item) {
    archive.declaration(item);
    archive.input_kind(item);
    archive.input_id(item);
    archive.template number<int16_t>(item.offset, "offset");
    archive.template number<uint16_t>(item.size, "size");
}

// ---- an instruction

// Whether a version's layout has a field that 4.1 has.
[[nodiscard]] constexpr bool exists(const isa::Row& row, const isa::Field& field, Version version) {
    if (row.opcode == isa::opcode::wait)
        return !version.before(3, 1);
    return row.opcode != isa::opcode::raw_sends || !version.before(3, 6) ||
           field.name != std::string_view("sfid");
}
// Immediate texel offsets were a word instead of an operand.
[[nodiscard]] constexpr bool is_plain_word(const isa::Field& field, Version version) {
    return version.before(3, 4) && field.name == std::string_view("aoffimmi");
}

// The wire has every operand. What stands there for one that text leaves out: a literal's fallback, 0:ud for
// the surface of an LSC message that has none, the null variable for an unused payload, and behind the id of
// a barrier that is waited for the id once more. Nothing when the operand cannot be missing.
[[nodiscard]] std::optional<Operand> filler(const isa::Row& row, const isa::Field& field,
                                            const std::vector<Operand>& operands);
// Whether a module has such an operand absent, so that what stands for it is read as nothing.
[[nodiscard]] bool may_be_absent(const isa::Row& row, const isa::Field& field);

// Operand::klass
inline constexpr uint8_t general_class = 0;
inline constexpr uint8_t sampler_class = 3;
inline constexpr uint8_t surface_class = 4;
inline constexpr uint32_t bytes_per_address_element = 2;

// Behind the tag, whose class is the operand's kind.
template <class Archive>
void vector_operand(Archive& archive, Walked<Archive, Operand>& operand) {
    switch (operand.kind) {
    case OperandKind::general:
        archive.id(Space::general, Width::id, operand.id);
        archive.template number<uint8_t>(operand.row, "row_offset");
        archive.template number<uint8_t>(operand.column, "col_offset");
        archive.region(operand.region);
        break;
    case OperandKind::address:
        archive.id(Space::address, Width::word, operand.id);
        archive.template number<uint8_t>(operand.column, "offset");
        archive.lanes(operand.width);
        break;
    case OperandKind::predicate:
        archive.predicate_id(operand.id);
        break;
    case OperandKind::indirect:
        archive.id(Space::address, Width::word, operand.id);
        archive.template number<uint8_t>(operand.column, "addr_offset");
        archive.template number<int16_t>(operand.offset, "indirect_offset");
        archive.type(operand.type);
        archive.region(operand.region);
        break;
    case OperandKind::immediate:
        archive.type(operand.type);
        archive.immediate(operand);
        break;
    case OperandKind::state_surface:
    case OperandKind::state_sampler:
        archive.state_class(operand.kind);
        archive.id(operand.kind == OperandKind::state_surface ? Space::surface : Space::sampler, Width::word,
                   operand.id);
        archive.template number<uint8_t>(operand.column, "offset");
        break;
    default:
        break; // refused before
    }
}

template <class Archive>
void operand(Archive& archive, const isa::Field& field, Walked<Archive, Operand>& operand) {
    switch (field.kind) {
    case isa::FieldKind::sub_opcode16:
        archive.sampler_operation(operand);
        break;
    case isa::FieldKind::literal8:
        archive.literal(field, Width::byte, operand);
        break;
    case isa::FieldKind::literal16:
        archive.literal(field, Width::word, operand);
        break;
    case isa::FieldKind::literal32:
        archive.literal(field, Width::dword, operand);
        break;
    case isa::FieldKind::vector_dst:
    case isa::FieldKind::vector_src:
    case isa::FieldKind::scalar_src:
        if (is_plain_word(field, archive.version()))
            return archive.plain_word(operand);
        archive.tag(field, operand);
        vector_operand(archive, operand);
        break;
    case isa::FieldKind::raw_dst:
    case isa::FieldKind::raw_src:
        archive.id(Space::general, Width::id, operand.id);
        archive.template number<uint16_t>(operand.offset, "offset");
        break;
    case isa::FieldKind::surface:
        archive.id(Space::surface, Width::byte, operand.id);
        break;
    case isa::FieldKind::sampler:
        archive.id(Space::sampler, Width::byte, operand.id);
        break;
    case isa::FieldKind::label:
        archive.id(Space::label, Width::word, operand.id);
        break;
    case isa::FieldKind::string16:
        archive.string(Width::word, operand.id);
        break;
    case isa::FieldKind::string32:
        archive.string(Width::id, operand.id);
        break;
    case isa::FieldKind::variable:
        archive.lifetime_variable(operand);
        break;
    default:
        break;
    }
}

template <class Archive>
void field(Archive& archive, Walked<Archive, Instruction>& instruction, const isa::Field& field,
           size_t& next) {
    switch (field.kind) {
    case isa::FieldKind::exec:
        archive.execution(instruction.execution);
        return;
    case isa::FieldKind::predicate:
        archive.predicate(instruction.predicate);
        return;
    case isa::FieldKind::sub_opcode:
        archive.sub_opcode();
        return;
    default:
        break;
    }
    const size_t index = next++;
    if (!archive.is_present(field)) {
        archive.leave_out(field, index);
        return;
    }
    operand(archive, field, archive.begin_operand(field, index));
    archive.end_operand(field);
}

// Whether there was an instruction whose end is known.
template <class Archive>
bool instruction(Archive& archive, Walked<Archive, Instruction>& instruction) {
    if (!archive.begin_instruction(instruction))
        return false;
    const std::span<const isa::Field> format = instruction.row->format;
    size_t next = 0;
    size_t i = 0;
    for (; i < format.size() && format[i].kind != isa::FieldKind::counted; ++i)
        field(archive, instruction, format[i], next);
    if (i < format.size()) {
        const std::span<const isa::Field> group = format.subspan(i + 1);
        for (size_t times = archive.repetitions(); times > 0 && archive.ok(); --times) {
            for (const isa::Field& repeated : group)
                field(archive, instruction, repeated, next);
        }
    }
    return archive.end_instruction();
}

// ---- a routine

template <class Archive>
void routine(Archive& archive, Walked<Archive, Function>& function) {
    const auto others = [&](Width width, const char* what, auto& variables) {
        list(archive, width, 5, what, variables, [&](auto& variable) { other_variable(archive, variable); });
    };
    archive.string_pool();
    archive.routine_name(function.name);
    list(archive, Width::id, 11, "variable_count", function.general,
         [&](auto& variable) { general_variable(archive, variable); });
    others(Width::word, "address_count", function.addresses);
    others(Width::word, "predicate_count", function.predicates);
    list(archive, Width::word, 4, "label_count", function.labels, [&](auto& item) { label(archive, item); });
    others(Width::byte, "sampler_count", function.samplers);
    others(Width::byte, "surface_count", function.surfaces);
    archive.template none<uint8_t>("vme_count");
    if (function.kind == FunctionKind::kernel) {
        archive.begin_inputs();
        list(archive, Width::inputs, 7, "input_count", function.inputs,
             [&](auto& item) { input(archive, item); });
    }
    archive.code_bounds();
    if (function.kind != FunctionKind::kernel) {
        archive.unused("input_size", 0); // the attributes ArgSize and RetValSize count
        archive.unused("return_value_size", 0);
    }
    attributes(archive, Width::word, function.attributes);
    archive.code(function.code);
}

} // namespace visor::binary
