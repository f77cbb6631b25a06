// Findings for people: the message with its place in the text, both parties, and how to see it again.
#pragma once

#include "check/finding.h"
#include "diagnostic/diagnostic.h"

#include <string>
#include <string_view>

namespace visor::check {

// A kernel's text, for places in it.
struct Source {
    std::string_view name;
    std::string_view text;
};

// Several lines, the last one ends with a newline:
//   file:line:col: error: message [rule]
//       the instruction
//   note: ...
[[nodiscard]] std::string render(const Finding& finding, const Source& source);

// "group (0,0,0), hardware thread 1, lane 3 reads"
[[nodiscard]] std::string who(const Party& party);

} // namespace visor::check
