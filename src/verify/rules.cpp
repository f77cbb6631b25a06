// The rules as the documentation and the command line list them.
#include "verify/rule.h"

namespace visor::verify {

namespace {

constexpr auto listed = [] {
    std::array<Rule, rule_rows.size()> all{};
    std::ranges::transform(rule_rows, all.begin(), &RuleRow::rule);
    return all;
}();

constexpr bool is_pattern(std::string_view id) {
    return id.starts_with('<');
}

// A pattern's fixed end: "-type" of "<instruction>-<operand>-type".
constexpr std::string_view tail(std::string_view pattern) {
    return pattern.substr(pattern.rfind('>') + 1);
}

} // namespace

std::span<const Rule> rules() {
    return listed;
}

const Rule* rule_of(std::string_view diagnostic_id) {
    const auto same = [&](const Rule& rule) { return diagnostic_id == rule.id; };
    const auto fits = [&](const Rule& rule) {
        return is_pattern(rule.id) && diagnostic_id.ends_with(tail(rule.id));
    };
    auto found = std::ranges::find_if(listed, same);
    if (found == listed.end())
        found = std::ranges::find_if(listed, fits);
    return found == listed.end() ? nullptr : &*found;
}

} // namespace visor::verify
