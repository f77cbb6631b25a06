#include "cli/suppression.h"

#include "cli/words.h"

#include <algorithm>
#include <fmt/format.h>

namespace visor::cli {

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

std::expected<std::vector<Suppression>, Failure> read_suppressions(std::string_view name,
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
            return invalid(fmt::format("{}:{}: an entry is a rule, a kernel and a reason", name, line));
        entries.push_back(std::move(entry));
    }
    return entries;
}

uint64_t suppress(std::vector<Suppression>& entries, std::vector<FindingRecord>& findings) {
    const size_t before = findings.size();
    std::erase_if(findings, [&](const FindingRecord& record) {
        const check::Finding& finding = record.finding;
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

} // namespace visor::cli
