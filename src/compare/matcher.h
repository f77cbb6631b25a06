// Pairs the instructions of two functions, block by block.
#pragma once

#include "compare/colors.h"
#include "compare/compare.h"
#include "compare/naming.h"

#include <cstddef>
#include <vector>

namespace visor::compare {

struct Matched {
    std::vector<Difference> differences;
    bool complete = true; // false: there were too many to find all
    bool spent = false;   // the steps were: later instructions were taken in their order
};

// Finds an order of the second function's instructions that its own `order` allows and that is the first
// one's, if the colors lead to it. Only blocks that both have are looked at. Each instruction without a
// counterpart is a difference, at most `most` of them.
[[nodiscard]] Matched match(const Ordered& first, const Ordered& second, const BothColors& colors,
                            Naming naming, size_t most, Steps steps);

} // namespace visor::compare
