#include "vm/match.h"

#include "diagnostic/diagnostic.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <system_error>

namespace visor::vm {

namespace {

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// An index beyond any list if there are too many digits.
size_t number_of(std::string_view digits) {
    size_t number = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return failed == std::errc() && end == digits.data() + digits.size() ? number : SIZE_MAX;
}

std::string_view noun(const KernelFacts& kernel) {
    return kernel.hand_written ? "input" : "argument";
}

std::string count_text(size_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

size_t needed(const KernelFacts& kernel) {
    return static_cast<size_t>(std::ranges::count(kernel.parameters, false, &Parameter::optional));
}

// The parameters without a value, or the superfluous VALUEs.
std::string wrong_count(const KernelFacts& kernel, size_t given,
                        std::span<const std::optional<size_t>> matched) {
    std::string missing;
    for (size_t i = 0; i < matched.size(); ++i)
        if (!matched[i] && !kernel.parameters[i].optional)
            missing += fmt::format("{}{}", missing.empty() ? ": missing " : ", ",
                                   parameter_text(i, kernel.parameters[i]));
    return fmt::format("kernel `{}` takes {}, given {}{}\n  {}", kernel.name,
                       count_text(needed(kernel), noun(kernel)), given, missing, signature_text(kernel));
}

} // namespace

std::string signature_text(const KernelFacts& kernel) {
    std::string list;
    for (const Parameter& parameter : kernel.parameters)
        list += fmt::format("{}{}{}{}", list.empty() ? "" : ", ", parameter.type_name,
                            parameter.name.empty() ? "" : " ", parameter.name);
    return fmt::format("{}({})", kernel.name, list);
}

std::string parameter_text(size_t index, const Parameter& parameter) {
    const bool input = parameter.kind == ParameterKind::variable ||
                       parameter.kind == ParameterKind::surface ||
                       parameter.kind == ParameterKind::state_sampler;
    return fmt::format("{} {}{}{}", input ? "input" : "argument", index,
                       parameter.name.empty() ? "" : fmt::format(" `{}`", parameter.name),
                       parameter.type_name.empty() ? "" : fmt::format(" ({})", parameter.type_name));
}

std::expected<size_t, std::string> find_parameter(const KernelFacts& kernel, std::string_view target) {
    const auto& parameters = kernel.parameters;
    if (is_number(target)) {
        if (const size_t index = number_of(target); index < parameters.size())
            return index;
        return std::unexpected(fmt::format("kernel `{}` has no {} {}: it has {}\n  {}", kernel.name,
                                           noun(kernel), target, count_text(parameters.size(), noun(kernel)),
                                           signature_text(kernel)));
    }
    std::vector<std::string_view> names;
    for (size_t i = 0; i < parameters.size(); ++i) {
        if (parameters[i].name == target)
            return i;
        names.emplace_back(parameters[i].name);
    }
    return std::unexpected(fmt::format("kernel `{}` has no {} `{}`{}\n  {}", kernel.name, noun(kernel),
                                       target, did_you_mean(target, names), signature_text(kernel)));
}

std::expected<std::vector<std::optional<size_t>>, std::string> match(const KernelFacts& kernel,
                                                                     std::span<const Given> given) {
    std::vector<std::optional<size_t>> matched(kernel.parameters.size());
    for (size_t i = 0; i < given.size(); ++i) {
        if (given[i].target.empty())
            continue;
        const auto index = find_parameter(kernel, given[i].target);
        if (!index)
            return std::unexpected(index.error());
        if (matched[*index])
            return std::unexpected(fmt::format("{} is given twice: `{}` and `{}`",
                                               parameter_text(*index, kernel.parameters[*index]),
                                               given[*matched[*index]].text, given[i].text));
        matched[*index] = i;
    }
    const auto waits = [&](size_t place) { return !matched[place] && !kernel.parameters[place].optional; };
    size_t next = 0;
    for (size_t i = 0; i < given.size(); ++i) {
        if (!given[i].target.empty())
            continue;
        while (next < matched.size() && !waits(next))
            ++next;
        if (next == matched.size())
            return std::unexpected(wrong_count(kernel, given.size(), matched));
        matched[next] = i;
    }
    for (size_t place = 0; place < matched.size(); ++place)
        if (waits(place))
            return std::unexpected(wrong_count(kernel, given.size(), matched));
    return matched;
}

} // namespace visor::vm
