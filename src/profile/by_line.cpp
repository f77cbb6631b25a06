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

FileCosts by_line(const FunctionCosts& function, Lines lines) {
    FileCosts out;
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
    for (size_t i = 0; i < function.costs.size(); ++i) {
        const Instruction& instruction = function.function->code[i];
        if (!runs(instruction))
            continue;
        if (!by_source)
            add(out, function.text_name, starts.place_of(instruction.where.offset).line, function.costs[i]);
        else if (i < sources.size() && sources[i].known())
            add(out, sources[i].file, sources[i].line, function.costs[i]);
        else
            add(out, first_file, 0, function.costs[i]);
    }
    return out;
}

} // namespace visor::profile
