// A run as JSON, in the schema of bench/results/README.md, which bench/compare/results.py reads. Measures
// nothing and draws nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::compare {

// The rounds of one contender at one kernel.
struct Series {
    std::string kernel;
    std::string column;
    std::string unit; // speedup, ms, ratio or count
    std::vector<double> rounds;
};

// What others had at that kernel.
struct Reference {
    std::string kernel;
    double native = 0; // plain C++'s speed relative to PoCL's
};

struct Machine {
    std::string cpu{};    // "": unknown
    unsigned family = 0;  // 0: unknown
    std::string vector{}; // the widest instructions that it has; "": none of those known
    unsigned cpus = 0;
};

struct Conditions {
    std::string date{}; // of its begin, YYYY-MM-DD
    Machine machine{};
    std::string command{};
};

// Of what Linux tells in /proc/cpuinfo, by its first CPU.
[[nodiscard]] Machine machine_of(std::string_view cpuinfo, unsigned cpus);

// As a shell reads it again.
[[nodiscard]] std::string command_of(std::span<const char* const> arguments);

// Series without a round, or with one that is no finite number above zero, are left out. Pure ASCII: a byte
// beyond that is taken for the character of its number.
[[nodiscard]] std::string json(const Conditions& conditions, std::span<const Series> measured,
                               std::span<const Reference> references);

} // namespace visor::compare
