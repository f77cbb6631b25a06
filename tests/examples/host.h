// What the checks of the examples share: building launches, comparison, and numbers. Everything that an
// example's result is compared with is computed in plain C++ by the check and never comes from Visor.
#pragma once

#include "examples/launch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <span>
#include <string_view>

namespace visor::test {

// One example on one device. A check runs one or several launches of its kernels.
class Example {
public:
    // Carries a launch out; its arrays then hold what the kernel left in them.
    using Run = std::function<bool(const Place& place, Launch& launch)>;
    Example(Place place, Run run) : place_(std::move(place)), run_(std::move(run)) {}

    // A new launch; what the last one left is forgotten.
    Example& kernel(const std::string& name) {
        launch_ = Launch{};
        launch_.kernel = name;
        return *this;
    }
    Example& options(const std::string& text) {
        launch_.options = text;
        return *this;
    }
    Example& sizes(size_t global, size_t local) { return sizes({global, 1, 1}, {local, 1, 1}, 1); }
    Example& sizes(const Sizes& global, const Sizes& local, unsigned dimensions) {
        launch_.global = global;
        launch_.local = local;
        launch_.dimensions = dimensions;
        return *this;
    }
    Example& offset(const Sizes& offset) {
        launch_.offset = offset;
        return *this;
    }
    // An array argument with this content; `result` tells what it holds after the run.
    template <class T>
    Example& array(const std::vector<T>& values) {
        const auto bytes = std::as_bytes(std::span(values));
        launch_.arguments.push_back(
            {Argument::Kind::array, type_name<T>(), std::vector<std::byte>(bytes.begin(), bytes.end())});
        return *this;
    }
    template <class T>
    Example& zeros(size_t count) {
        return array(std::vector<T>(count));
    }
    // A number, a vector or a struct by value.
    template <class T>
    Example& value(const T& value) {
        const auto bytes = std::as_bytes(std::span(&value, 1));
        launch_.arguments.push_back(
            {Argument::Kind::value, type_name<T>(), std::vector<std::byte>(bytes.begin(), bytes.end())});
        return *this;
    }
    // A two-dimensional image with this content; `result` tells what it holds after the run.
    Example& image(const std::string& format, size_t width, size_t height,
                   const std::vector<uint8_t>& pixels) {
        const auto bytes = std::as_bytes(std::span(pixels));
        launch_.arguments.push_back({.kind = Argument::Kind::image,
                                     .type = format,
                                     .data = std::vector<std::byte>(bytes.begin(), bytes.end()),
                                     .width = width,
                                     .height = height});
        return *this;
    }
    Example& sampler(const std::string& properties) {
        launch_.arguments.push_back({.kind = Argument::Kind::sampler, .type = properties});
        return *this;
    }
    Example& local_memory(size_t bytes) {
        launch_.arguments.push_back({.kind = Argument::Kind::local, .local_bytes = bytes});
        return *this;
    }

