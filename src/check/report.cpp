#include "check/report.h"

#include "module/source_line.h"
#include "text/text.h"

#include <fmt/format.h>
#include <iterator>

namespace visor::check {

namespace {

std::string text_place(const Spot& spot) {
    return fmt::format("{}:{}:{}", spot.file, spot.line, spot.column);
}

// What people look at first.
std::string first_place(const Spot& spot) {
    return spot.source_file.empty() ? text_place(spot)
                                    : fmt::format("{}:{}", spot.source_file, spot.source_line);
}

void add_party(std::string& out, const Finding& finding, const Party& party, const Source& source) {
    const Function& function = *finding.function;
    const Spot spot = spot_of(finding, party, source);
    fmt::format_to(std::back_inserter(out), "{}: note: {}\n", first_place(spot), who(party));
    if (party.instruction < function.code.size())
        fmt::format_to(std::back_inserter(out), "    {}{}\n",
                       spot.source_file.empty() ? "" : text_place(spot) + ": ",
                       text::print(function, function.code[party.instruction]));
}

} // namespace

Spot spot_of(const Finding& finding, const Party& party, const Source& source) {
    const Function& function = *finding.function;
    Spot spot{.file = std::string(source.name)};
    if (party.instruction >= function.code.size())
        return spot;
    const LineColumn at = line_column(source.text, function.code[party.instruction].where.offset);
    spot.line = at.line;
    spot.column = at.column;
    const std::vector<SourceLine> lines = source_lines(function);
    if (party.instruction < lines.size() && lines[party.instruction].known()) {
        spot.source_file = lines[party.instruction].file;
        spot.source_line = lines[party.instruction].line;
    }
    return spot;
}

std::string who(const Party& party) {
    std::string text = fmt::format("group ({},{},{}), hardware thread {}", party.group[0], party.group[1],
                                   party.group[2], party.thread);
    if (party.lane >= 0)
        text += fmt::format(", lane {}", party.lane);
    if (!party.doing.empty())
        text += ' ' + party.doing;
    return text;
}

std::string heading(const Finding& finding, const Source& source) {
    return fmt::format("{}: {}: {} [{}]", first_place(spot_of(finding, finding.party, source)),
                       finding.severity == Severity::error ? "error" : "note", finding.message, finding.rule);
}

std::string render(const Finding& finding, const Source& source) {
    std::string out = heading(finding, source) + '\n';
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

Reported report(const Finding& finding, const Source& source) {
    Reported out{finding, render(finding, source), {}};
    const auto add = [&](const Party& party) {
        if (party.instruction < finding.function->code.size())
            out.places.push_back({spot_of(finding, party, source), who(party)});
    };
    add(finding.party);
    if (finding.other)
        add(*finding.other);
    return out;
}

} // namespace visor::check
