// Integer arithmetic and the integer functions of OpenCL C (its specification, 6.15.3), with the host's 64-
// and 128-bit integers, in which nothing overflows.
#include "examples/host.h"

#include <algorithm>
#include <bit>

namespace visor::test {

namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

// The nearest T.
template <class T>
T saturated(int64_t value) {
    return static_cast<T>(
        std::clamp<int64_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

template <class T>
T high_half(T a, T b) {
    return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b) >> 8 * sizeof(T));
}

bool long_arithmetic(Example& example) {
    constexpr size_t count = 128;
    Numbers numbers(11);
    const auto left = numbers.integers<int64_t>(count);
    auto right = numbers.integers<int64_t>(count);
    right[9] = left[9];
    const auto expected = rows<int64_t>(count, [&](size_t i) {
        const int64_t a = left[i], b = right[i];
        const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
        const unsigned shift = static_cast<unsigned>(b) & 63U;
        const auto as_signed = [](uint64_t bits) { return static_cast<int64_t>(bits); };
        return std::array{as_signed(ua + ub),
                          as_signed(ua - ub),
                          as_signed(ua * ub),
                          as_signed(ua << shift),
                          a >> shift,
                          as_signed(ua >> shift),
                          int64_t{a < b} | int64_t{ua < ub} << 1 | int64_t{a == b} << 2 |
                              int64_t{a >= ~b} << 3,
                          std::max(a, b) ^ std::min(a, ~b) ^ as_signed(a < 0 ? -ua : ua)};
    });
    example.kernel("long_arithmetic").sizes(count, 64);
    example.zeros<int64_t>(expected.size()).array(left).array(right);
    return example.run() && same("out", example.result<int64_t>(0), expected);
}

// Divisors of all lengths; neither zero nor the one quotient that no long can hold.
bool long_division(Example& example) {
    constexpr size_t count = 128;
    Numbers numbers(12);
    const auto left = numbers.integers<int64_t>(count);
    auto right = numbers.integers<int64_t>(count);
    for (size_t i = 0; i < count; ++i) {
        right[i] >>= i % 61;
        if (right[i] == 0 || (right[i] == -1 && left[i] == std::numeric_limits<int64_t>::min()))
            right[i] = 3;
    }
    const auto of_signed =
        rows<int64_t>(count, [&](size_t i) { return std::array{left[i] / right[i], left[i] % right[i]}; });
    const auto of_unsigned = rows<uint64_t>(count, [&](size_t i) {
        const auto a = static_cast<uint64_t>(left[i]), b = static_cast<uint64_t>(right[i]);
        return std::array{a / b, a % b};
    });
    example.kernel("long_division").sizes(count, 64).zeros<int64_t>(2 * count).zeros<uint64_t>(2 * count);
    example.array(left).array(right);
    return example.run() && same("signed", example.result<int64_t>(0), of_signed) &&
           same("unsigned", example.result<uint64_t>(1), of_unsigned);
}

template <class T>
std::array<uint32_t, 2> narrow_division(uint32_t left, uint32_t right) {
    const int a = static_cast<T>(left), b = static_cast<T>(right | 1U);
    return {static_cast<uint32_t>(a / b), static_cast<uint32_t>(a % b)};
}

bool int_division(Example& example) {
    constexpr size_t count = 128;
    Numbers numbers(13);
    const auto left = numbers.integers<uint32_t>(count);
    auto right = numbers.integers<uint32_t>(count);
    for (size_t i = 0; i < count; ++i) {
        right[i] >>= i % 29;
        if (right[i] == 0 || right[i] == 0xffffffffU)
            right[i] = 10;
    }
    const auto expected = rows<uint32_t>(count, [&](size_t i) {
        const uint32_t a = left[i], b = right[i];
        const auto sa = static_cast<int32_t>(~a), sb = static_cast<int32_t>(b);
        const auto us = narrow_division<uint16_t>(a, b), s = narrow_division<int16_t>(a, b);
        const auto uc = narrow_division<uint8_t>(a, b), c = narrow_division<int8_t>(a, b);
        return std::array{a / b,
                          a % b,
                          static_cast<uint32_t>(sa / sb),
                          static_cast<uint32_t>(sa % sb),
                          us[0],
                          us[1],
                          s[0],
                          s[1],
                          uc[0],
                          uc[1],
                          c[0],
                          c[1]};
    });
    example.kernel("int_division").sizes(count, 64);
    example.zeros<uint32_t>(expected.size()).array(left).array(right);
    return example.run() && same("out", example.result<uint32_t>(0), expected);
}

template <class T>
uint64_t high_half_of(uint64_t a, uint64_t b) {
    return static_cast<uint64_t>(high_half(static_cast<T>(a), static_cast<T>(b)));
}

bool multiply_high(Example& example) {
    constexpr size_t count = 128;
    Numbers numbers(14);
    const auto left = numbers.integers<uint64_t>(count);
    const auto right = numbers.integers<uint64_t>(count);
    const auto expected = rows<uint64_t>(count, [&](size_t i) {
        const uint64_t a = left[i], b = right[i];
        // The unsigned product of 64 bits fills 128 bits without a sign.
        const auto whole = static_cast<UnsignedWide>(a) * b;
        const auto sum = static_cast<uint32_t>(high_half_of<int32_t>(a, b)) + static_cast<uint32_t>(a >> 32U);
        return std::array{static_cast<uint64_t>(whole >> 64U),
                          high_half_of<int64_t>(a, b),
                          high_half_of<uint32_t>(a, b),
                          high_half_of<int32_t>(a, b),
                          high_half_of<uint16_t>(a, b),
                          high_half_of<int16_t>(a, b),
                          high_half_of<uint8_t>(a, b),
                          high_half_of<int8_t>(a, b),
                          static_cast<uint64_t>(static_cast<int32_t>(sum))};
    });
    example.kernel("multiply_high").sizes(count, 64);
    example.zeros<uint64_t>(expected.size()).array(left).array(right);
    return example.run() && same("out", example.result<uint64_t>(0), expected);
}

bool integer_builtins(Example& example) {
    constexpr size_t count = 256;
    Numbers numbers(15);
    const auto first = numbers.integers<int32_t>(count);
    auto second = numbers.integers<int32_t>(count);
    std::ranges::rotate(second, second.begin() + 8); // limits meet other limits
    const auto third = numbers.integers<int32_t>(count);
    const auto expected = rows<int32_t>(count, [&](size_t i) {
        const int64_t a = first[i], b = second[i], c = third[i];
        const auto ua = static_cast<uint32_t>(a), ub = static_cast<uint32_t>(b);
        const int64_t la = ua, lb = ub; // the unsigned numbers, where sums fit
        const auto low = [](int64_t value) { return static_cast<int32_t>(value); };
        return std::array{low((a >> 8) * (b >> 8)),
                          low((a >> 8) * (b >> 8) + c),
                          low((la >> 8) * (lb >> 8)),
                          low(std::rotl(ua, static_cast<int>(ub & 31U))),
                          std::popcount(ua),
                          std::countl_zero(static_cast<uint32_t>(a >> (ub & 31U))),
                          low((a + b) >> 1),
                          low((a + b + 1) >> 1),
                          low((la + lb) >> 1),
                          low((la + lb + 1) >> 1),
                          low(std::abs(a - b)),
                          saturated<int32_t>(a + b),
                          saturated<int32_t>(a - b),
                          low(saturated<uint32_t>(la + lb)),
                          low(saturated<uint32_t>(la - lb)),
                          low(a << 16 | (lb & 0xffff)),
                          low(std::clamp(a, std::min(b, c), std::max(b, c))),
                          saturated<int32_t>((a >> 12) * (b >> 12) + c)};
    });
    example.kernel("integer_builtins").sizes(count, 64);
    example.zeros<int32_t>(expected.size()).array(first).array(second).array(third);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

template <class T>
std::array<T, 6> of_narrow(T a, T b) {
    using Unsigned = std::make_unsigned_t<T>;
    const auto ua = static_cast<Unsigned>(a);
    const unsigned shift = static_cast<unsigned>(b) % (8 * sizeof(T));
    return {static_cast<T>(a + b),
            static_cast<T>(a * b),
            saturated<T>(a + b),
            saturated<T>(a - b),
            static_cast<T>(std::rotl(ua, static_cast<int>(shift))),
            static_cast<T>(std::countl_zero(ua))};
}

bool small_integers(Example& example) {
    constexpr size_t count = 256;
    Numbers numbers(16);
    const auto left = numbers.integers<int16_t>(count);
    auto right = numbers.integers<int16_t>(count);
    std::ranges::rotate(right, right.begin() + 8);
    const auto bytes = rows<int8_t>(count, [&](size_t i) {
        const auto a = static_cast<int8_t>(left[i]), b = static_cast<int8_t>(right[i]);
        const auto six = of_narrow(a, b);
        const unsigned ua = static_cast<uint8_t>(a), ub = static_cast<uint8_t>(b);
        return std::array{six[0],
                          six[1],
                          six[2],
                          six[3],
                          six[4],
                          six[5],
                          static_cast<int8_t>(std::popcount(ua)),
                          static_cast<int8_t>((ua + ub) >> 1U)};
    });
    const auto words = rows<int16_t>(count, [&](size_t i) {
        const auto six = of_narrow(left[i], right[i]);
        const unsigned ua = static_cast<uint16_t>(left[i]), ub = static_cast<uint16_t>(right[i]);
        return std::array{six[0],
                          six[1],
                          six[2],
                          six[3],
                          six[4],
                          six[5],
                          static_cast<int16_t>((ua + ub + 1) >> 1U),
                          static_cast<int16_t>(std::abs(left[i] - right[i]))};
    });
    example.kernel("small_integers").sizes(count, 64).zeros<int8_t>(8 * count).zeros<int16_t>(8 * count);
    example.array(left).array(right);
    return example.run() && same("bytes", example.result<int8_t>(0), bytes) &&
           same("words", example.result<int16_t>(1), words);
}

bool bit_select(Example& example) {
    constexpr size_t count = 128;
    Numbers numbers(17);
    const auto first = numbers.integers<uint32_t>(count);
    const auto second = numbers.integers<uint32_t>(count);
    const auto third = numbers.integers<uint32_t>(count);
    const auto expected = rows<uint32_t>(count, [&](size_t i) {
        const uint32_t a = first[i], b = second[i], c = third[i];
        uint32_t chosen = 0, morton = 0, reversed = 0;
        const std::array masks{a, b, c, ~a};
        for (uint32_t lane = 0; lane < 4; ++lane)
            chosen += (lane + 1) * (masks[lane] >> 31U != 0 ? 10 : 1);
        for (unsigned bit = 0; bit < 32; ++bit) {
            morton |= ((bit % 2 == 0 ? a : b) >> bit / 2 & 1U) << bit;
            reversed |= (a >> bit & 1U) << (31 - bit);
        }
        return std::array{(a & ~c) | (b & c),
                          (c & 1U) != 0 ? b : a,
                          chosen,
                          (a | b) >> 31U | (a & b) >> 31U << 1U,
                          morton,
                          reversed ^ (c == 0 ? 0 : 1U << static_cast<unsigned>(std::countr_zero(c)))};
    });
    example.kernel("bit_select").sizes(count, 64);
    example.zeros<uint32_t>(expected.size()).array(first).array(second).array(third);
    return example.run() && same("out", example.result<uint32_t>(0), expected);
}

} // namespace

std::span<const Check> integer_checks() {
    static constexpr std::array checks{Check{"long_arithmetic", long_arithmetic},
                                       Check{"long_division", long_division},
                                       Check{"int_division", int_division},
                                       Check{"multiply_high", multiply_high},
                                       Check{"integer_builtins", integer_builtins},
                                       Check{"small_integers", small_integers},
                                       Check{"bit_select", bit_select}};
    return checks;
}

} // namespace visor::test
