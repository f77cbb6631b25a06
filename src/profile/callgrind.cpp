#include "profile/formats.h"

#include <fmt/format.h>
#include <iterator>

namespace visor::profile {

namespace {

// What they are is said in comments: callgrind_annotate takes no `event:` lines.
constexpr const char* events =
    "# Lanes: channels that were on; PossibleLanes: those of the execution sizes\n"
    "# Reads, Writes, Atomics: messages; Bytes: of them\n"
    "# Lines: cache lines of 64 bytes that messages touched; LeastLines: lines that hold as many bytes\n"
    "# SlmRounds: rounds of 16 banks of shared local memory\n"
    "# Waited: instructions of other threads while one waited at a barrier\n"
    "events: Instructions Lanes PossibleLanes Reads Writes Atomics Bytes Lines LeastLines SlmRounds Waited\n";

std::string numbers(const Costs& costs) {
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {}", costs.executed, costs.lanes, costs.possible_lanes,
                       costs.messages[0], costs.messages[1], costs.messages[2], costs.bytes, costs.lines,
                       costs.least_lines, costs.slm_rounds, costs.waited);
}

} // namespace

std::string callgrind_of(const Profile& profile, Lines lines, std::string_view creator) {
    Costs total;
    for (const FunctionCosts& function : profile.functions)
        for (const Costs& costs : function.costs)
            total += costs;
    std::string out = fmt::format(
        "# callgrind format\nversion: 1\ncreator: {}\ncmd: {} launch{}\npositions: line\n{}"
        "summary: {}\n",
        on_one_line(creator), profile.launches, profile.launches == 1 ? "" : "es", events, numbers(total));
    for (const FunctionCosts& function : profile.functions) {
        const FileCosts files = by_line(function, lines);
        bool first = true;
        for (const auto& [file, by_number] : files) {
            // Inlined from another file: it stays part of the function.
            if (first)
                fmt::format_to(std::back_inserter(out), "\nfl={}\nfn={}\n", on_one_line(file),
                               on_one_line(function.function->name));
            else
                fmt::format_to(std::back_inserter(out), "fi={}\n", on_one_line(file));
            first = false;
            for (const auto& [line, there] : by_number)
                if (there.costs.executed != 0)
                    fmt::format_to(std::back_inserter(out), "{} {}\n", line, numbers(there.costs));
        }
    }
    fmt::format_to(std::back_inserter(out), "\ntotals: {}\n", numbers(total));
    return out;
}

} // namespace visor::profile
