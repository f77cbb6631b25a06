#include "binary/layout.h"

#include "isa/codec.h"
#include "isa/lsc_code.h"
#include "isa/operand_order.h"
#include "isa/row.h"

namespace visor::binary {

std::string_view describe(Space space) {
    switch (space) {
    case Space::general:
        return "general variable";
    case Space::address:
        return "address variable";
    case Space::predicate:
        return "predicate";
    case Space::sampler:
        return "sampler";
    case Space::surface:
        return "surface";
    case Space::label:
        return "label";
    }
    return "variable";
}

namespace {

bool is_lsc(isa::TextForm form) {
    return form == isa::TextForm::lsc_untyped || form == isa::TextForm::lsc_block2d ||
           form == isa::TextForm::lsc_typed || form == isa::TextForm::lsc_state_info;
}

bool is_surface_place(const isa::Field& field) {
    return field.kind == isa::FieldKind::scalar_src && field.place == isa::Place::form;
}

bool is_coordinate(const isa::Row& row, const isa::Field& field) {
    return row.form == isa::TextForm::lsc_typed && field.extent == isa::Extent::lsc_address;
}

Operand of_kind(OperandKind kind, uint64_t value = 0) {
    Operand operand;
    operand.kind = kind;
    operand.value = value;
    return operand;
}

bool is_barrier_padding(const isa::Row& row, const isa::Field& field) {
    return row.form == isa::TextForm::nbarrier && field.kind == isa::FieldKind::scalar_src &&
           field.name != std::string_view("id");
}

// A wait has an id alone, the baseline's signal also one number of threads. What the wire has beside them
// repeats those, as a barrier of producers that consume.
std::optional<Operand> barrier_padding(const isa::Field& field, const std::vector<Operand>& operands) {
    enum : uint8_t { wait, baseline_signal, general_signal };
    using namespace isa::operand_order::nbarrier;
    if (operands.size() <= id || operands[mode].value >= general_signal)
        return std::nullopt;
    if (field.name == std::string_view("type")) {
        Operand both = of_kind(OperandKind::immediate);
        both.type = isa::Type::uw;
        return both;
    }
    if (operands[mode].value == wait)
        return operands[id];
    if (field.name == std::string_view("num_producers") || operands.size() <= num_producers)
        return std::nullopt;
    return operands[num_producers];
}

// An LSC message to memory that no surface describes.
bool has_no_surface(const isa::Row& row, const std::vector<Operand>& operands) {
    const int type = isa::operand_index(row, "addr_type");
    if (type < 0 || static_cast<size_t>(type) >= operands.size())
        return false;
    const uint64_t code = operands[static_cast<size_t>(type)].value;
    return code == isa::lsc::type_flat || code == isa::lsc::type_arg;
}

} // namespace

bool may_be_absent(const isa::Row& row, const isa::Field& field) {
    return (is_lsc(row.form) && is_surface_place(field)) || is_barrier_padding(row, field);
}

std::optional<Operand> filler(const isa::Row& row, const isa::Field& field,
                              const std::vector<Operand>& operands) {
    switch (field.kind) {
    case isa::FieldKind::sub_opcode16:
    case isa::FieldKind::literal8:
    case isa::FieldKind::literal16:
    case isa::FieldKind::literal32:
        return of_kind(OperandKind::literal, field.fallback);
    case isa::FieldKind::raw_dst:
    case isa::FieldKind::raw_src:
        if (field.place == isa::Place::hidden || is_coordinate(row, field))
            return of_kind(OperandKind::raw);
        return std::nullopt;
    case isa::FieldKind::scalar_src:
        if (is_lsc(row.form) && is_surface_place(field) && has_no_surface(row, operands))
            return of_kind(OperandKind::immediate);
        return is_barrier_padding(row, field) ? barrier_padding(field, operands) : std::nullopt;
    default:
        return std::nullopt;
    }
}

} // namespace visor::binary
