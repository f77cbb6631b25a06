#include "profile/formats.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <vector>

namespace visor::profile {

namespace {

struct CoveredFunction {
    std::string name;
    uint32_t line = 0;
    uint64_t count = 0; // hardware threads that began it
};
struct CoveredFile {
    std::map<uint32_t, uint64_t> lines;
    std::vector<CoveredFunction> functions;
};
using Covered = std::map<std::string, CoveredFile, std::less<>>;

uint64_t entries(const FunctionCosts& function) {
    for (size_t i = 0; i < function.costs.size(); ++i)
        if (runs(function.function->code[i]))
            return function.costs[i].executed;
    return 0;
}

// A kernel of several programs, or a function of several kernels, is one.
void add_function(CoveredFile& to, const CoveredFunction& added) {
    const auto same = std::ranges::find_if(to.functions, [&](const CoveredFunction& one) {
        return one.name == added.name && one.line == added.line;
    });
    if (same == to.functions.end())
        to.functions.push_back(added);
    else
        same->count += added.count;
}

void add(Covered& to, const FunctionCosts& function) {
    const FileCosts files = by_line(function, Lines::source);
    bool first = true;
    for (const auto& [file, by_number] : files) {
        CoveredFile& covered = to[file];
        uint32_t first_line = 0;
        for (const auto& [line, there] : by_number) {
            if (line == 0) // the compiler's own code is nobody's line
                continue;
            covered.lines[line] += there.most_executed;
            if (first_line == 0)
                first_line = line;
        }
        if (first && first_line != 0)
            add_function(covered, {on_one_line(function.function->name), first_line, entries(function)});
        first = false;
    }
}

} // namespace

std::string lcov_of(const Profile& profile) {
    Covered files;
    for (const FunctionCosts& function : profile.functions)
        add(files, function);
    std::string out;
    for (const auto& [file, covered] : files) {
        const auto put = std::back_inserter(out);
        fmt::format_to(put, "TN:\nSF:{}\n", on_one_line(file));
        for (const CoveredFunction& function : covered.functions)
            fmt::format_to(put, "FN:{},{}\n", function.line, function.name);
        for (const CoveredFunction& function : covered.functions)
            fmt::format_to(put, "FNDA:{},{}\n", function.count, function.name);
        fmt::format_to(
            put, "FNF:{}\nFNH:{}\n", covered.functions.size(),
            std::ranges::count_if(covered.functions, [](const auto& one) { return one.count != 0; }));
        for (const auto& [line, count] : covered.lines)
            fmt::format_to(put, "DA:{},{}\n", line, count);
        fmt::format_to(put, "LF:{}\nLH:{}\nend_of_record\n", covered.lines.size(),
                       std::ranges::count_if(covered.lines, [](const auto& one) { return one.second != 0; }));
    }
    return out;
}

} // namespace visor::profile
