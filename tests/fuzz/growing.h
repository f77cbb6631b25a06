// A text with one of its lines over and over, each time with other numbers behind its names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace visor::fuzz {

struct Growing {
    std::string_view before; // the line
    std::string_view line;
    std::string_view after;

    // The line at `part` / 256 of the text.
    Growing(std::string_view text, unsigned part);
    [[nodiscard]] std::string text_of(size_t bytes) const; // at least
};

} // namespace visor::fuzz
