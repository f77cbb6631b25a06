#include "cli/arguments.h"

#include "diagnostic/diagnostic.h"

#include <algorithm>
#include <fmt/format.h>

namespace visor::cli {

namespace {

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string_view noun(const vm::KernelFacts& kernel) {
    return kernel.hand_written ? "input" : "argument";
}

std::expected<void, std::string> check_types(const Numbers& numbers, Element element) {
    for (const Number& number : numbers)
        if (number.element && !alike(*number.element, element))
            return std::unexpected(fmt::format("takes {}, given `{}:{}`", name_of(element),
                                               name_of(*number.element), number.text));
    return {};
}

std::string count_text(size_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

size_t needed(const vm::KernelFacts& kernel) {
    return static_cast<size_t>(std::ranges::count(kernel.parameters, false, &vm::Parameter::optional));
}

// The parameters that got nothing, or the VALUEs that nothing takes.
Failure wrong_count(const vm::KernelFacts& kernel, size_t given,
                    std::span<const ArgumentText* const> matched) {
    std::string missing;
    for (size_t i = 0; i < matched.size(); ++i)
        if (matched[i] == nullptr && !kernel.parameters[i].optional)
            missing += fmt::format("{}{}", missing.empty() ? ": missing " : ", ",
                                   parameter_text(i, kernel.parameters[i]));
    return {ExitCode::invalid,
            fmt::format("kernel `{}` takes {}, given {}{}\n  {}", kernel.name,
                        count_text(needed(kernel), noun(kernel)), given, missing, signature_text(kernel))};
}

} // namespace

std::string signature_text(const vm::KernelFacts& kernel) {
    std::string list;
    for (const vm::Parameter& parameter : kernel.parameters)
        list += fmt::format("{}{}{}{}", list.empty() ? "" : ", ", parameter.type_name,
                            parameter.name.empty() ? "" : " ", parameter.name);
    return fmt::format("{}({})", kernel.name, list);
}

std::string parameter_text(size_t index, const vm::Parameter& parameter) {
    const bool input = parameter.kind == vm::ParameterKind::variable ||
                       parameter.kind == vm::ParameterKind::surface ||
                       parameter.kind == vm::ParameterKind::state_sampler;
    return fmt::format("{} {}{}{}", input ? "input" : "argument", index,
                       parameter.name.empty() ? "" : fmt::format(" `{}`", parameter.name),
                       parameter.type_name.empty() ? "" : fmt::format(" ({})", parameter.type_name));
}

std::expected<size_t, std::string> find_parameter(const vm::KernelFacts& kernel, std::string_view target) {
    const auto& parameters = kernel.parameters;
    if (is_number(target)) {
        const auto index = parse_unsigned(target);
        if (index && *index < parameters.size())
            return static_cast<size_t>(*index);
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

std::expected<std::vector<const ArgumentText*>, Failure>
match_arguments(const vm::KernelFacts& kernel, std::span<const ArgumentText> arguments) {
    std::vector<const ArgumentText*> matched(kernel.parameters.size(), nullptr);
    for (const ArgumentText& argument : arguments) {
        if (argument.target.empty())
            continue;
        const auto index = find_parameter(kernel, argument.target);
        if (!index)
            return invalid(index.error());
        if (matched[*index] != nullptr)
            return invalid(fmt::format("{} is given twice: `{}` and `{}`",
                                       parameter_text(*index, kernel.parameters[*index]),
                                       matched[*index]->text, argument.text));
        matched[*index] = &argument;
    }
    const auto waits = [&](const ArgumentText* const& place) {
        return place == nullptr && !kernel.parameters[static_cast<size_t>(&place - matched.data())].optional;
    };
    auto next = matched.begin();
    for (const ArgumentText& argument : arguments) {
        if (!argument.target.empty())
            continue;
        next = std::find_if(next, matched.end(), waits);
        if (next == matched.end())
            return std::unexpected(wrong_count(kernel, arguments.size(), matched));
        *next++ = &argument;
    }
    if (std::ranges::any_of(matched, waits))
        return std::unexpected(wrong_count(kernel, arguments.size(), matched));
    return matched;
}

std::expected<std::vector<std::byte>, std::string> value_bytes(const vm::Parameter& parameter,
                                                               const Numbers& numbers) {
    const auto element = parameter.element_known ? element_of(parameter.element) : std::nullopt;
    if (!element) {
        auto bytes = struct_bytes(numbers);
        if (bytes && bytes->size() != parameter.bytes)
            return std::unexpected(fmt::format(
                "has {} bytes, the numbers given make {}; write its members as TYPE:number, separated by "
                "commas, or use bytes:@file",
                parameter.bytes, bytes->size()));
        return bytes;
    }
    if (auto good = check_types(numbers, *element); !good)
        return std::unexpected(good.error());
    // OpenCL's three-element vectors have room for four.
    const bool three = parameter.type_name.ends_with('3') && parameter.elements == 4;
    const size_t wanted = three ? 3 : parameter.elements;
    if (numbers.size() != wanted)
        return std::unexpected(fmt::format("takes {}, given {}", count_text(wanted, "number"),
                                           count_text(numbers.size(), "number")));
    auto bytes = number_bytes(numbers, *element);
    if (bytes)
        bytes->resize(parameter.bytes);
    return bytes;
}

std::expected<std::vector<std::byte>, std::string> variable_bytes(const vm::Parameter& parameter,
                                                                  const Numbers& numbers) {
    const auto element = element_of(parameter.element);
    if (!element)
        return std::unexpected("has a type that numbers do not fill; use bytes:@file");
    for (const Number& number : numbers)
        if (number.element && size_of(*number.element) != size_of(*element))
            return std::unexpected(fmt::format("has elements of {} bytes, given `{}:{}`", size_of(*element),
                                               name_of(*number.element), number.text));
    auto bytes = number_bytes(numbers, *element);
    if (bytes && bytes->size() > parameter.bytes)
        return std::unexpected(fmt::format("has room for {} bytes, given {}", parameter.bytes,
                                           count_text(numbers.size(), "number")));
    if (bytes)
        bytes->resize(parameter.bytes);
    return bytes;
}

} // namespace visor::cli
