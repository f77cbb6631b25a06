// Examples that cannot run on a device, with the reason: data, in exceptions.txt. Such a pair must still
// fail, saying what the line quotes.
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace visor::test {

struct Exception {
    std::string example;
    std::string device;
    std::string said; // part of what the failing check says
    std::string reason;
};

// Lines `EXAMPLE | DEVICE ... | SAID | REASON`: one exception a device. Error: the line that is none.
[[nodiscard]] std::expected<std::vector<Exception>, std::string> read_exceptions(const std::string& text);

} // namespace visor::test
