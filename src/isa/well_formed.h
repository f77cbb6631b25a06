// What every family's rows are held to while they are compiled. Checks that need all families together are
// tests.
#pragma once

#include "isa/row.h"

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>

namespace visor::isa {

namespace detail {

[[nodiscard]] consteval bool has_kind(const Row& row, FieldKind kind) {
    for (const Field& field : row.format) {
        if (field.kind == kind)
            return true;
    }
    return false;
}

// Every field has a name, and no two of a row share it.
[[nodiscard]] consteval bool names_differ(const Row& row) {
    for (std::size_t i = 0; i < row.format.size(); ++i) {
        const std::string_view name = row.format[i].name;
        if (name.empty())
            return false;
        for (std::size_t j = 0; j < i; ++j) {
            if (name == row.format[j].name)
                return false;
        }
    }
    return true;
}

// Empty, or each operand's digit once.
[[nodiscard]] consteval bool is_permutation(const Row& row) {
    const std::string_view order = row.text_order;
    if (order.empty())
        return true;
    std::size_t operands = 0;
    for (const Field& field : row.format)
        operands += is_operand(field.kind) && field.place == Place::operand ? 1U : 0U;
    unsigned seen = 0;
    for (const char digit : order) {
        if (digit < '0' || digit > '9')
            return false;
        seen |= 1U << static_cast<unsigned>(digit - '0');
    }
    return order.size() == operands && seen == (1U << operands) - 1U;
}

// Exec sizes are stated exactly where the format has an exec byte; a sub-opcode exactly where it has one.
[[nodiscard]] consteval bool is_consistent(const Row& row) {
    const bool has_sub = has_kind(row, FieldKind::sub_opcode) || has_kind(row, FieldKind::sub_opcode16);
    return has_kind(row, FieldKind::exec) == (row.exec_sizes != 0) && has_sub == (row.sub >= 0) &&
           !std::string_view(row.mnemonic).empty() && !std::string_view(row.page).empty() &&
           !std::string_view(row.semantics).empty();
}

} // namespace detail

struct OperandName {
    std::size_t index;
    std::string_view name; // of the row's field
};

// Whether each of these is the operand of its index.
[[nodiscard]] consteval bool has_operands(std::span<const Field> format,
                                          std::initializer_list<OperandName> operands) {
    for (const OperandName& operand : operands) {
        std::size_t index = 0;
        bool found = false;
        for (const Field& field : format) {
            if (is_operand(field.kind) && index++ == operand.index)
                found = operand.name == field.name;
        }
        if (!found)
            return false;
    }
    return true;
}

// Strictly in order of (opcode, sub-opcode), each row well formed by itself.
[[nodiscard]] consteval bool well_formed(std::span<const Row> rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        // Neighbours that share a format need one look at it: compilers bound the steps of a constant
        // expression.
        const bool seen = i > 0 && row.format.data() == rows[i - 1].format.data();
        if ((!seen && !detail::names_differ(row)) || !detail::is_permutation(row) ||
            !detail::is_consistent(row))
            return false;
        if (i == 0)
            continue;
        const Row& before = rows[i - 1];
        if (before.opcode > row.opcode || (before.opcode == row.opcode && before.sub >= row.sub))
            return false;
    }
    return true;
}

} // namespace visor::isa
