// A number for each instruction, such that those of two equal functions have the same ones: made of the
// instruction itself and, round by round, of what its names are used for and of what comes before and after
// it. Different numbers prove a difference; equal ones prove nothing.
#pragma once

#include "compare/canonical.h"
#include "compare/order.h"

#include <cstdint>
#include <vector>

namespace visor::compare {

using Colors = std::vector<uint64_t>;

struct BothColors {
    Colors first;
    Colors second;
};

struct Ordered {
    const Canonical& code;
    const Order& order;
};

// Ends early once further rounds tell no more instructions apart, or with the steps spent.
[[nodiscard]] BothColors colors(const Ordered& first, const Ordered& second, size_t most_rounds,
                                Steps& steps);

} // namespace visor::compare
