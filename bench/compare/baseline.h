// Another build of Visor beside this one, in the same run: the `compare` programs of both do the same work in
// processes of their own, four pairs of them for each row, which are asked in turn for each round.
#pragma once

#include "results.h"
#include "work.h"

#include <string>
#include <vector>

namespace visor::compare {

struct Baseline {
    std::string build;   // a folder
    std::string sources; // --sources, for the other program as well; "": none
    std::string set;     // --set, likewise; "": all
};

// `build`: a build folder with bench/compare/compare of a version that knows --serve. Prints a table of
// paired ratios, the baseline's CPU time by this build's, to standard output. Exit code 1: somebody failed, a
// result differs, or all ratios of a row lie below 0.95.
[[nodiscard]] int tell_baseline(const std::vector<Work>& all, const std::vector<std::string>& devices,
                                const Baseline& baseline, unsigned rounds, unsigned threads,
                                std::vector<Series>& measured);

} // namespace visor::compare
