// Numbers compared with the expected ones, as a test of a launch file wants it.
#pragma once

#include "cli/launch/job.h"
#include "cli/value/element.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace visor::cli {

struct Difference {
    uint64_t index = 0; // of the first element that differs
    uint64_t count = 0; // of elements that do
    std::string got;
    std::string expected;
};

// Both spans hold as many elements. Without a tolerance a number equals itself, -0 equals 0, and every NaN
// equals every other; with `bits` the bits are the same. `nullopt`: all are as expected.
[[nodiscard]] std::optional<Difference> compare(Element element, std::span<const std::byte> got,
                                                std::span<const std::byte> expected,
                                                const Tolerance& tolerance);

} // namespace visor::cli
