// What the tests of text share: a kernel with one variable of each kind around the lines under test.
#pragma once

#include "text/text.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::text {

// Declares V0032 ud, V0033 uq, V0034 f, V0035 w, V0036 d (64 elements each), A0, P1, P2 (32 elements), S0,
// T6. Its lines end where the lines under test begin: `first_line`.
[[nodiscard]] std::string kernel(std::string_view lines);
inline constexpr unsigned first_line = 13;

struct Reading {
    std::optional<Module> module;
    Diagnostics diagnostics;
    std::string source;

    [[nodiscard]] const Function& function() const { return module->functions.front(); }
    [[nodiscard]] const Instruction& code(size_t index) const { return function().code.at(index); }
    // "line:column rule" of each message, in order.
    [[nodiscard]] std::vector<std::string> reports() const;
    // All messages as a user sees them.
    [[nodiscard]] std::string rendered() const;
};
[[nodiscard]] Reading read(std::string source, const Options& options = {});
[[nodiscard]] inline Reading read_lines(std::string_view lines) {
    return read(kernel(lines));
}

// The one instruction of a line; a failure of the test with its messages when it is refused.
[[nodiscard]] Instruction read_one(std::string_view line);
// The printed form of a line, without its indentation; "" with a failure when it is refused or does not come
// back as the same module.
[[nodiscard]] std::string reprinted(std::string_view line);

} // namespace visor::text
