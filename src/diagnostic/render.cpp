#include "diagnostic/diagnostic.h"
#include "diagnostic/limits.h"
#include "diagnostic/printable.h"

#include <algorithm>
#include <fmt/format.h>

namespace visor {

namespace {

constexpr size_t widest_shown_line = 200; // bytes of a source line that a message quotes

std::string_view severity_name(Severity severity) {
    switch (severity) {
    case Severity::note:
        return "note";
    case Severity::warning:
        return "warning";
    case Severity::unsupported:
        return "unsupported by Visor";
    case Severity::error:
        break;
    }
    return "error";
}

std::string_view severity_color(Severity severity) {
    switch (severity) {
    case Severity::note:
        return "\x1b[36m";
    case Severity::warning:
        return "\x1b[35m";
    default:
        return "\x1b[31m";
    }
}

std::string position(const SourceView& source, std::optional<Location> where) {
    if (!where)
        return fmt::format("{}: ", source.name);
    if (source.binary)
        return fmt::format("{}:0x{:x}: ", source.name, where->offset);
    const auto [line, column] = source.lines == nullptr ? line_column(source.content, where->offset)
                                                        : source.lines->place_of(where->offset);
    return fmt::format("{}:{}:{}: ", source.name, line, column);
}

// The line that an offset stands in, without its end.
std::string_view line_around(std::string_view text, size_t at) {
    const size_t newline_before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const size_t begin = newline_before == std::string_view::npos ? 0 : newline_before + 1;
    return text.substr(begin, std::min(text.find('\n', at), text.size()) - begin);
}

// A byte as the quoted line shows it: one column each, so that the caret stays below its word.
char shown(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f ? ' ' : c;
}

std::string quoted_line(const SourceView& source, const Location& where) {
    const std::string_view text = source.content;
    const size_t at = std::min<size_t>(where.offset, text.size());
    const std::string_view around =
        source.lines == nullptr ? line_around(text, at) : source.lines->line_of(where.offset);
    const auto begin = static_cast<size_t>(around.data() - text.data());
    const size_t end = begin + around.size();
    size_t from = begin;
    if (at - begin > widest_shown_line - 40)
        from = at - 60;
    const size_t to = std::min(end, from + widest_shown_line);

    std::string line;
    std::transform(text.begin() + static_cast<ptrdiff_t>(from), text.begin() + static_cast<ptrdiff_t>(to),
                   std::back_inserter(line), shown);
    const size_t mark = std::clamp<size_t>(where.length, 1, std::max<size_t>(1, to > at ? to - at : 1));
    return fmt::format("    {}\n    {}^{}\n", printable(line), std::string(at - from, ' '),
                       std::string(mark - 1, '~'));
}

std::string render_one(Severity severity, std::optional<Location> where, std::string_view message,
                       std::string_view rule, const SourceView& source, Color color) {
    const bool colored = color == Color::on;
    std::string out =
        fmt::format("{}{}{}:{} {}", position(source, where), colored ? severity_color(severity) : "",
                    severity_name(severity), colored ? "\x1b[0m" : "", printable(message));
    if (!rule.empty())
        out += fmt::format(" [{}]", rule);
    out += '\n';
    if (where && !source.binary)
        out += quoted_line(source, *where);
    return out;
}

} // namespace

LineColumn line_column(std::string_view content, uint32_t offset) {
    const std::string_view before = content.substr(0, std::min<size_t>(offset, content.size()));
    const auto line = static_cast<uint32_t>(std::ranges::count(before, '\n'));
    const size_t newline = before.rfind('\n');
    const size_t column = newline == std::string_view::npos ? before.size() : before.size() - newline - 1;
    return {line + 1, static_cast<uint32_t>(column) + 1};
}

LineStarts::LineStarts(std::string_view content) : content_(content), starts_{0} {
    for (size_t at = content.find('\n'); at != std::string_view::npos; at = content.find('\n', at + 1))
        starts_.push_back(static_cast<uint32_t>(at + 1));
}

size_t LineStarts::index_of(uint32_t offset) const {
    const auto at = static_cast<uint32_t>(std::min<size_t>(offset, content_.size()));
    return static_cast<size_t>(std::ranges::upper_bound(starts_, at) - starts_.begin()) - 1;
}

LineColumn LineStarts::place_of(uint32_t offset) const {
    const size_t index = index_of(offset);
    const auto at = static_cast<uint32_t>(std::min<size_t>(offset, content_.size()));
    return {static_cast<uint32_t>(index) + 1, at - starts_[index] + 1};
}

std::string_view LineStarts::line_of(uint32_t offset) const {
    const size_t index = index_of(offset);
    const size_t end = index + 1 < starts_.size() ? starts_[index + 1] - 1 : content_.size();
    return content_.substr(starts_[index], end - starts_[index]);
}

std::string render(const Diagnostic& diagnostic, const SourceView& source, Color color) {
    std::string out =
        render_one(diagnostic.severity, diagnostic.where, diagnostic.message, diagnostic.rule, source, color);
    for (const Note& note : diagnostic.notes)
        out += render_one(Severity::note, note.where, note.message, "", source, color);
    return out;
}

std::string render(const Diagnostics& diagnostics, const SourceView& source, Color color) {
    std::string out;
    const LineStarts lines(source.binary ? std::string_view() : source.content);
    SourceView indexed = source;
    indexed.lines = source.binary ? nullptr : &lines;
    for (const Diagnostic& diagnostic : diagnostics.all())
        out += render(diagnostic, indexed, color);
    return out + not_shown(diagnostics, source.name);
}

std::string not_shown(const Diagnostics& diagnostics, std::string_view name) {
    std::string out;
    if (diagnostics.dropped() > 0)
        out += fmt::format("{}: note: {} further errors not shown\n", name, diagnostics.dropped());
    if (const size_t dropped = dropped_warnings(diagnostics); dropped > 0)
        out += fmt::format("{}: note: {} further warnings not shown\n", name, dropped);
    return out;
}

} // namespace visor
