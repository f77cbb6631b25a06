#include "module/canonical.h"

#include "isa/codec.h"
#include "isa/lsc_code.h"
#include "isa/sub_opcode.h"

#include <string_view>
#include <utility>

namespace visor {

namespace {

using isa::Field;
using isa::FieldKind;
using isa::Place;
using isa::Row;
using isa::TextForm;

constexpr Region scalar_region{0, 1, 0};
constexpr Region matrix_region{1, 1, 0};

// How text spells what stands in a field's place.
enum class Spelling : uint8_t {
    nothing, // the null variable, unsaid
    raw,     // V.offset
    vector,  // any vector operand
    scalar,  // of an LSC message: V(row,column) or a number, without region and type
    matrix,  // of a matrix: V(row,column), with an implied region
    code,    // a literal
    name,    // of a surface, a label ...
};

bool is_lsc_message(TextForm form) {
    return form == TextForm::lsc_untyped || form == TextForm::lsc_block2d || form == TextForm::lsc_typed ||
           form == TextForm::lsc_state_info;
}

Spelling spelling_of(const Row& row, const Field& field) {
    switch (field.kind) {
    case FieldKind::raw_dst:
    case FieldKind::raw_src:
        return field.place == Place::hidden ? Spelling::nothing : Spelling::raw;
    case FieldKind::vector_dst:
    case FieldKind::vector_src:
    case FieldKind::scalar_src:
        if (row.form == TextForm::dpas && field.kind == FieldKind::vector_src)
            return Spelling::matrix;
        return is_lsc_message(row.form) ? Spelling::scalar : Spelling::vector;
    case FieldKind::surface:
    case FieldKind::sampler:
    case FieldKind::label:
    case FieldKind::string16:
    case FieldKind::string32:
    case FieldKind::variable:
        return Spelling::name;
    default:
        return Spelling::code;
    }
}

// A destination has a horizontal stride alone, a direct source all parts; an indirect one may leave out those
// in front.
Region settled(const Field& field, const Operand& operand) {
    const auto or_zero = [](uint8_t part) { return part == region_absent ? uint8_t{0} : part; };
    Region region = operand.region;
    region.horizontal = or_zero(region.horizontal);
    if (field.kind == FieldKind::vector_dst)
        return region;
    if (operand.kind == OperandKind::general)
        region.vertical = or_zero(region.vertical);
    if (region.vertical != region_absent)
        region.width = or_zero(region.width);
    return region;
}

SourceModifier modifier_of(const Field& field, const Operand& operand) {
    const bool source = field.kind != FieldKind::vector_dst;
    return source && operand.modifier != SourceModifier::saturate ? operand.modifier : SourceModifier::none;
}

Operand vector(const Field& field, const Operand& operand) {
    const Region region = field.kind == FieldKind::vector_dst
                              ? Region{.horizontal = operand.region.horizontal}
                              : operand.region;
    switch (operand.kind) {
    case OperandKind::general:
        return {.kind = operand.kind,
                .modifier = modifier_of(field, operand),
                .region = region,
                .row = operand.row,
                .column = operand.column,
                .id = operand.id};
    case OperandKind::indirect:
        return {.kind = operand.kind,
                .modifier = modifier_of(field, operand),
                .type = operand.type,
                .region = region,
                .column = operand.column,
                .id = operand.id,
                .offset = operand.offset};
    case OperandKind::address:
        return {.kind = operand.kind, .column = operand.column, .width = operand.width, .id = operand.id};
    case OperandKind::predicate:
        return {.kind = operand.kind, .id = operand.id};
    case OperandKind::immediate:
        return {.kind = operand.kind, .type = operand.type, .value = operand.value};
    case OperandKind::address_of:
        return {.kind = operand.kind, .klass = operand.klass, .id = operand.id, .offset = operand.offset};
    case OperandKind::state_surface:
    case OperandKind::state_sampler:
        return {.kind = operand.kind, .column = operand.column, .id = operand.id};
    case OperandKind::absent:
        return {};
    default:
        return operand; // of the wrong kind: the verifier refuses it
    }
}

// The operand as its place in text says it, with the region that is implied there.
Operand placed(const Field& field, const Operand& operand, const Region& implied) {
    Operand said = vector(field, operand);
    said.modifier = SourceModifier::none;
    if (operand.kind == OperandKind::general)
        said.region = implied;
    if (operand.kind == OperandKind::state_surface)
        said.column = 0;
    return said;
}

class Canonical {
public:
    explicit Canonical(Instruction& instruction) : instruction_(instruction), row_(*instruction.row) {}

    std::vector<Dropped> run() {
        fields();
        std::vector<Operand>& operands = instruction_.operands;
        size_t index = 0;
        for (const Field& field : row_.format) {
            if (field.kind == FieldKind::counted)
                break;
            if (isa::is_operand(field.kind) && index < operands.size())
                settle(field, operands[index++]);
        }
        for (; index < operands.size(); ++index)
            settle(isa::field_of_operand(row_, index), operands[index]);
        if (is_lsc_message(row_.form))
            message();
        return std::move(dropped_);
    }

private:
    void drop(const char* field, Location where) { dropped_.push_back({field, where}); }

