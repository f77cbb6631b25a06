// Findings that somebody has looked at and lives with: a file of rules, kernels and reasons.
//
//   # rule            kernel     why
//   same-value-race   scan_*     the compiler's own reduction: all threads write the same value
//
// `*` in a rule or kernel stands for any text. An entry that nothing matches is stale and is told.
#pragma once

#include "check/report.h"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace visor::check {

struct Suppression {
    uint32_t line = 0;
    std::string rule;
    std::string kernel;
    std::string reason;
    uint64_t used = 0; // findings that it matched
};

// Whether the text fits a pattern in which `*` stands for any text. Time linear in the product of both.
[[nodiscard]] bool matches_wildcard(std::string_view pattern, std::string_view text);

// Error: the first line that is no entry, with the reason; an entry without a reason is none.
[[nodiscard]] std::expected<std::vector<Suppression>, std::string> read_suppressions(std::string_view name,
                                                                                     std::string_view text);

// Takes out the findings that an entry matches. What it returns is how many those were.
uint64_t suppress(std::vector<Suppression>& entries, std::vector<Reported>& findings);

} // namespace visor::check