    [[nodiscard]] bool run() { return run_(place_, launch_); }
    template <class T>
    [[nodiscard]] std::vector<T> result(size_t index) const {
        const std::vector<std::byte>& data = launch_.arguments.at(index).data;
        std::vector<T> values(data.size() / sizeof(T));
        std::memcpy(values.data(), data.data(), values.size() * sizeof(T));
        return values;
    }
    [[nodiscard]] const std::string& said() const { return launch_.said; }

private:
    Place place_;
    Run run_;
    Launch launch_;
};

// The check of the example of this name: true when all that it looked at was right.
struct Check {
    std::string_view name;
    bool (*passes)(Example& example);
};

// By theme, each in the file of its name.
[[nodiscard]] std::span<const Check> basic_checks();
[[nodiscard]] std::span<const Check> integer_checks();
[[nodiscard]] std::span<const Check> floating_checks();
[[nodiscard]] std::span<const Check> math_checks();
[[nodiscard]] std::span<const Check> vector_checks();
[[nodiscard]] std::span<const Check> atomic_checks();
[[nodiscard]] std::span<const Check> memory_checks();
[[nodiscard]] std::span<const Check> group_checks();
[[nodiscard]] std::span<const Check> flow_checks();
[[nodiscard]] std::span<const Check> sorting_checks();
[[nodiscard]] std::span<const Check> hashing_checks();
[[nodiscard]] std::span<const Check> linear_checks();
[[nodiscard]] std::span<const Check> grid_checks();
[[nodiscard]] std::span<const Check> search_checks();
[[nodiscard]] std::span<const Check> function_checks();
[[nodiscard]] std::span<const Check> picture_checks();
[[nodiscard]] std::vector<Check> all_checks();

// A number as text, also a half or a byte.
template <class T>
[[nodiscard]] auto printable(T value) {
    if constexpr (std::is_same_v<T, Half>)
        return static_cast<float>(value);
    else
        return +value;
}

// Exactly equal, bit by bit; the first difference is named.
template <class T>
[[nodiscard]] bool same(std::string_view what, const std::vector<T>& got, const std::vector<T>& expected) {
    if (got.size() != expected.size()) {
        std::cout << what << ": " << got.size() << " elements, expected " << expected.size() << '\n';
        return false;
    }
    for (size_t i = 0; i < got.size(); ++i) {
        if (!std::ranges::equal(std::as_bytes(std::span(&got[i], 1)),
                                std::as_bytes(std::span(&expected[i], 1)))) {
            std::cout << what << '[' << i << "] is " << printable(got[i]) << ", expected "
                      << printable(expected[i]) << '\n';
            return false;
        }
    }
    std::cout << what << ": " << got.size() << " elements equal\n";
    return true;
}

// The distance between a T and the next one at `value`; T has `digits` of them and least exponent `least`.
template <class T>
[[nodiscard]] long double ulp_at(long double value) {
    constexpr int digits = sizeof(T) == 2 ? 11 : std::numeric_limits<T>::digits;
    constexpr int least = sizeof(T) == 2 ? -24 : std::numeric_limits<T>::min_exponent - digits;
    int exponent = 0;
    std::frexp(value, &exponent);
    return std::ldexp(1.0L, std::max(exponent - digits, least));
}

// Distance from the exact value, in units of the last place of T there, of at most `ulps`. A value beyond T's
// range must be an infinity, a NaN a NaN.
template <class T>
[[nodiscard]] bool within_ulps(std::string_view what, const std::vector<T>& got,
                               const std::vector<long double>& expected, double ulps) {
    if (got.size() != expected.size()) {
        std::cout << what << ": " << got.size() << " elements, expected " << expected.size() << '\n';
        return false;
    }
    long double worst = 0;
    for (size_t i = 0; i < got.size(); ++i) {
        const auto value = static_cast<long double>(got[i]);
        if (static_cast<long double>(static_cast<T>(expected[i])) == value ||
            (std::isnan(expected[i]) && std::isnan(value)))
            continue;
        const long double distance = std::fabs(value - expected[i]) / ulp_at<T>(expected[i]);
        if (!(distance <= static_cast<long double>(ulps))) {
            std::cout << what << '[' << i << "] is " << value << ", expected " << expected[i] << " ("
                      << distance << " ulp, allowed are " << ulps << ")\n";
            return false;
        }
        worst = std::max(worst, distance);
    }
    std::cout << what << ": " << got.size() << " elements within " << worst << " ulp of " << ulps << '\n';
    return true;
}

// At most so far from the exact value, for functions whose relative error is not bounded.
template <class T>
[[nodiscard]] bool within(std::string_view what, const std::vector<T>& got,
                          const std::vector<long double>& expected, double distance) {
    if (got.size() != expected.size()) {
        std::cout << what << ": " << got.size() << " elements, expected " << expected.size() << '\n';
        return false;
    }
    for (size_t i = 0; i < got.size(); ++i) {
        if (!(std::fabs(static_cast<long double>(got[i]) - expected[i]) <=
              static_cast<long double>(distance))) {
            std::cout << what << '[' << i << "] is " << got[i] << ", expected " << expected[i]
                      << ", allowed is a distance of " << distance << '\n';
            return false;
        }
    }
    std::cout << what << ": " << got.size() << " elements within " << distance << '\n';
    return true;
}

// `of(i)` for each element, one result or row of results after the other.
template <class T, class Of>
[[nodiscard]] std::vector<T> rows(size_t count, Of of) {
    std::vector<T> all;
    for (size_t i = 0; i < count; ++i) {
        for (const T value : of(i))
            all.push_back(value);
    }
    return all;
}
template <class T, class Of>
[[nodiscard]] std::vector<T> each(size_t count, Of of) {
    std::vector<T> all;
    for (size_t i = 0; i < count; ++i)
        all.push_back(of(i));
    return all;
}
// Part `index` of rows of `width` each.
template <class T>
[[nodiscard]] std::vector<T> column(const std::vector<T>& values, size_t index, size_t width) {
    return each<T>(values.size() / width, [&](size_t i) { return values[i * width + index]; });
}
// Part `index` of parts of `length` each.
template <class T>
[[nodiscard]] std::vector<T> slice(const std::vector<T>& values, size_t index, size_t length) {
    return each<T>(length, [&](size_t i) { return values[index * length + i]; });
}

// The same numbers on every machine.
class Numbers {
public:
    explicit Numbers(uint32_t seed) : state_(seed) {}
    uint32_t next() { // 24 bits
        state_ = state_ * 1664525U + 1013904223U;
        return state_ >> 8U;
    }
    uint32_t bits32() { return next() << 16U ^ next(); }
    uint64_t bits64() { return uint64_t{bits32()} << 32U | bits32(); }
    // In [0, 1), a multiple of 2^-16.
    float unit() { return static_cast<float>(next() & 0xffffU) / 65536.0F; }
    float between(float low, float high) { return low + (high - low) * unit(); }
    int32_t below(uint32_t limit) { return static_cast<int32_t>(next() % limit); }

    // All bits at random, every eighth number near a limit of T.
    template <class T>
    std::vector<T> integers(size_t count) {
        std::vector<T> values(count);
        for (size_t i = 0; i < count; ++i)
            values[i] = static_cast<T>(bits64());
        constexpr T low = std::numeric_limits<T>::min();
        constexpr T high = std::numeric_limits<T>::max();
        constexpr std::array<T, 6> edges{0, 1, static_cast<T>(-1), low, high, static_cast<T>(high - 1)};
        for (size_t i = 0; i * 8 < count; ++i)
            values[i * 8] = edges[i % edges.size()];
        return values;
    }
    std::vector<float> floats(size_t count, float low, float high) {
        std::vector<float> values(count);
        for (float& value : values)
            value = between(low, high);
        return values;
    }

private:
    uint32_t state_;
};

} // namespace visor::test