    // What is no operand.
    void fields() {
        if (instruction_.saturate && !isa::has(row_, isa::can_saturate)) {
            instruction_.saturate = false;
            drop("dst", instruction_.where);
        }
        const Execution unsaid{.size = 1, .offset = 0, .no_mask = true};
        if (row_.form == TextForm::lsc_state_info && instruction_.execution != unsaid) {
            instruction_.execution = unsaid;
            drop("exec_size", instruction_.where);
        }
    }

    void settle(const Field& field, Operand& operand) {
        operand.region = is_vector(operand) ? settled(field, operand) : operand.region;
        const Spelling spelling = spelling_of(row_, field);
        if (spelling == Spelling::scalar && operand.kind == OperandKind::immediate)
            return settle_number(field, operand);
        Operand said = as_said(spelling, field, operand);
        said.where = operand.where;
        if (!said.same(operand))
            drop(field.name, operand.where);
        operand = said;
    }
    static bool is_vector(const Operand& operand) {
        return operand.kind == OperandKind::general || operand.kind == OperandKind::indirect;
    }

    static Operand as_said(Spelling spelling, const Field& field, const Operand& operand) {
        if (operand.kind == OperandKind::absent)
            return {};
        switch (spelling) {
        case Spelling::nothing:
            return {.kind = OperandKind::raw};
        case Spelling::raw:
            return {.kind = operand.kind, .id = operand.id, .offset = is_null(operand) ? 0 : operand.offset};
        case Spelling::vector:
            return vector(field, operand);
        case Spelling::scalar:
            return placed(field, operand, scalar_region);
        case Spelling::matrix:
            return placed(field, operand, matrix_region);
        case Spelling::name:
            return {.kind = operand.kind, .klass = operand.klass, .id = operand.id};
        case Spelling::code:
            break;
        }
        return {.kind = operand.kind,
                .value =
                    field.place == Place::hidden ? operand.value : isa::said(field.codec, operand.value)};
    }

    // A number without a type has the type of its place; what it is stays.
    void settle_number(const Field& field, Operand& operand) {
        const bool wide = field.name == std::string_view("surface_base_addr") ||
                          (field.name == std::string_view("surface") && has_wide_surface());
        const unsigned bits = isa::size_of(operand.type) * 8U;
        uint64_t value = operand.value;
        if (isa::is_integer(operand.type) && isa::is_signed(operand.type) && bits < 64 &&
            (value >> (bits - 1) & 1U) != 0)
            value |= UINT64_MAX << bits;
        operand = {.kind = OperandKind::immediate,
                   .type = wide ? isa::Type::uq : isa::Type::ud,
                   .value = wide ? value : value & UINT32_MAX,
                   .where = operand.where};
    }

    [[nodiscard]] Operand* named(std::string_view name) {
        const int index = isa::operand_index(row_, name);
        const bool there = index >= 0 && static_cast<size_t>(index) < instruction_.operands.size();
        return there ? &instruction_.operands[static_cast<size_t>(index)] : nullptr;
    }
    [[nodiscard]] uint64_t address_type() {
        const Operand* type = named("addr_type");
        return type == nullptr ? 0 : type->value;
    }
    [[nodiscard]] bool has_wide_surface() {
        return address_type() == isa::lsc::type_flat || address_type() == isa::lsc::type_surf;
    }

    // A scale that is not given is 1, and any number but 0 makes a block VNNI's.
    void numbers() {
        if (Operand* const scale = named("addr_scale"); scale != nullptr && scale->value == 0)
            scale->value = 1;
        Operand* const vnni = named("vnni");
        if (vnni == nullptr || vnni->value <= 1)
            return;
        vnni->value = 1;
        drop("vnni", vnni->where);
    }

    // Of an LSC message: channels or a number of elements, whichever its row reads; no surface where there is
    // none.
    void message() {
        numbers();
        Operand* const channels = named("ch_mask");
        Operand* const elements = named("data_elems_per_addr");
        if (channels != nullptr && elements != nullptr && channels->value != 0 && elements->value != 0) {
            const bool quad = isa::sub_opcode::lsc::has_channels(row_.sub);
            (quad ? elements : channels)->value = 0;
            drop(quad ? "data_elems_per_addr" : "ch_mask", (quad ? elements : channels)->where);
        }
        Operand* const surface = named("surface");
        if (surface == nullptr || surface->kind == OperandKind::absent)
            return;
        const bool none = address_type() == isa::lsc::type_arg ||
                          (address_type() == isa::lsc::type_flat && is_null(*surface));
        if (none) {
            drop("surface", surface->where);
            *surface = {.where = surface->where};
        }
    }

    Instruction& instruction_;
    const Row& row_;
    std::vector<Dropped> dropped_;
};

} // namespace

std::vector<Dropped> make_canonical(Instruction& instruction) {
    return Canonical(instruction).run();
}

bool make_canonical(GeneralVariable& variable) {
    return variable.alias == 0 && std::exchange(variable.alias_offset, 0) != 0;
}

} // namespace visor
