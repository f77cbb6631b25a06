// Float arithmetic with one right answer: each operation rounded by itself, conversions, comparisons, parts
// of numbers. The host's own IEEE 754 arithmetic says what it is.
#include "examples/host.h"

#include <algorithm>
#include <bit>

namespace visor::test {

namespace {

enum class Rounding : uint8_t { nearest, zero, up, down };

// The T (of unsigned bits U) that `value` rounds to, from the nearest one: at most one step away.
template <class T, class U>
T rounded(double value, Rounding rounding) {
    const T nearest = static_cast<T>(value);
    const auto near = static_cast<double>(nearest);
    const bool too_high =
        near > value && (rounding == Rounding::down || (rounding == Rounding::zero && value > 0));
    const bool too_low =
        near < value && (rounding == Rounding::up || (rounding == Rounding::zero && value < 0));
    if (!too_high && !too_low)
        return nearest;
    const U sign = U{1} << (8 * sizeof(U) - 1);
    const U bits = std::bit_cast<U>(nearest);
    if ((bits & ~sign) == 0) // from zero to the smallest number
        return std::bit_cast<T>(static_cast<U>(too_high ? sign | 1U : 1U));
    const bool away = too_low == ((bits & sign) == 0);
    return std::bit_cast<T>(static_cast<U>(away ? bits + 1U : bits - 1U));
}

// Halves of either sign, from 2^-5 to 2^5, and sometimes a special one.
std::vector<Half> some_halves(Numbers& numbers, size_t count) {
    constexpr std::array<uint16_t, 6> special{0x0001, 0x83ff, 0x7bff, 0x0000, 0xfbff, 0x3c00};
    return each<Half>(count, [&](size_t i) {
        const uint32_t bits = (numbers.next() & 0x83ffU) | (10U + numbers.next() % 11U) << 10U;
        return std::bit_cast<Half>(i % 8 == 0 ? special[i / 8 % special.size()]
                                              : static_cast<uint16_t>(bits));
    });
}

bool half_arithmetic(Example& example) {
    constexpr size_t count = 128;
    Numbers numbers(21);
    const auto left = some_halves(numbers, count);
    auto right = some_halves(numbers, count);
    for (size_t i = 0; i < count; i += 8)
        right[i] = static_cast<Half>(1.25F);
    const auto half = [](float value) { return static_cast<Half>(value); };
    const auto expected = rows<Half>(count, [&](size_t i) {
        const auto a = static_cast<float>(left[i]), b = static_cast<float>(right[i]);
        const float twice = static_cast<float>(half(2 * a));
        return std::array{half(a + b),
                          half(a - b),
                          half(a * b),
                          static_cast<Half>(static_cast<double>(a) * static_cast<double>(b) + 0.5),
                          half(0),
                          half(0),
                          half(std::min(a, b) + std::floor(b)),
                          half(twice + 2)};
    });
    const auto flags = rows<int32_t>(count, [&](size_t i) {
        const auto a = static_cast<float>(left[i]), b = static_cast<float>(right[i]);
        return std::array{int{a < b} | int{a == b} << 1 | int{a >= 0} << 2,
                          static_cast<int>(half(a * 0.75F))};
    });
    const auto quotients = each<long double>(count, [&](size_t i) {
        return static_cast<long double>(left[i]) / static_cast<long double>(right[i]);
    });
    const auto roots = each<long double>(
        count, [&](size_t i) { return std::sqrt(std::fabs(static_cast<long double>(left[i]))); });
    example.kernel("half_arithmetic").sizes(count, 64).zeros<Half>(expected.size()).zeros<int32_t>(2 * count);
    example.array(left).array(right);
    if (!example.run())
        return false;
    const auto got = example.result<Half>(0);
    bool good = same("flags", example.result<int32_t>(1), flags);
    for (const size_t exact : {0U, 1U, 2U, 3U, 6U, 7U})
        good = same("column " + std::to_string(exact), column(got, exact, 8), column(expected, exact, 8)) &&
               good;
    return within_ulps("quotients", column(got, 4, 8), quotients, 1) &&
           within_ulps("roots", column(got, 5, 8), roots, 1) && good;
}

bool half_storage(Example& example) {
    constexpr size_t count = 256;
    Numbers numbers(22);
    // From far below the smallest half to beyond the greatest.
    const auto floats = each<float>(count, [&](size_t i) {
        const float value = std::ldexp(numbers.between(-2, 2), static_cast<int>(i % 46) - 28);
        return i == 7 ? 0.0F : i == 8 ? 65520.0F : i == 9 ? -65519.996F : value;
    });
    const auto halves = each<Half>(count, [&](size_t i) {
        const auto bits = static_cast<uint16_t>(numbers.next());
        const bool finite = (bits & 0x7c00U) != 0x7c00U;
        return std::bit_cast<Half>(finite ? bits : static_cast<uint16_t>(i));
    });
    const auto expected = rows<Half>(count, [&](size_t i) {
        const auto to = [&](Rounding how) {
            return rounded<Half, uint16_t>(static_cast<double>(floats[i]), how);
        };
        return std::array{to(Rounding::nearest), to(Rounding::nearest), to(Rounding::zero), to(Rounding::up),
                          to(Rounding::down)};
    });
    const auto widened = each<float>(count, [&](size_t i) { return static_cast<float>(halves[i]); });
    const auto sums = each<Half>(count, [&](size_t i) { return static_cast<Half>(widened[i] + floats[i]); });
    example.kernel("half_storage")
        .sizes(count, 64)
        .zeros<Half>(5 * count)
        .zeros<float>(count)
        .zeros<Half>(count);
    example.array(floats).array(halves);
    return example.run() && same("rounded", example.result<Half>(0), expected) &&
           same("widened", example.result<float>(1), widened) && same("sums", example.result<Half>(2), sums);
}

bool double_arithmetic(Example& example) {
    constexpr size_t count = 128;
    Numbers numbers(23);
    const auto some = [&](size_t) {
        return std::ldexp(static_cast<double>(static_cast<int64_t>(numbers.bits64())),
                          -53 - numbers.below(8));
    };
    const auto left = each<double>(count, some);
    const auto right = each<double>(count, some);
    const auto expected = rows<double>(count, [&](size_t i) {
        const double a = left[i], b = right[i];
        return std::array{a + b,
                          a - b,
                          a * b,
                          std::fma(a, b, -1.0),
                          a / b,
                          std::sqrt(std::fabs(a)),
                          std::fmax(a, b) + std::floor(a),
                          static_cast<double>(static_cast<float>(a)) + static_cast<int>(b),
                          static_cast<double>(static_cast<int64_t>(a * 1e6)) +
                              static_cast<double>(static_cast<uint64_t>(std::fabs(b))),
                          std::trunc(a) + std::rint(b)};
    });
    const auto integers = rows<int64_t>(count, [&](size_t i) {
        const double a = left[i], b = right[i];
        const double most = std::clamp(a * 1e7, -2147483648.0, 2147483647.0);
        return std::array{int64_t{a < b} | int64_t{a == b} << 1 | int64_t{a >= b} << 2 |
                              int64_t{std::signbit(b)} << 3,
                          static_cast<int64_t>(std::llrint(a * 0.5)), static_cast<int64_t>(most),
                          std::bit_cast<int64_t>(a)};
    });
    example.kernel("double_arithmetic").sizes(count, 64).zeros<double>(10 * count).zeros<int64_t>(4 * count);
    example.array(left).array(right);
    return example.run() && same("out", example.result<double>(0), expected) &&
           same("integers", example.result<int64_t>(1), integers);
}

bool relational(Example& example) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr std::array values{0.0F, -0.0F, 1.5F, -1.5F, 1e-40F, 3e38F, infinity, -infinity, nan};
    constexpr size_t count = 128; // all pairs of them, and some of them again
    const auto left = each<float>(count, [&](size_t i) { return values[i % values.size()]; });
    const auto right =
        each<float>(count, [&](size_t i) { return values[i / values.size() % values.size()]; });
    const auto expected = rows<int32_t>(count, [&](size_t i) {
        const float a = left[i], b = right[i];
        return std::array{int{std::isnan(a)} | int{std::isinf(a)} << 1 | int{std::isfinite(a)} << 2 |
                              int{std::isnormal(a)} << 3 | int{std::signbit(a)} << 4 |
                              int{std::isnan(a)} << 5,
                          int{a < b} | int{a <= b} << 1 | int{a > b} << 2 | int{a >= b} << 3 |
                              int{a == b} << 4 | int{!(a == b)} << 5 | int{a < b || a > b} << 6 |
                              int{!std::isunordered(a, b)} << 7 | int{std::isunordered(a, b)} << 8,
                          -int{a < b} - 10 * int{b < a} - 100 * int{0 < a},
                          int{!(a < b)} | int{!(a > b)} << 1 | int{a == b} << 2 | int{!(a == b)} << 3};
    });
    example.kernel("relational").sizes(count, 64).zeros<int32_t>(4 * count).array(left).array(right);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

std::array<float, 20> rounding_of(size_t i, float a, float b) {
    int exponent = 0;
    float whole = 0;
    const float mantissa = std::frexp(a, &exponent);
    const float fraction = std::modf(a, &whole);
    const float great = std::fabs(a) > std::fabs(b) ? a : b;
    const float small = std::fabs(a) > std::fabs(b) ? b : a;
    return {std::floor(a),
            std::ceil(a),
            std::trunc(a),
            std::rint(a),
            std::round(a),
            std::fmod(a, b),
            std::remainder(a, b),
            std::copysign(a, b),
            std::fmin(a, b),
            std::fmax(a, b),
            std::fdim(a, b),
            std::ldexp(a, static_cast<int>(i % 21) - 10),
            mantissa,
            fraction,
            whole,
            std::nextafter(a, b),
            std::fma(a, b, -a),
            std::logb(a),
            great - small,
            std::copysign(std::fabs(a), b)};
}

bool rounding(Example& example) {
    constexpr size_t count = 128;
    constexpr std::array special{0.5F, 1.5F, 2.5F, -0.5F, -3.5F, 8388607.5F, 16777216.0F, -1e30F};
    Numbers numbers(24);
    auto left = numbers.floats(count, -100, 100);
    const auto right =
        each<float>(count, [&](size_t i) { return numbers.between(0.5F, 9) * (i % 3 == 0 ? -1.0F : 1.0F); });
    std::ranges::copy(special, left.begin());
    const auto expected = rows<float>(count, [&](size_t i) { return rounding_of(i, left[i], right[i]); });
    const auto integers = rows<int32_t>(count, [&](size_t i) {
        int exponent = 0;
        static_cast<void>(std::frexp(left[i], &exponent));
        return std::array{exponent, std::ilogb(right[i])};
    });
    example.kernel("rounding").sizes(count, 64).zeros<float>(20 * count).zeros<int32_t>(2 * count);
    example.array(left).array(right);
    if (!example.run() || !same("integers", example.result<int32_t>(1), integers))
        return false;
    bool good = true;
    for (size_t i = 0; i < 20; ++i)
        good = same("column " + std::to_string(i), column(example.result<float>(0), i, 20),
                    column(expected, i, 20)) &&
               good;
    return good;
}

// The T that `value`, a whole number or rounded to one already, saturates to.
template <class T>
int32_t saturated(double value) {
    const double low = static_cast<double>(std::numeric_limits<T>::min());
    const double high = static_cast<double>(std::numeric_limits<T>::max());
    return static_cast<int32_t>(static_cast<T>(std::trunc(std::clamp(value, low, high))));
}

std::array<int32_t, 13> integers_of(float f, int64_t l) {
    const double d = static_cast<double>(f);
    const auto i = static_cast<double>(static_cast<int32_t>(l));
    return {saturated<int32_t>(d * 0x1p20),
            static_cast<int32_t>(std::rint(d)),
            static_cast<int32_t>(std::trunc(d)),
            static_cast<int32_t>(std::ceil(d)),
            static_cast<int32_t>(std::floor(d)),
            saturated<uint8_t>(d),
            saturated<int8_t>(std::rint(d)),
            saturated<int16_t>(d * 64),
            saturated<uint16_t>(std::ceil(d * 64)),
            saturated<uint32_t>(d * 0x1p22),
            saturated<int8_t>(i),
            saturated<uint16_t>(i),
            static_cast<int32_t>(std::clamp<int64_t>(l, std::numeric_limits<int32_t>::min(),
                                                     std::numeric_limits<int32_t>::max()))};
}

bool conversions(Example& example) {
    constexpr size_t count = 256;
    Numbers numbers(25);
    // Eighths: some lie halfway between whole numbers.
    const auto floats = each<float>(count, [&](size_t i) {
        return static_cast<float>(numbers.below(i % 2 == 0 ? 48000 : 3000)) / 8 -
               (i % 2 == 0 ? 3000.0F : 187.5F);
    });
    auto longs = numbers.integers<int64_t>(count);
    for (size_t i = 1; i < count; i += 4)
        longs[i] >>= 30;
    const auto integers = rows<int32_t>(count, [&](size_t i) { return integers_of(floats[i], longs[i]); });
    const auto expected_floats = rows<float>(count, [&](size_t i) {
        const int64_t l = longs[i];
        const double as_int = static_cast<int32_t>(l);
        const double as_uint = static_cast<uint32_t>(l);
        return std::array{static_cast<float>(static_cast<int32_t>(l)),
                          rounded<float, uint32_t>(as_int, Rounding::zero),
                          rounded<float, uint32_t>(as_uint, Rounding::up),
                          rounded<float, uint32_t>(as_int, Rounding::down),
                          static_cast<float>(l),
                          static_cast<float>(static_cast<uint64_t>(l))};
    });
    const auto expected_longs = rows<int64_t>(count, [&](size_t i) {
        return std::array{static_cast<int64_t>(std::llrint(floats[i] * 0.3F)),
                          static_cast<int64_t>(std::fabs(floats[i]) * 0x1p40F)};
    });
    example.kernel("conversions").sizes(count, 64).zeros<int32_t>(13 * count).zeros<float>(6 * count);
    example.zeros<int64_t>(2 * count).array(floats).array(longs);
    return example.run() && same("integers", example.result<int32_t>(0), integers) &&
           same("floats", example.result<float>(1), expected_floats) &&
           same("longs", example.result<int64_t>(2), expected_longs);
}

bool as_types(Example& example) {
    constexpr size_t count = 64;
    Numbers numbers(26);
    const auto in = numbers.integers<uint32_t>(count);
    const auto expected = rows<uint32_t>(count, [&](size_t i) {
        const uint32_t bits = in[i];
        const auto number = std::bit_cast<float>((bits & 0x807fffffU) | 0x40000000U);
        const uint32_t other = std::bit_cast<uint32_t>(number * 2) ^ 0xffU << 8 * (i & 3U);
        const uint64_t two = uint64_t{~bits} << 32U | bits;
        return std::array{std::bit_cast<uint32_t>(number + 1), __builtin_bswap32(bits), other,
                          (other >> 16U) * 3 + (bits & 0xffffU), static_cast<uint32_t>(two * 5 >> 32U)};
    });
    example.kernel("as_types").sizes(count, 64).zeros<uint32_t>(expected.size()).array(in);
    return example.run() && same("out", example.result<uint32_t>(0), expected);
}

bool denormals(Example& example) {
    constexpr size_t count = 128;
    Numbers numbers(27);
    const auto tiny = [&](size_t) { return (numbers.bits32() & 0x807fffffU) | (numbers.next() % 4U) << 23U; };
    auto left = each<uint32_t>(count, tiny);
    const auto right = each<uint32_t>(count, tiny);
    constexpr std::array<uint32_t, 6> special{0x7f800000, 0xff800000, 0, 0x80000000, 1, 0x007fffff};
    std::ranges::copy(special, left.begin());
    const auto expected = rows<uint32_t>(count, [&](size_t i) {
        const auto a = std::bit_cast<float>(left[i]), b = std::bit_cast<float>(right[i]);
        const auto bits = [](float value) { return std::bit_cast<uint32_t>(value); };
        return std::array{bits(a + b),
                          bits(a - b),
                          bits(a * 0.375F),
                          bits(std::fma(a, b, b)),
                          uint32_t{a < b} | uint32_t{a == b} << 1U | uint32_t{a > 0} << 2U,
                          bits(a * 0x1p64F)};
    });
    example.kernel("denormals").sizes(count, 64).zeros<uint32_t>(expected.size()).array(left).array(right);
    return example.run() && same("out", example.result<uint32_t>(0), expected);
}

} // namespace

std::span<const Check> floating_checks() {
    static constexpr std::array checks{Check{"half_arithmetic", half_arithmetic},
                                       Check{"half_storage", half_storage},
                                       Check{"double_arithmetic", double_arithmetic},
                                       Check{"relational", relational},
                                       Check{"rounding", rounding},
                                       Check{"conversions", conversions},
                                       Check{"as_types", as_types},
                                       Check{"denormals", denormals}};
    return checks;
}

} // namespace visor::test
