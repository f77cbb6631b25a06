// The passes over what is no instruction: functions, declarations, labels, comments.
#include "reduce/search.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace visor::reduce {

namespace {

std::vector<size_t> lines_of(const Search& search, std::initializer_list<LineKind> kinds) {
    std::vector<size_t> out;
    for (size_t i = 0; i < search.lines().size(); ++i)
        if (std::ranges::find(kinds, search.kind(i)) != kinds.end())
            out.push_back(i);
    return out;
}

// Of `key=` in a declaration: from the blank before it to the blank after its value, in which `<a, b>` is
// one.
struct Part {
    size_t begin = 0;
    size_t value = 0;
    size_t end = 0;
};
std::optional<Part> part_of(std::string_view line, std::string_view key) {
    const size_t begin = line.find(key);
    if (begin == std::string_view::npos)
        return std::nullopt;
    Part out{begin, begin + key.size(), begin + key.size()};
    bool inside = false;
    for (; out.end < line.size(); ++out.end) {
        const char c = line[out.end];
        if (!inside && (c == ' ' || c == '\t' || c == '\r'))
            break;
        inside = c == '<' || (inside && c != '>');
    }
    return out;
}

void drop_part(Search& search, size_t line, std::string_view key) {
    const auto part = part_of(search.lines()[line], key);
    if (!part)
        return;
    Lines candidate = search.lines();
    candidate[line].erase(part->begin, part->end - part->begin);
    search.take(candidate);
}

// One element, or half as many, again and again.
void fewer_elements(Search& search, size_t line) {
    for (bool first = true; !search.stopped(); first = false) {
        const std::string& text = search.lines()[line];
        const auto part = part_of(text, " num_elts=");
        if (!part)
            return;
        uint32_t count = 0;
        const std::from_chars_result read =
            std::from_chars(text.data() + part->value, text.data() + part->end, count);
        if (read.ec != std::errc() || count < 2)
            return;
        Lines candidate = search.lines();
        candidate[line].replace(part->value, part->end - part->value, std::to_string(first ? 1 : count / 2));
        if (!search.take(candidate) && !first)
            return;
    }
}

} // namespace

void remove_functions(Search& search) {
    for (size_t end = search.lines().size(); end > 0 && !search.stopped();) {
        size_t begin = end;
        while (begin > 0 && !begins_function(search.lines()[begin - 1]))
            --begin;
        if (begin == 0)
            return;
        --begin; // the line that begins it
        Lines candidate = search.lines();
        candidate.erase(candidate.begin() + static_cast<ptrdiff_t>(begin),
                        candidate.begin() + static_cast<ptrdiff_t>(end));
        search.take(candidate);
        end = begin;
    }
}

void remove_other_lines(Search& search) {
    const Lines lines = search.lines();
    remove_lines(lines,
                 lines_of(search, {LineKind::empty, LineKind::label, LineKind::directive, LineKind::head}),
                 [&](const Lines& candidate) { return search.take(candidate); });
}

void strip_comments(Search& search) {
    Lines candidate = search.lines();
    for (size_t i = 0; i < candidate.size(); ++i) {
        std::string& line = candidate[i];
        const LineKind kind = search.kind(i);
        if (kind == LineKind::kept || kind == LineKind::empty || line.find('"') != std::string::npos)
            continue; // what is in quotes is no comment
        const size_t comment = line.find("//");
        if (comment == std::string::npos)
            continue;
        line.erase(comment);
        line.erase(line.find_last_not_of(" \t") + 1);
    }
    search.take(candidate);
}

void remove_declarations(Search& search) {
    // What nothing names goes at once: that it can go is known without the predicate.
    const Lines lines = search.lines();
    const std::vector<size_t> declarations = lines_of(search, {LineKind::declaration});
    if (search.module()) {
        Lines used = lines;
        remove_lines(lines, declarations, [&](const Lines& candidate) {
            const bool valid = search.is_valid(candidate);
            if (valid)
                used = candidate;
            return valid;
        });
        if (used.size() == lines.size() || search.take(used))
            return;
    }
    remove_lines(lines, declarations, [&](const Lines& candidate) { return search.take(candidate); });
}

void shrink_declarations(Search& search) {
    for (const size_t line : lines_of(search, {LineKind::declaration})) {
        drop_part(search, line, " alias=");
        drop_part(search, line, " align=");
        fewer_elements(search, line);
    }
}

} // namespace visor::reduce
