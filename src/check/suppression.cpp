#include "check/suppression.h"

#include <algorithm>
#include <fmt/format.h>

namespace visor::check {

namespace {

constexpr std::string_view blanks = " \t\r";

// The next word; `rest` is left behind it.
std::string_view word(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
    const std::string_view found = rest.substr(0, rest.find_first_of(blanks));
    rest.remove_prefix(found.size());
    return found;
}

} // namespace

// Linear: a star that failed to match gives way to the next place only.
bool matches_wildcard(std::string_view pattern, std::string_view text) {
    size_t p = 0;
    size_t t = 0;
    size_t star = std::string_view::npos;
    size_t from = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            from = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++from;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::expected<std::vector<Suppression>, std::string> read_suppressions(std::string_view name,
                                                                       std::string_view text) {
    std::vector<Suppression> entries;
    for (uint32_t line = 1; !text.empty(); ++line) {
        std::string_view rest = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(rest.size() + 1, text.size()));
        Suppression entry{.line = line, .rule = std::string(word(rest)), .kernel = {}, .reason = {}};
        if (entry.rule.empty() || entry.rule.front() == '#')
            continue;
        entry.kernel = word(rest);
        rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
        entry.reason = rest.substr(0, rest.find_last_not_of(blanks) + 1);
        if (entry.reason.empty())
            return std::unexpected(
                fmt::format("{}:{}: an entry is a rule, a kernel and a reason", name, line));
        entries.push_back(std::move(entry));
    }
    return entries;
}

uint64_t suppress(std::vector<Suppression>& entries, std::vector<Reported>& findings) {
    const size_t before = findings.size();
    std::erase_if(findings, [&](const Reported& record) {
        const Finding& finding = record.finding;
        const auto entry = std::ranges::find_if(entries, [&](const Suppression& candidate) {
            return matches_wildcard(candidate.rule, finding.rule) &&
                   matches_wildcard(candidate.kernel, finding.function->name);
        });
        if (entry == entries.end())
            return false;
        ++entry->used;
        return true;
    });
    return before - findings.size();
}

} // namespace visor::check
