#include "isa/row.h"

#include <algorithm>

namespace visor::isa {

const Field& field_of_operand(const Row& row, size_t operand) {
    size_t index = 0;
    size_t group_begin = 0; // field after the `counted` mark
    for (size_t i = 0; i < row.format.size(); ++i) {
        const Field& field = row.format[i];
        if (field.kind == FieldKind::counted) {
            group_begin = i + 1;
            continue;
        }
        if (is_operand(field.kind) && index++ == operand)
            return field;
    }
    if (group_begin == 0 || group_begin >= row.format.size())
        return row.format.back();
    const size_t group = row.format.size() - group_begin;
    return row.format[group_begin + (operand - index) % group];
}

size_t most_parameters(const Row& row) {
    const auto mark = std::ranges::find(row.format, FieldKind::counted, &Field::kind);
    if (mark == row.format.end())
        return 0;
    const std::string_view names = mark->name;
    // Of words, the control data of samples take four parameters instead of two.
    const size_t more = names.starts_with("si ") ? 2 : 0;
    return static_cast<size_t>(std::ranges::count(names, ' ')) + 1 + more;
}

const char* name_of(Fidelity fidelity) {
    switch (fidelity) {
    case Fidelity::within_one_ulp:
        return "within 1 ulp";
    case Fidelity::approximate:
        return "approximate";
    case Fidelity::unsupported:
        return "unsupported";
    case Fidelity::exact:
        break;
    }
    return "exact";
}

} // namespace visor::isa
