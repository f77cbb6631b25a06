#include "compare/explain.h"

#include "text/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace visor::compare {

namespace {

template <class T>
std::string name_at(const std::vector<T>& things, uint32_t index, char letter) {
    return index < things.size() ? things[index].name : fmt::format("{}{}", letter, index);
}

// Words of an operand, and of what stands before the first one (canonical.cpp).
constexpr size_t operand_words = 4;
constexpr size_t head_words = 2;

std::optional<std::string> explain_head(const Instruction& first, const Instruction& second) {
    if (first.row != second.row)
        return fmt::format("`{}` here, `{}` there", first.row->mnemonic, second.row->mnemonic);
    if (first.execution != second.execution)
        return "the lanes differ";
    if ((first.predicate.id != 0) != (second.predicate.id != 0) ||
        first.predicate.control != second.predicate.control ||
        first.predicate.inverted != second.predicate.inverted)
        return "the predicate differs";
    if (first.saturate != second.saturate)
        return "the saturation differs";
    if (first.operands.size() != second.operands.size())
        return "the number of operands differs";
    return std::nullopt;
}

std::optional<std::string> explain_words(const Canonical& first, uint32_t first_at, const Canonical& second,
                                         uint32_t second_at) {
    const auto a = first.words_of(first_at);
    const auto b = second.words_of(second_at);
    const auto [differs, unused] = std::ranges::mismatch(a, b);
    if (differs == a.end())
        return std::nullopt;
    const auto word = static_cast<size_t>(differs - a.begin());
    if (word < head_words)
        return "the instructions differ";
    const isa::Row& row = *first.instruction(first_at).row;
    return fmt::format("operand `{}` differs",
                       isa::field_of_operand(row, (word - head_words) / operand_words).name);
}

std::string explain_names(const Canonical& first, uint32_t first_at, const Canonical& second,
                          uint32_t second_at, const Naming& naming) {
    const auto a = first.names_of(first_at);
    const auto b = second.names_of(second_at);
    const auto told = [&](size_t i, std::string_view how) {
        return fmt::format("`{}` and `{}` {}", name_of(*first.function, a[i]),
                           name_of(*second.function, b[i]), how);
    };
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        if (!naming.alike(a[i], b[i]))
            return told(i, a[i].space == Space::string ? "are not the same"
                                                       : "are not the same by their declarations");
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        if (!naming.is_free(a[i], b[i]) && !naming.stands_for(a[i], b[i]))
            return told(i, "stand for other things elsewhere");
    return "operands that are one thing on one side are two on the other";
}

} // namespace

std::string name_of(const Function& function, Name name) {
    switch (name.space) {
    case Space::general:
        return general_name(function, name.id);
    case Space::address:
        return name_at(function.addresses, name.id, 'A');
    case Space::predicate:
        return name_at(function.predicates, name.id - isa::first_user_predicate, 'P');
    case Space::sampler:
        return name_at(function.samplers, name.id, 'S');
    case Space::surface:
        return surface_name(function, name.id);
    case Space::label:
        return name_at(function.labels, name.id, 'L');
    case Space::string:
        return name.id < function.strings.size() ? function.strings[name.id] : "";
    }
    return "";
}

Side side_of(const Canonical& code, uint32_t at) {
    const Instruction& instruction = code.instruction(at);
    return {instruction.where, text::print(*code.function, instruction)};
}

Difference explain(const Canonical& first, uint32_t first_at, const Canonical& second, uint32_t second_at,
                   const Naming& naming) {
    Difference out{"", side_of(first, first_at), side_of(second, second_at)};
    if (auto head = explain_head(first.instruction(first_at), second.instruction(second_at)))
        out.message = *std::move(head);
    else if (auto words = explain_words(first, first_at, second, second_at))
        out.message = *std::move(words);
    else
        out.message = explain_names(first, first_at, second, second_at, naming);
    return out;
}

} // namespace visor::compare
