#include "binary/layout.h"

#include "isa/codec.h"
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

Operand zero_immediate() {
    Operand zero;
    zero.kind = OperandKind::immediate;
    zero.type = isa::Type::ud;
    return zero;
}

bool is_padding(const isa::Row& row, const isa::Field& field, const std::vector<Operand>& operands) {
    return row.form == isa::TextForm::nbarrier && field.kind == isa::FieldKind::scalar_src &&
           field.name == std::string_view("num_producers") && operands.size() > 1 && operands[0].value == 0;
}

bool has_flat_address(const isa::Row& row, const isa::Field& field, const std::vector<Operand>& operands) {
    constexpr uint64_t flat = 1;
    if (field.kind != isa::FieldKind::scalar_src || field.place != isa::Place::form)
        return false;
    const int type = isa::operand_index(row, "addr_type");
    return type >= 0 && static_cast<size_t>(type) < operands.size() &&
           operands[static_cast<size_t>(type)].value == flat;
}

} // namespace visor::binary
