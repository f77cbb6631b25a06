#include "cli/value/element.h"

#include "diagnostic/diagnostic.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace visor::cli {

namespace {

struct Digits {
    uint64_t magnitude = 0;
    bool negative = false;
    bool pattern = false; // hexadecimal or binary
};

std::expected<Digits, std::string> parse_digits(std::string_view text) {
    Digits digits;
    std::string_view rest = text;
    if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) {
        digits.negative = rest.front() == '-';
        rest.remove_prefix(1);
    }
    int radix = 10;
    if (rest.starts_with("0x") || rest.starts_with("0X"))
        radix = 16;
    else if (rest.starts_with("0b") || rest.starts_with("0B"))
        radix = 2;
    digits.pattern = radix != 10;
    if (digits.pattern)
        rest.remove_prefix(2);
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), digits.magnitude, radix);
    if (error == std::errc::result_out_of_range)
        return std::unexpected(fmt::format("`{}` does not fit 64 bits", text));
    if (error != std::errc{} || end != rest.data() + rest.size())
        return std::unexpected(fmt::format("`{}` is not a whole number", text));
    return digits;
}

std::string range_text(const ElementFacts& element) {
    const int bits = element.bytes * 8;
    const uint64_t highest =
        std::numeric_limits<uint64_t>::max() >> (64 - bits) >> (element.is_signed ? 1 : 0);
    return element.is_signed ? fmt::format("-{} to {}", highest + 1, highest)
                             : fmt::format("0 to {}", highest);
}

std::expected<uint64_t, std::string> parse_integer(std::string_view text, const ElementFacts& element) {
    const auto digits = parse_digits(text);
    if (!digits)
        return std::unexpected(digits.error());
    const uint64_t all = std::numeric_limits<uint64_t>::max() >> (64 - element.bytes * 8);
    const uint64_t highest = element.is_signed && (!digits->pattern || digits->negative) ? all >> 1 : all;
    const uint64_t lowest = element.is_signed ? (all >> 1) + 1 : 0; // magnitude of the most negative number
    if (digits->magnitude > (digits->negative ? lowest : highest))
        return std::unexpected(
            fmt::format("`{}` does not fit {} ({})", text, element.name, range_text(element)));
    return (digits->negative ? uint64_t{0} - digits->magnitude : digits->magnitude) & all;
}

template <class Float>
std::expected<Float, std::string> parse_float(std::string_view text, const char* type_name) {
    std::string_view rest = text;
    const bool negative = rest.starts_with('-');
    if (negative || rest.starts_with('+'))
        rest.remove_prefix(1);
    const bool hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    if (hexadecimal)
        rest.remove_prefix(2);
    // from_chars takes a sign of its own, and there was one already.
    const bool second_sign = rest.starts_with('-') || rest.starts_with('+');
    Float value = 0;
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), value,
                        hexadecimal ? std::chars_format::hex : std::chars_format::general);
    if (error == std::errc::invalid_argument || end != rest.data() + rest.size() || second_sign)
        return std::unexpected(fmt::format("`{}` is not a number", text));
    if (error == std::errc::result_out_of_range)
        return std::unexpected(fmt::format("`{}` is beyond what {} can hold", text, type_name));
    return negative ? -value : value;
}

// A decimal number's infinity can only come from rounding; the user who wants one writes inf.
template <class Float>
bool overflowed(double value, Float narrow) {
    return std::isfinite(value) && std::isinf(static_cast<double>(narrow));
}

float bf16_value(uint16_t bits) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

template <class T>
T load(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

} // namespace

std::optional<Element> element_named(std::string_view name) {
    for (size_t i = 0; i < element_facts.size(); ++i)
        if (name == element_facts[i].name)
            return static_cast<Element>(i);
    return std::nullopt;
}

std::vector<std::string_view> element_names() {
    std::vector<std::string_view> names;
    for (const ElementFacts& element : element_facts)
        names.emplace_back(element.name);
    return names;
}

std::string unknown_element(std::string_view name) {
    return fmt::format("`{}` is no element type{}; there are {}", name, did_you_mean(name, element_names()),
                       fmt::join(element_names(), " "));
}

std::optional<Element> element_of(isa::Type type) {
    for (size_t i = 0; i < element_facts.size(); ++i)
        if (type == element_facts[i].type)
            return static_cast<Element>(i);
    return std::nullopt;
}

bool alike(Element a, Element b) {
    if (facts(a).is_float || facts(b).is_float)
        return a == b;
    return size_of(a) == size_of(b);
}

// Rounding to odd first keeps the second rounding, to nearest even, from seeing a tie that was none.
uint16_t bf16_from(double value) {
    if (std::isnan(value))
        return 0x7fc0;
    const float near = static_cast<float>(value);
    auto bits = std::bit_cast<uint32_t>(near);
    if (static_cast<double>(near) != value) {
        if (std::fabs(static_cast<double>(near)) > std::fabs(value))
            bits -= 1;
        bits |= 1U;
    }
    return static_cast<uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}

std::expected<uint64_t, std::string> parse_number(std::string_view text, Element element) {
    const ElementFacts& type = facts(element);
    if (!type.is_float)
        return parse_integer(text, type);
    if (element == Element::f32) {
        const auto value = parse_float<float>(text, type.name);
        if (!value)
            return std::unexpected(value.error());
        return std::bit_cast<uint32_t>(*value);
    }
    const auto value = parse_float<double>(text, type.name);
    if (!value)
        return std::unexpected(value.error());
    const std::string too_large = fmt::format("`{}` is beyond what {} can hold", text, type.name);
    if (element == Element::f16) {
        const auto half = static_cast<_Float16>(*value);
        if (overflowed(*value, half))
            return std::unexpected(too_large);
        return std::bit_cast<uint16_t>(half);
    }
    if (element == Element::bf16) {
        const uint16_t bits = bf16_from(*value);
        if (overflowed(*value, bf16_value(bits)))
            return std::unexpected(too_large);
        return bits;
    }
    return std::bit_cast<uint64_t>(*value);
}

std::expected<uint64_t, std::string> parse_unsigned(std::string_view text) {
    return parse_number(text, Element::u64);
}

std::string number_text(const std::byte* bytes, Element element) {
    switch (element) {
    case Element::i8:
        return fmt::format("{}", static_cast<int>(load<int8_t>(bytes)));
    case Element::u8:
        return fmt::format("{}", static_cast<unsigned>(load<uint8_t>(bytes)));
    case Element::i16:
        return fmt::format("{}", load<int16_t>(bytes));
    case Element::u16:
        return fmt::format("{}", load<uint16_t>(bytes));
    case Element::i32:
        return fmt::format("{}", load<int32_t>(bytes));
    case Element::u32:
        return fmt::format("{}", load<uint32_t>(bytes));
    case Element::i64:
        return fmt::format("{}", load<int64_t>(bytes));
    case Element::u64:
        return fmt::format("{}", load<uint64_t>(bytes));
    case Element::f16:
        return fmt::format("{}", static_cast<float>(load<_Float16>(bytes)));
    case Element::bf16:
        return fmt::format("{}", bf16_value(load<uint16_t>(bytes)));
    case Element::f32:
        return fmt::format("{}", load<float>(bytes));
    case Element::f64:
        break;
    }
    return fmt::format("{}", load<double>(bytes));
}

} // namespace visor::cli
