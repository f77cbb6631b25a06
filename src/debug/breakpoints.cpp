#include "debug/breakpoints.h"

#include <charconv>
#include <fmt/format.h>

namespace visor::debug {

namespace {

// "3", "=3", "==3", ">=3", "%3": whether the n-th hit counts.
std::expected<bool, std::string> is_due(std::string_view text, uint64_t hits) {
    if (text.empty())
        return true;
    const size_t digits = text.find_first_of("0123456789");
    const std::string_view op = text.substr(0, digits);
    uint64_t number = 0;
    const std::string_view rest = digits == std::string_view::npos ? "" : text.substr(digits);
    const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (rest.empty() || problem != std::errc{} || end != rest.data() + rest.size() || number == 0)
        return std::unexpected(fmt::format("`{}` is no count of hits: 3, =3 or %3", text));
    if (op == "=" || op == "==")
        return hits == number;
    if (op == "%")
        return hits % number == 0;
    if (op.empty() || op == ">=")
        return hits >= number;
    return std::unexpected(fmt::format("`{}` is no count of hits: 3, =3 or %3", text));
}

// {EXPRESSION} becomes its value.
std::string filled(std::string_view text, const Scope& scope) {
    std::string out;
    while (!text.empty()) {
        const size_t open = text.find('{');
        out += text.substr(0, open);
        const size_t close = open == std::string_view::npos ? open : text.find('}', open);
        if (close == std::string_view::npos)
            return out += open == std::string_view::npos ? "" : text.substr(open);
        const auto expression = Expression::parse(text.substr(open + 1, close - open - 1));
        const auto value = expression ? expression->evaluate(scope) : std::unexpected(expression.error());
        out += value ? text_of(*value) : fmt::format("<{}>", value.error());
        text.remove_prefix(close + 1);
    }
    return out;
}

// The instructions of a request in one function.
std::vector<uint32_t> places_in(const Code& code, Breakpoint& breakpoint) {
    const BreakpointRequest& request = breakpoint.request;
    const Function& function = code.function();
    if (request.kind == BreakpointRequest::Kind::line) {
        uint32_t line = request.line;
        std::string file = request.file;
        if (file.empty())
            file = code.has_source() ? std::string(code.line(code.entry()).file) : code.text_name();
        if (file.empty())
            for (uint32_t k = 0; k < function.code.size() && file.empty(); ++k)
                file = code.source_line(k).file;
        return code.begins_of(file, line);
    }
    if (!request.function.empty() && request.function != function.name)
        return {};
    if (request.kind == BreakpointRequest::Kind::instruction)
        return request.instruction < function.code.size() ? std::vector{request.instruction}
                                                          : std::vector<uint32_t>{};
    return function.kind == FunctionKind::kernel ? std::vector{code.entry()} : std::vector<uint32_t>{};
}

} // namespace

std::expected<uint32_t, std::string> Breakpoints::add(BreakpointRequest request) {
    Breakpoint made;
    if (!request.condition.empty()) {
        auto condition = Expression::parse(request.condition);
        if (!condition)
            return std::unexpected(condition.error());
        made.condition = std::move(*condition);
    }
    if (const auto count = is_due(request.hit_condition, 1); !count)
        return std::unexpected(count.error());
    made.id = next_++;
    made.request = std::move(request);
    const uint32_t id = made.id;
    all_.emplace(id, std::move(made));
    return id;
}

bool Breakpoints::remove(uint32_t id) {
    return all_.erase(id) != 0;
}

void Breakpoints::bind(const std::vector<std::shared_ptr<const Code>>& codes) {
    marks_.clear();
    for (auto& [id, breakpoint] : all_) {
        // Functions may begin a line in different places: the nearest line with code counts in each alone,
        // but not one that is farther away than another function's.
        uint32_t nearest = UINT32_MAX;
        std::vector<std::pair<const Code*, std::vector<uint32_t>>> found;
        for (const auto& code : codes)
            if (auto places = places_in(*code, breakpoint); !places.empty()) {
                const bool in_text = is_file(code->text_name(), breakpoint.request.file);
                const Line where = in_text ? code->text_line(places.front()) : code->line(places.front());
                if (breakpoint.request.kind == BreakpointRequest::Kind::line && where.line > nearest)
                    continue;
                if (breakpoint.request.kind == BreakpointRequest::Kind::line && where.line < nearest)
                    found.clear();
                nearest = where.line;
                breakpoint.where = where;
                found.emplace_back(code.get(), std::move(places));
            }
        breakpoint.bound = !found.empty();
        breakpoint.problem = breakpoint.bound || codes.empty() ? "" : "there is no code";
        for (const auto& [code, places] : found) {
            Marks& marks = marks_[&code->function()];
            marks.resize(code->function().code.size());
            for (const uint32_t place : places)
                marks[place].push_back(id);
        }
    }
}

const Breakpoints::Marks* Breakpoints::marks_of(const Function& function) const {
    const auto found = marks_.find(&function);
    return found == marks_.end() ? nullptr : &found->second;
}

bool Breakpoints::stops(uint32_t id, const Scope& scope, bool counts, std::string& said) {
    const auto found = all_.find(id);
    if (found == all_.end())
        return false;
    Breakpoint& breakpoint = found->second;
    if (breakpoint.condition) {
        const auto truth = breakpoint.condition->evaluate(scope);
        if (!truth) {
            said += fmt::format("breakpoint {}: {}\n", id, truth.error());
            return true;
        }
        if (!truth->is_true())
            return false;
    }
    if (counts)
        ++breakpoint.hits;
    if (!is_due(breakpoint.request.hit_condition, breakpoint.hits).value_or(true))
        return false;
    if (breakpoint.request.log.empty())
        return true;
    said += filled(breakpoint.request.log, scope) + "\n";
    return false;
}

} // namespace visor::debug
