#include "isa/type.h"

#include <algorithm>
#include <string>

namespace visor::isa {

std::optional<Type> type_named(std::string_view name) {
    const auto is_upper = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
    std::string lower(name);
    if (std::ranges::all_of(name, is_upper)) {
        std::ranges::transform(lower, lower.begin(), [](char c) {
            return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        });
    }
    for (unsigned code = 0; code < type_count; ++code) {
        if (lower == type_facts[code].name)
            return static_cast<Type>(code);
    }
    return std::nullopt;
}

} // namespace visor::isa
