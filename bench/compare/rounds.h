// Who does the same work in turn, round by round, and what time each takes.
#pragma once

#include "work.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace visor::compare {

struct Contender {
    std::string name;
    std::unique_ptr<Runner> runner{}; // nullptr: nobody
    std::vector<Seconds> seconds{};   // by round
    bool fine = false;                // it ran, and its results are the first one's
};

// So many runs together; failed_seconds when one fails.
[[nodiscard]] Seconds take(Runner& runner, unsigned runs);

// 0: there are none.
[[nodiscard]] double median(std::vector<double> values);

// Lets everyone do the work once, and compares results with the first one's, or with the second one's that
// ran where the work says that PoCL, the first, is wrong; says on standard error whose differ, and where.
void check(const Work& work, std::span<Contender> contenders);

// Those that are fine; short work is repeated. Where the work is from memory, the caches of so many CPUs are
// emptied before each run.
void measure_rounds(const Work& work, std::span<Contender> contenders, unsigned rounds, unsigned cpus);

} // namespace visor::compare
