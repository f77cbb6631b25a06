#include "capture/selection.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace visor::capture {

namespace {

std::optional<uint64_t> number_in(std::string_view text) {
    uint64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = problem == std::errc{} && end == text.data() + text.size();
    return whole ? std::optional(number) : std::nullopt;
}

std::expected<Chosen, std::string> parse_one(std::string_view text) {
    const auto wrong = [&] {
        return std::unexpected(
            fmt::format("`{}` chooses no launches: expected KERNEL, KERNEL:N, KERNEL:N..M or :N..M", text));
    };
    Chosen chosen;
    const size_t colon = text.find(':');
    chosen.kernel = text.substr(0, colon);
    if (colon == std::string_view::npos)
        return chosen.kernel.empty() ? std::expected<Chosen, std::string>(wrong()) : chosen;
    const std::string_view range = text.substr(colon + 1);
    const size_t dots = range.find("..");
    const auto first = number_in(range.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : number_in(range.substr(dots + 2));
    if (!first || !last || *last < *first)
        return wrong();
    chosen.first = *first;
    chosen.last = *last;
    return chosen;
}

} // namespace

std::expected<Selection, std::string> parse_selection(std::string_view text) {
    Selection selection;
    while (!text.empty()) {
        const size_t comma = text.find(',');
        auto one = parse_one(text.substr(0, comma));
        if (!one)
            return std::unexpected(one.error());
        selection.push_back(std::move(*one));
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
    return selection;
}

bool is_chosen(const Selection& selection, std::string_view kernel, uint64_t number, uint64_t of_kernel) {
    return selection.empty() || std::ranges::any_of(selection, [&](const Chosen& chosen) {
               const uint64_t counted = chosen.kernel.empty() ? number : of_kernel;
               return (chosen.kernel.empty() || chosen.kernel == kernel) && chosen.first <= counted &&
                      counted <= chosen.last;
           });
}

} // namespace visor::capture
