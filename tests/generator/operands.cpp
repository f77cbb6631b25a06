// Operands, from the kind, classes, types and extent of their field.
#include "instructions.h"

#include "literals.h"
#include "module/extent.h"

#include <algorithm>
#include <array>

namespace visor::generator {

namespace {

using isa::Field;
using isa::FieldKind;
using isa::Row;
using isa::Type;
using isa::TypeSet;

constexpr TypeSet packed_types = isa::types(Type::v, Type::uv, Type::vf);
// The newest types have no immediates.
constexpr TypeSet immediate_types = isa::types(Type::ud, Type::d, Type::uw, Type::w, Type::ub, Type::b,
                                               Type::df, Type::f, Type::uq, Type::q, Type::hf, Type::bf) |
                                    packed_types | isa::types(Type::boolean);

bool is_destination(const Field& field) {
    return field.kind == FieldKind::vector_dst || field.kind == FieldKind::raw_dst;
}

// What a general or indirect operand may have.
TypeSet element_types(TypeSet types) {
    return types == 0 ? 0 : types & ~packed_types & ~isa::types(Type::boolean);
}

uint64_t mask_of(Type type) {
    if (type == Type::boolean)
        return 1;
    const unsigned bits = isa::size_of(type) * 8U;
    return bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
}

Type any_of(Random& random, TypeSet types) {
    std::array<Type, isa::type_count> list{};
    size_t count = 0;
    for (unsigned code = 0; code < isa::type_count; ++code) {
        if (isa::contains(types, static_cast<Type>(code)))
            list[count++] = static_cast<Type>(code);
    }
    return list[random.below(count)];
}

// The last element that a region reaches from its first.
uint32_t reach(const Region& region, uint32_t lanes, bool is_destination) {
    if (is_destination)
        return (lanes - 1) * region.horizontal;
    const uint32_t width = std::max<uint32_t>(region.width, 1);
    const uint32_t rows = (lanes + width - 1) / width;
    return (rows - 1) * region.vertical + (std::min(width, lanes) - 1) * region.horizontal;
}

} // namespace

Operand Instructions::operand(const Instruction& instruction, const Field& field) {
    Operand made;
    if (field.newer) {
        made.kind = random_.one_in(2) ? OperandKind::raw : OperandKind::absent;
        return made;
    }
    switch (field.kind) {
    case FieldKind::vector_dst:
    case FieldKind::vector_src:
    case FieldKind::scalar_src:
        return vector(instruction, field);
    case FieldKind::raw_dst:
    case FieldKind::raw_src:
        return raw(instruction, field);
    case FieldKind::surface:
        made.kind = OperandKind::surface;
        made.id = variables_.surface();
        return made;
    case FieldKind::sampler:
        made.kind = OperandKind::sampler;
        made.id = variables_.sampler();
        return made;
    case FieldKind::label:
        return label(*instruction.row);
    case FieldKind::string16:
    case FieldKind::string32:
        made.kind = OperandKind::string;
        made.id = marks_.string();
        return made;
    case FieldKind::variable:
        return any_variable();
    default:
        return literal(field);
    }
}

Operand Instructions::literal(const Field& field) {
    Operand made;
    made.kind = OperandKind::literal;
    // What text does not write cannot be told from its fallback there; what a binary has no place for
    // neither.
    const bool is_unsaid = in_binary() ? field.text_only : field.place == isa::Place::hidden;
    made.value = is_unsaid ? field.fallback : generator::literal(random_, field);
    return made;
}

// ---- vector operands

// One of the classes that the field names. On the wire an address-of is a general or state operand, so where
// it may stand those may not.
OperandKind Instructions::vector_kind(const Field& field) {
    if (predicates_only_ && (field.classes & isa::class_predicate) != 0)
        return OperandKind::predicate;
    std::array<OperandKind, 8> kinds{};
    size_t count = 0;
    const auto add_if = [&](unsigned wanted, OperandKind kind) {
        if ((field.classes & wanted) != 0)
            kinds[count++] = kind;
    };
    const bool has_address_of = (field.classes & isa::class_address_of) != 0;
    const bool says_nothing = field.types == 0;
    const TypeSet elements = element_types(field.types);
    if (!has_address_of && (says_nothing || elements != 0))
        add_if(isa::class_general, OperandKind::general);
    add_if(isa::class_address, OperandKind::address);
    const bool only_predicates = field.classes == isa::class_predicate;
    if (only_predicates || !works_on_predicates_)
        add_if(isa::class_predicate, OperandKind::predicate);
    if (says_nothing || elements != 0)
        add_if(isa::class_indirect, OperandKind::indirect);
    add_if(isa::class_address_of, OperandKind::address_of);
    add_if(isa::class_immediate, OperandKind::immediate);
    if (!has_address_of)
        add_if(isa::class_state, OperandKind::state_surface);
    return kinds[random_.below(count)];
}

Operand Instructions::vector(const Instruction& instruction, const Field& field) {
    const OperandKind kind = vector_kind(field);
    Operand made;
    switch (kind) {
    case OperandKind::general:
        made = general(instruction, field);
        break;
    case OperandKind::indirect:
        made = indirect(instruction, field);
        break;
    case OperandKind::address:
        return address(instruction);
    case OperandKind::predicate:
        made.kind = kind;
        made.id = variables_.predicate(instruction.execution.size);
        return made;
    case OperandKind::address_of:
        return address_of();
    case OperandKind::state_surface:
        return state(random_.one_in(2));
    default:
        return immediate(field.types);
    }
    made.modifier = modifier(*instruction.row, field);
    return made;
}

Region Instructions::region(const Field& field, unsigned lanes, bool is_indirect) {
    static constexpr std::array<uint8_t, 4> strides{0, 1, 2, 4};
    Region made;
    if (is_destination(field)) {
        made.horizontal = strides[1 + random_.below(3)];
        return made;
    }
    if (field.kind == FieldKind::scalar_src)
        return {0, 1, 0};
    static constexpr std::array<uint8_t, 7> verticals{0, 1, 2, 4, 8, 16, 32};
    made.vertical = random_.pick(verticals);
    do {
        made.width = static_cast<uint8_t>(1U << random_.below(5));
    } while (made.width > lanes);
    made.horizontal = random_.pick(strides);
    if (is_indirect && random_.one_in(3))
        made.vertical = region_absent; // an address for each row
    return made;
}

SourceModifier Instructions::modifier(const Row& row, const Field& field) {
    if (is_destination(field) || random_.one_in(2))
        return SourceModifier::none;
    if (isa::has(row, isa::logic_modifiers))
        return SourceModifier::bit_not;
    static constexpr std::array arithmetic{SourceModifier::abs, SourceModifier::neg, SourceModifier::neg_abs};
    return isa::has(row, isa::arithmetic_modifiers) ? random_.pick(arithmetic) : SourceModifier::none;
}

Operand Instructions::general(const Instruction& instruction, const Field& field) {
    const unsigned lanes = field.kind == FieldKind::scalar_src ? 1U : instruction.execution.size;
    Operand made;
    made.kind = OperandKind::general;
    made.region = region(field, lanes, false);
    const uint32_t last = reach(made.region, lanes, is_destination(field));
    constexpr uint32_t widest = 8; // bytes of an element
    made.id = variables_.general(element_types(field.types), (last + 1) * widest, is_destination(field));
    const uint32_t size = isa::size_of(general_type(function_, made.id));
    const uint32_t elements = variables_.bytes_of(made.id) / size;
    const uint32_t room = elements > last ? elements - last : 1;
    // Row and column are bytes on the wire.
    const uint32_t addressable = 256 * options_.grf_bytes / size;
    const auto first = static_cast<uint32_t>(random_.below(std::min(room, addressable)));
    made.row = static_cast<uint8_t>(first * size / options_.grf_bytes);
    made.column = static_cast<uint8_t>(first * size % options_.grf_bytes / size);
    return made;
}

Operand Instructions::address(const Instruction& instruction) {
    Operand made;
    made.kind = OperandKind::address;
    made.width = instruction.execution.size;
    made.id = variables_.address(made.width);
    made.column = static_cast<uint8_t>(random_.below(function_.addresses[made.id].elements - made.width + 1));
    return made;
}

Operand Instructions::indirect(const Instruction& instruction, const Field& field) {
    Operand made;
    made.kind = OperandKind::indirect;
    made.region = region(field, instruction.execution.size, true);
    const TypeSet types = element_types(field.types);
    constexpr TypeSet unsaid = isa::types(Type::ud, Type::w, Type::f, Type::q);
    made.type = any_of(random_, types == 0 ? unsaid : types);
    made.id = variables_.address(1);
    made.column = static_cast<uint8_t>(random_.below(function_.addresses[made.id].elements));
    made.offset = static_cast<int32_t>(random_.one_in(2) ? 0 : random_.between(INT16_MIN, INT16_MAX));
    return made;
}

Operand Instructions::address_of() {
    Operand made;
    made.kind = OperandKind::address_of;
    if (random_.one_in(3)) {
        const bool is_surface = random_.one_in(2);
        made.klass = is_surface ? 4 : 3;
        made.id = is_surface ? variables_.surface() : variables_.sampler();
        made.offset = static_cast<int32_t>(2 * random_.below(4)); // two bytes an element
        return made;
    }
    made.id = variables_.general(0, 1, false);
    const uint32_t size = isa::size_of(general_type(function_, made.id));
    const uint32_t addressable = std::min(variables_.bytes_of(made.id), 256 * options_.grf_bytes);
    made.offset = static_cast<int32_t>(random_.below(addressable / size) * size);
    if (!in_binary() && random_.one_in(4))
        made.offset = static_cast<int32_t>(random_.between(INT16_MIN, INT16_MAX));
    return made;
}

Operand Instructions::immediate(TypeSet types) {
    Operand made;
    made.kind = OperandKind::immediate;
    const TypeSet possible =
        types == 0 ? immediate_types & ~isa::types(Type::boolean) : types & immediate_types;
    made.type = any_of(random_, possible);
    made.value = random_.number(mask_of(made.type));
    return made;
}

Operand Instructions::state(bool is_surface) {
    Operand made;
    made.kind = is_surface ? OperandKind::state_surface : OperandKind::state_sampler;
    made.id = is_surface ? variables_.surface() : variables_.sampler();
    made.column = static_cast<uint8_t>(random_.number(UINT8_MAX));
    return made;
}

// ---- the other kinds

Operand Instructions::raw(const Instruction& instruction, const Field& field) {
    Operand made;
    made.kind = OperandKind::raw;
    if (field.place == isa::Place::hidden || (field.nullable && random_.one_in(3)))
        return made; // the null variable
    Instruction with_this = instruction;
    with_this.operands.push_back(made);
    uint32_t bytes = extent(with_this, instruction.operands.size(), options_.grf_bytes);
    if (field.extent == isa::Extent::instruction)
        bytes = static_cast<uint32_t>(1 + random_.below(512));
    constexpr uint32_t most = 65536; // of a variable
    bytes = std::clamp(bytes, 1U, most);
    made.id = variables_.general(element_types(field.types), bytes, is_destination(field));
    const uint32_t room = variables_.bytes_of(made.id) - std::min(variables_.bytes_of(made.id), bytes);
    constexpr uint32_t last_offset = UINT16_MAX;
    if (!random_.one_in(3))
        made.offset = static_cast<int32_t>(random_.below(std::min(room, last_offset) + 1));
    return made;
}

// Labels are what calls name, jumps name or marks define; calls have a second spelling for other kernels.
Operand Instructions::label(const Row& row) {
    Operand made;
    made.kind = OperandKind::label;
    if (row.form == isa::TextForm::subroutine)
        made.id = marks_.defined(LabelKind::subroutine);
    else if (row.form == isa::TextForm::label)
        made.id = marks_.defined(LabelKind::block);
    else if (*row.spellings != '\0')
        made.id = marks_.used(random_.one_in(3) ? LabelKind::fc : LabelKind::subroutine);
    else
        made.id = marks_.used(LabelKind::block);
    return made;
}

Operand Instructions::any_variable() {
    Operand made;
    made.kind = OperandKind::variable;
    made.klass = static_cast<uint8_t>(random_.below(3)); // general, address, predicate
    if (made.klass == 0)
        made.id = variables_.general(0, 1, false);
    else
        made.id = made.klass == 1 ? variables_.address(1) : variables_.predicate(1);
    return made;
}

} // namespace visor::generator
