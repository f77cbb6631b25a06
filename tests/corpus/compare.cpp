#include "compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

namespace visor::corpus {

namespace {

template <class T>
T at(const std::vector<std::byte>& data, size_t index) {
    T value{};
    std::memcpy(&value, &data[index * sizeof(T)], sizeof(T));
    return value;
}

template <class T>
double largest(const std::vector<std::byte>& data) {
    double found = 0;
    for (size_t i = 0; i < data.size() / sizeof(T); ++i) {
        const auto value = static_cast<double>(at<T>(data, i));
        if (std::isfinite(value))
            found = std::max(found, std::abs(value));
    }
    return found;
}

bool near(double a, double b, double scale) {
    if (a == b || (std::isnan(a) && std::isnan(b)))
        return true;
    return std::abs(a - b) <= std::max(std::max(std::abs(a), std::abs(b)) / 4096, scale / (1 << 20));
}

struct Count {
    size_t differences = 0;
    std::string first;

    void add(const std::string& text) {
        if (differences++ == 0)
            first = text;
    }
};

bool is_padding(const test::Argument& argument, size_t index) {
    return argument.type.ends_with("x3") && index % 4 == 3;
}

template <class T>
Count float_differences(const test::Argument& one, const test::Argument& other) {
    Count count;
    const double scale = std::max(largest<T>(one.data), largest<T>(other.data));
    for (size_t i = 0; i < one.data.size() / sizeof(T); ++i) {
        const auto a = static_cast<double>(at<T>(one.data, i));
        const auto b = static_cast<double>(at<T>(other.data, i));
        if (!near(a, b, scale) && !is_padding(one, i))
            count.add(fmt::format("element {}: {} and {}", i, a, b));
    }
    return count;
}

template <class T>
Count integer_differences(const test::Argument& one, const test::Argument& other) {
    Count count;
    for (size_t i = 0; i < one.data.size() / sizeof(T); ++i) {
        const T a = at<T>(one.data, i);
        const T b = at<T>(other.data, i);
        if (a != b && !is_padding(one, i))
            count.add(fmt::format("element {}: {:#x} and {:#x}", i, a, b));
    }
    return count;
}

Count word_differences(const test::Argument& one, const test::Argument& other) {
    Count count;
    for (size_t i = 0; i < one.data.size() / 4; ++i) {
        const auto a = at<uint32_t>(one.data, i);
        const auto b = at<uint32_t>(other.data, i);
        if (a != b && !near(static_cast<double>(at<float>(one.data, i)),
                            static_cast<double>(at<float>(other.data, i)), 0))
            count.add(fmt::format("word {}: {:#x} and {:#x}", i, a, b));
    }
    return count;
}

Count differences(const test::Argument& one, const test::Argument& other) {
    const std::string_view type = std::string_view(one.type).substr(0, one.type.find('x'));
    if (type == "f16")
        return float_differences<test::Half>(one, other);
    if (type == "f32")
        return float_differences<float>(one, other);
    if (type == "f64")
        return float_differences<double>(one, other);
    if (type == "u8")
        return integer_differences<uint8_t>(one, other);
    if (type == "u16")
        return integer_differences<uint16_t>(one, other);
    if (type == "u32")
        return integer_differences<uint32_t>(one, other);
    return type == "u64" ? integer_differences<uint64_t>(one, other) : word_differences(one, other);
}

} // namespace

std::string difference(const test::Launch& one, const test::Launch& other) {
    for (size_t i = 0; i < one.arguments.size(); ++i) {
        if (one.arguments[i].data == other.arguments[i].data)
            continue;
        if (const Count found = differences(one.arguments[i], other.arguments[i]); found.differences != 0)
            return fmt::format("argument {}: {} ({} differ)", i, found.first, found.differences);
    }
    return "";
}

bool identical(const test::Launch& one, const test::Launch& other) {
    return std::ranges::equal(one.arguments, other.arguments, {}, &test::Argument::data,
                              &test::Argument::data);
}

} // namespace visor::corpus
