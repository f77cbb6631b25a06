#include "diagnostic/diagnostic.h"

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
    const auto [line, column] = line_column(source.content, where->offset);
    return fmt::format("{}:{}:{}: ", source.name, line, column);
}

// A byte as the quoted line shows it: one column each, so that the caret stays below its word.
char shown(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f ? ' ' : c;
}

std::string quoted_line(const SourceView& source, const Location& where) {
    const std::string_view text = source.content;
    const size_t at = std::min<size_t>(where.offset, text.size());
    const size_t newline_before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const size_t begin = newline_before == std::string_view::npos ? 0 : newline_before + 1;
    const size_t end = std::min(text.find('\n', at), text.size());
    size_t from = begin;
    if (at - begin > widest_shown_line - 40)
        from = at - 60;
    const size_t to = std::min(end, from + widest_shown_line);

    std::string line;
    std::transform(text.begin() + static_cast<ptrdiff_t>(from), text.begin() + static_cast<ptrdiff_t>(to),
                   std::back_inserter(line), shown);
    const size_t mark = std::clamp<size_t>(where.length, 1, std::max<size_t>(1, to > at ? to - at : 1));
    return fmt::format("    {}\n    {}^{}\n", line, std::string(at - from, ' '), std::string(mark - 1, '~'));
}

std::string render_one(Severity severity, std::optional<Location> where, std::string_view message,
                       std::string_view rule, const SourceView& source, Color color) {
    const bool colored = color == Color::on;
    std::string out =
        fmt::format("{}{}{}:{} {}", position(source, where), colored ? severity_color(severity) : "",
                    severity_name(severity), colored ? "\x1b[0m" : "", message);
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

std::string render(const Diagnostic& diagnostic, const SourceView& source, Color color) {
    std::string out =
        render_one(diagnostic.severity, diagnostic.where, diagnostic.message, diagnostic.rule, source, color);
    for (const Note& note : diagnostic.notes)
        out += render_one(Severity::note, note.where, note.message, "", source, color);
    return out;
}

std::string render(const Diagnostics& diagnostics, const SourceView& source, Color color) {
    std::string out;
    for (const Diagnostic& diagnostic : diagnostics.all())
        out += render(diagnostic, source, color);
    if (diagnostics.dropped() > 0)
        out += fmt::format("{}: note: {} further errors not shown\n", source.name, diagnostics.dropped());
    return out;
}

} // namespace visor
