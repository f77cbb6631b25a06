#include "reduce/lines.h"

#include <algorithm>

namespace visor::reduce {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view line) {
    const size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos)
        return {};
    return line.substr(begin, line.find_last_not_of(blanks) + 1 - begin);
}

std::string_view first_word(std::string_view line) {
    return line.substr(0, line.find_first_of(" \t\""));
}

} // namespace

Lines split(std::string_view text) {
    Lines out;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        out.emplace_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return out;
}

std::string join(const Lines& lines) {
    size_t size = 0;
    for (const std::string& line : lines)
        size += line.size() + 1;
    std::string out;
    out.reserve(size);
    for (const std::string& line : lines) {
        out += line;
        out += '\n';
    }
    return out;
}

bool begins_function(std::string_view line) {
    const std::string_view word = first_word(trimmed(line));
    return word == ".kernel" || word == ".global_function";
}

LineKind kind_of(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text.starts_with("//"))
        return LineKind::empty;
    const std::string_view word = first_word(text);
    if (word == ".version" || begins_function(text))
        return LineKind::head;
    if (word == ".decl")
        return LineKind::declaration;
    if (word.ends_with(':'))
        return LineKind::label;
    return word.starts_with('.') ? LineKind::directive : LineKind::other;
}

LineIndex::LineIndex(const Lines& lines) {
    starts_.reserve(lines.size());
    uint64_t at = 0;
    for (const std::string& line : lines) {
        starts_.push_back(at);
        at += line.size() + 1;
    }
}

size_t LineIndex::line_of(Location where) const {
    const auto after = std::ranges::upper_bound(starts_, uint64_t{where.offset});
    return after == starts_.begin() ? 0 : static_cast<size_t>(after - starts_.begin()) - 1;
}

} // namespace visor::reduce
