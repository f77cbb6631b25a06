// What each pass of the JIT is worth: code with all passes beside code without one of them, in turn.
#pragma once

#include "results.h"
#include "work.h"

#include <string>
#include <vector>

namespace visor::compare {

// `passes`: names, or "all" for every pass that can be disabled. Measures only passes that change the code of
// a kernel. Prints a table of kernels, and one of passes, to standard output; ratios are the CPU time without
// the pass by the time with it, medians of rounds. Exit code: 1 when a result differs. Not thread-safe: sets
// environment variables.
[[nodiscard]] int tell_without(const std::vector<Work>& all, const std::vector<std::string>& devices,
                               const std::vector<std::string>& passes, unsigned rounds, unsigned threads,
                               std::vector<Series>& measured);

} // namespace visor::compare
