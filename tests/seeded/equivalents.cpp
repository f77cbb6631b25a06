#include "equivalents.h"

#include <fmt/format.h>
#include <sstream>

namespace visor::seeded {

namespace {

// `*` stands for any text.
bool fits(std::string_view pattern, std::string_view text) {
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

} // namespace

std::expected<std::vector<Reason>, std::string> read_reasons(const std::string& text) {
    std::vector<Reason> reasons;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.starts_with('#'))
            continue;
        std::vector<std::string> columns(1);
        for (const char c : line) {
            if (c == '\t')
                columns.emplace_back();
            else
                columns.back() += c;
        }
        if (columns.size() != 5 || columns[4].empty())
            return std::unexpected(line);
        reasons.push_back({columns[0], columns[1], columns[2], columns[3], columns[4]});
    }
    return reasons;
}

std::string site_name(const Judged& judged) {
    return fmt::format("{}#{} {}", judged.kernel, judged.site.number, judged.text);
}

const Reason* reason_for(std::vector<Reason>& reasons, const Judged& judged) {
    const std::string site = site_name(judged);
    for (Reason& reason : reasons) {
        if (!fits(reason.example, judged.example) || !fits(reason.device, judged.device) ||
            !fits(reason.what, operator_names[static_cast<size_t>(judged.site.what)]) ||
            !(fits(reason.site, site) || fits(reason.site, site.substr(0, site.find(' ')))))
            continue;
        reason.used = true;
        return &reason;
    }
    return nullptr;
}

} // namespace visor::seeded
