#include "equivalents.h"

#include "check/suppression.h"

#include <fmt/format.h>
#include <sstream>

namespace visor::seeded {

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
        if (!check::matches_wildcard(reason.example, judged.example) ||
            !check::matches_wildcard(reason.device, judged.device) ||
            !check::matches_wildcard(reason.what, operator_names[static_cast<size_t>(judged.site.what)]) ||
            !(check::matches_wildcard(reason.site, site) ||
              check::matches_wildcard(reason.site, site.substr(0, site.find(' ')))))
            continue;
        reason.used = true;
        return &reason;
    }
    return nullptr;
}

} // namespace visor::seeded
