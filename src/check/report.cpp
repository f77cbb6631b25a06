#include "check/report.h"

#include "text/text.h"

#include <fmt/format.h>
#include <iterator>

namespace visor::check {

namespace {

std::string where(const Function& function, uint32_t instruction, const Source& source) {
    if (instruction >= function.code.size())
        return std::string(source.name);
    const LineColumn at = line_column(source.text, function.code[instruction].where.offset);
    return fmt::format("{}:{}:{}", source.name, at.line, at.column);
}

void add_party(std::string& out, const Finding& finding, const Party& party, const Source& source) {
    const Function& function = *finding.function;
    fmt::format_to(std::back_inserter(out), "{}: note: {}\n", where(function, party.instruction, source),
                   who(party));
    if (party.instruction < function.code.size())
        fmt::format_to(std::back_inserter(out), "    {}\n",
                       text::print(function, function.code[party.instruction]));
}

} // namespace

std::string who(const Party& party) {
    std::string text = fmt::format("group ({},{},{}), hardware thread {}", party.group[0], party.group[1],
                                   party.group[2], party.thread);
    if (party.lane >= 0)
        text += fmt::format(", lane {}", party.lane);
    if (!party.doing.empty())
        text += ' ' + party.doing;
    return text;
}

std::string render(const Finding& finding, const Source& source) {
    const Function& function = *finding.function;
    std::string out =
        fmt::format("{}: {}: {} [{}]\n", where(function, finding.party.instruction, source),
                    finding.severity == Severity::error ? "error" : "note", finding.message, finding.rule);
    if (!finding.place.empty())
        fmt::format_to(std::back_inserter(out), "    at {}\n", finding.place);
    add_party(out, finding, finding.party, source);
    if (finding.other)
        add_party(out, finding, *finding.other, source);
    for (const std::string& note : finding.notes)
        fmt::format_to(std::back_inserter(out), "note: {}\n", note);
    if (finding.count > 1)
        fmt::format_to(std::back_inserter(out), "note: seen {} times\n", finding.count);
    return out;
}

} // namespace visor::check
