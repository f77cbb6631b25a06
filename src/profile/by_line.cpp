#include "profile/by_line.h"

#include "diagnostic/diagnostic.h"
#include "diagnostic/printable.h"
#include "isa/marks.h"
#include "module/source_line.h"

#include <algorithm>

namespace visor::profile {

namespace {

void add(FileCosts& to, std::string_view file, uint32_t line, const Costs& costs) {
    auto found = to.find(file);
    if (found == to.end())
        found = to.emplace(file, std::map<uint32_t, LineCosts>()).first;
    LineCosts& there = found->second[line];
    there.costs += costs;
    there.most_executed = std::max(there.most_executed, costs.executed);
}

} // namespace

bool runs(const Instruction& instruction) {
    return !isa::is_mark(*instruction.row) && !isa::is_note(*instruction.row);
}

std::string on_one_line(std::string_view name) {
    std::string out = printable(name);
    std::ranges::replace_if(out, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
    return out;
}

std::vector<Place> places_of(const FunctionCosts& function, Lines lines) {
    const auto& code = function.function->code;
    const std::vector<SourceLine> sources = source_lines(*function.function);
    const bool by_source = lines == Lines::source && !sources.empty();
    const LineStarts starts(function.text);
    // What has no line of its own is counted in the file of the function's first instruction that has one.
    std::string_view first_file = function.text_name;
    if (by_source)
        for (const SourceLine& line : sources)
            if (line.known()) {
                first_file = line.file;
                break;
            }
    std::vector<Place> places;
    for (size_t i = 0; i < code.size(); ++i) {
        if (!by_source)
            places.push_back({function.text_name, starts.place_of(code[i].where.offset).line});
        else if (i < sources.size() && sources[i].known())
            places.push_back({sources[i].file, sources[i].line});
        else
            places.push_back({first_file, 0});
        if (by_source && places.back().file == function.renamed.first)
            places.back().file = function.renamed.second;
    }
    return places;
}

FileCosts by_line(const FunctionCosts& function, Lines lines) {
    FileCosts out;
    const std::vector<Place> places = places_of(function, lines);
    for (size_t i = 0; i < function.costs.size(); ++i)
        if (runs(function.function->code[i]))
            add(out, places[i].file, places[i].line, function.costs[i]);
    return out;
}

} // namespace visor::profile
