#include "cli/launch/arguments.h"

#include <fmt/format.h>

namespace visor::cli {

namespace {

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

} // namespace

std::expected<std::vector<const ArgumentText*>, Failure>
match_arguments(const vm::KernelFacts& kernel, std::span<const ArgumentText> arguments) {
    std::vector<vm::Given> given;
    for (const ArgumentText& argument : arguments)
        given.push_back({argument.target, argument.text});
    const auto matched = vm::match(kernel, given);
    if (!matched)
        return invalid(matched.error());
    std::vector<const ArgumentText*> out;
    for (const std::optional<size_t>& index : *matched)
        out.push_back(index ? &arguments[*index] : nullptr);
    return out;
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
