// Another build of Visor beside this one, in the same run: its `compare` program does the same work in a
// process of its own, which is asked for each round.
#pragma once

#include "results.h"
#include "work.h"

#include <string>
#include <vector>

namespace visor::compare {

// `build`: a build folder with bench/compare/compare of a version that knows --serve. Prints a table of
// paired ratios, the baseline's CPU time by this build's, to standard output. Exit code 1: somebody failed, a
// result differs, or all ratios of a row lie below 0.95.
[[nodiscard]] int tell_baseline(const std::vector<Work>& all, const std::vector<std::string>& devices,
                                const std::string& build, unsigned rounds, unsigned threads,
                                std::vector<Series>& measured);

// The other side: answers requests from standard input on standard output, until its end.
//   prepare DEVICE KERNEL   ok, or failed
//   reset                   ok
//   run N                   CPU and wall-clock seconds of N runs together, or failed
//   content N               the number of bytes of buffer N, then the bytes
[[nodiscard]] int serve(const std::vector<Work>& all, unsigned threads);

} // namespace visor::compare
