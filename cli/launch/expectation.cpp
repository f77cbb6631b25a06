#include "cli/launch/expectation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace visor::cli {

namespace {

template <class T>
T load(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

uint64_t bits_of(const std::byte* bytes, Element element) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes, size_of(element));
    return bits;
}

// Exact in a double for every float type.
double float_value(const std::byte* bytes, Element element) {
    switch (element) {
    case Element::f16:
        return static_cast<double>(load<_Float16>(bytes));
    case Element::bf16: {
        const uint32_t wide = static_cast<uint32_t>(load<uint16_t>(bytes)) << 16U;
        float value = 0;
        std::memcpy(&value, &wide, sizeof value);
        return static_cast<double>(value);
    }
    case Element::f32:
        return static_cast<double>(load<float>(bytes));
    default:
        return load<double>(bytes);
    }
}

// Floats of one type in the order of their values, both zeros at 0: neighbours are one apart.
int64_t rank(uint64_t bits, Element element) {
    const uint64_t sign = uint64_t{1} << (size_of(element) * 8U - 1U);
    const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
    return (bits & sign) != 0 ? -magnitude : magnitude;
}

uint64_t distance(int64_t a, int64_t b) {
    return a > b ? static_cast<uint64_t>(a) - static_cast<uint64_t>(b)
                 : static_cast<uint64_t>(b) - static_cast<uint64_t>(a);
}

bool is_near(double difference, double expected, const Tolerance& tolerance) {
    return (tolerance.absolute && difference <= *tolerance.absolute) ||
           (tolerance.relative && difference <= *tolerance.relative * std::fabs(expected));
}

bool is_float_good(const std::byte* got, const std::byte* expected, Element element,
                   const Tolerance& tolerance) {
    const double a = float_value(got, element);
    const double b = float_value(expected, element);
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) && std::isnan(b);
    if (a == b)
        return true;
    if (std::isinf(a) || std::isinf(b)) // infinitely far from every other number
        return false;
    if (tolerance.ulps && distance(rank(bits_of(got, element), element),
                                   rank(bits_of(expected, element), element)) <= *tolerance.ulps)
        return true;
    return is_near(std::fabs(a - b), b, tolerance);
}

bool is_integer_good(const std::byte* got, const std::byte* expected, Element element,
                     const Tolerance& tolerance) {
    const uint64_t a = bits_of(got, element);
    const uint64_t b = bits_of(expected, element);
    if (a == b)
        return true;
    if (!facts(element).is_signed)
        return is_near(static_cast<double>(a > b ? a - b : b - a), static_cast<double>(b), tolerance);
    const unsigned unused = 64 - size_of(element) * 8U;
    const int64_t left = static_cast<int64_t>(a << unused) >> unused;
    const int64_t right = static_cast<int64_t>(b << unused) >> unused;
    return is_near(static_cast<double>(distance(left, right)), static_cast<double>(right), tolerance);
}

} // namespace

std::optional<Difference> compare(Element element, std::span<const std::byte> got,
                                  std::span<const std::byte> expected, const Tolerance& tolerance) {
    const size_t size = size_of(element);
    const bool is_float = facts(element).is_float;
    Difference found;
    for (size_t at = 0; at + size <= std::min(got.size(), expected.size()); at += size) {
        const std::byte* const a = got.data() + at;
        const std::byte* const b = expected.data() + at;
        if (std::memcmp(a, b, size) == 0)
            continue;
        if (!tolerance.bits &&
            (is_float ? is_float_good(a, b, element, tolerance) : is_integer_good(a, b, element, tolerance)))
            continue;
        if (found.count++ == 0) {
            found.index = at / size;
            found.got = number_text(a, element);
            found.expected = number_text(b, element);
            if (found.got == found.expected) { // two NaN
                found.got += fmt::format(" (bits {:#x})", bits_of(a, element));
                found.expected += fmt::format(" (bits {:#x})", bits_of(b, element));
            }
        }
    }
    return found.count == 0 ? std::nullopt : std::optional(std::move(found));
}

} // namespace visor::cli
