// Compares two functions by meaning. What names and declarations things have, where they stand, and in which
// order independent instructions of a basic block come is no difference; everything else is.
#pragma once

#include "diagnostic/location.h"
#include "module/module.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace visor::compare {

inline constexpr uint64_t most_compare_steps = uint64_t{1} << 24U;

struct Options {
    uint32_t first_grf_bytes = 32; // of the device that the function is for
    uint32_t second_grf_bytes = 32;
    size_t most = 10; // differences that are kept: from 1 to 1000
    // Steps, of which an instruction takes a few dozen: the order of the instructions in a function that
    // needs more is taken literally.
    uint64_t most_steps = most_compare_steps;
};

struct Side {
    std::optional<Location> where; // absent: there is no such thing on this side
    std::string text;              // the instruction or declaration, as text has it
};

struct Difference {
    std::string message; // a sentence without its full stop
    Side first;
    Side second;
};

struct Comparison {
    std::vector<Difference> differences; // in the order of the code; empty: equal
    bool more = false;                   // there are further ones
    bool order_taken_literally =
        false; // with the steps spent: equal code in another order may seem to differ

    [[nodiscard]] bool equal() const { return differences.empty(); }
};

// The names of the functions are not compared: whoever pairs them did. Variables are what the code and the
// inputs name; one that is declared alone does not count, and an alias is a place in its root.
[[nodiscard]] Comparison compare(const Function& first, const Function& second, const Options& options);

} // namespace visor::compare
