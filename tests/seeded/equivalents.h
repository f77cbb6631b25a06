// Why mutants that change nothing change nothing: lines of equivalent.tsv, each for one removed barrier or
// fence, or for what a pattern names. A line that fits no mutant is an error, as a mutant without one is.
#pragma once

#include "study.h"

#include <expected>
#include <string>
#include <vector>

namespace visor::seeded {

struct Reason {
    std::string example; // `*` stands for any text in these
    std::string device;
    std::string what; // the operator
    std::string site; // "KERNEL#NUMBER" or "KERNEL#NUMBER text of the instruction"
    std::string why;
    bool used = false;
};

// Lines of five columns, separated by tabs; `#` begins a comment. Error: the line that is none.
[[nodiscard]] std::expected<std::vector<Reason>, std::string> read_reasons(const std::string& text);
// nullptr: none fits.
[[nodiscard]] const Reason* reason_for(std::vector<Reason>& reasons, const Judged& judged);
[[nodiscard]] std::string site_name(const Judged& judged);

} // namespace visor::seeded
