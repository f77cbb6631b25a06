// Inputs that are one line over and over, valid or not: what costs a reader most for each byte. A kind for
// everything that a text may have many of, and for every message that it may bring about many times.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace visor::bench {

struct Repeated {
    std::string_view kind;
    std::string_view before; // the line
    std::string_view line;   // every `#` in it is the line's number, from 0
    std::string_view after;
};

[[nodiscard]] const std::vector<Repeated>& repeated_kinds();

// A text of at least so many bytes.
[[nodiscard]] std::string text_of(const Repeated& kind, size_t bytes);

} // namespace visor::bench
