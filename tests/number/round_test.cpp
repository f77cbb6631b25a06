#include "number/exact.h"
#include "number/half.h"
#include "number/round.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cfenv>
#include <random>

namespace visor::number {
namespace {

constexpr std::array modes{Rounding::nearest_even, Rounding::up, Rounding::down, Rounding::zero};

TEST(Directed, DoubleArithmeticHonoursTheMode) {
    EXPECT_EQ(add(1.0, 0x1p-80, Rounding::up), 1.0 + 0x1p-52);
    EXPECT_EQ(add(1.0, 0x1p-80, Rounding::down), 1.0);
    EXPECT_EQ(add(1.0, -0x1p-80, Rounding::zero), 1.0 - 0x1p-53);
    EXPECT_EQ(multiply(1e200, 1e200, Rounding::zero), std::numeric_limits<double>::max());
    EXPECT_EQ(multiply(1e200, 1e200, Rounding::nearest_even), HUGE_VAL);
    EXPECT_EQ(multiply_add(1.0 + 0x1p-52, 1.0 + 0x1p-52, 0.0, Rounding::up), 1.0 + 0x1.8p-51);
    EXPECT_EQ(divide(1.0, 3.0, Rounding::down), 0x1.5555555555555p-2);
    EXPECT_EQ(divide(1.0, 3.0, Rounding::up), 0x1.5555555555556p-2);
    EXPECT_EQ(square_root(2.0, Rounding::down), 0x1.6a09e667f3bccp+0);
    EXPECT_EQ(square_root(2.0, Rounding::up), 0x1.6a09e667f3bcdp+0);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST) << "the host's mode comes back";
}

TEST(Integral, EachModeChoosesItsInteger) {
    struct Case {
        double value, nearest, up, down, zero;
    };
    constexpr std::array cases{
        Case{2.5, 2, 3, 2, 2},
        Case{3.5, 4, 4, 3, 3},
        Case{-2.5, -2, -2, -3, -2},
        Case{-0.5, -0.0, -0.0, -1, -0.0},
        Case{0.49999999999999994, 0, 1, 0, 0},
        Case{-1.5, -2, -1, -2, -1},
        Case{0x1p60, 0x1p60, 0x1p60, 0x1p60, 0x1p60},
        Case{-0.49999999999999994, -0.0, -0.0, -1, -0.0},
        Case{1.75, 2, 2, 1, 1},
    };
    for (const Case& c : cases) {
        const std::array expected{c.nearest, c.up, c.down, c.zero};
        for (size_t m = 0; m < modes.size(); ++m) {
            const double got = integral(c.value, modes[m]);
            EXPECT_EQ(got, expected[m]) << c.value;
            EXPECT_EQ(std::signbit(got), std::signbit(expected[m])) << c.value;
        }
    }
    EXPECT_EQ(integral(HUGE_VAL, Rounding::nearest_even), HUGE_VAL);
    EXPECT_TRUE(std::isnan(integral(std::nan(""), Rounding::nearest_even)));
    EXPECT_EQ(integral(8388609.0F, Rounding::nearest_even), 8388609.0F);
}

TEST(Integral, ASignallingNaNBecomesQuiet) {
    // So that the compiler computes nothing.
    const volatile uint32_t single = 0x7fa00001;
    const volatile uint64_t wide = 0xfff4000000000001;
    for (const Rounding mode : modes) {
        EXPECT_EQ(std::bit_cast<uint32_t>(integral(std::bit_cast<float>(uint32_t{single}), mode)),
                  0x7fe00001U);
        EXPECT_EQ(std::bit_cast<uint64_t>(integral(std::bit_cast<double>(uint64_t{wide}), mode)),
                  0xfffc000000000001U);
    }
}

TEST(ToInteger, TruncatesAndClamps) {
    EXPECT_EQ(to_integer<int32_t>(-3.99, Rounding::zero), -3);
    EXPECT_EQ(to_integer<int32_t>(2147483648.0, Rounding::zero), INT32_MAX);
    EXPECT_EQ(to_integer<int32_t>(2147483647.9, Rounding::zero), INT32_MAX);
    EXPECT_EQ(to_integer<int32_t>(-2147483648.5, Rounding::zero), INT32_MIN);
    EXPECT_EQ(to_integer<int32_t>(-1e30, Rounding::zero), INT32_MIN);
    EXPECT_EQ(to_integer<uint32_t>(-1.0, Rounding::zero), 0U);
    EXPECT_EQ(to_integer<uint32_t>(4294967296.0, Rounding::zero), UINT32_MAX);
    EXPECT_EQ(to_integer<int64_t>(0x1p63, Rounding::zero), INT64_MAX);
    EXPECT_EQ(to_integer<int64_t>(-0x1p63, Rounding::zero), INT64_MIN);
    EXPECT_EQ(to_integer<uint64_t>(0x1.fffffffffffffp63, Rounding::zero), 0xfffffffffffff800U);
    EXPECT_EQ(to_integer<uint64_t>(HUGE_VAL, Rounding::zero), UINT64_MAX);
    EXPECT_EQ(to_integer<int8_t>(127.5, Rounding::zero), 127);
    EXPECT_EQ(to_integer<uint8_t>(-0.75, Rounding::zero), 0);
    EXPECT_EQ(to_integer<int32_t>(std::nan(""), Rounding::zero), 0);
    EXPECT_EQ(to_integer<int32_t>(2.5, Rounding::nearest_even), 2);
    EXPECT_EQ(to_integer<int32_t>(2.1, Rounding::up), 3);
    EXPECT_EQ(to_integer<int32_t>(-2.1, Rounding::down), -3);
}

// Sets the host's mode for a single float operation: the witness of round-to-odd and the integer encoder
// together.
float host(Rounding mode, int operation, float a, float b, float c) {
    constexpr std::array codes{FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    volatile float va = a;
    volatile float vb = b;
    volatile float vc = c;
    volatile float result = 0;
    std::fesetround(codes[static_cast<size_t>(mode)]);
    const float x = va;
    const float y = vb;
    const float z = vc;
    result = operation == 0 ? x + y : operation == 1 ? x * y : operation == 2 ? x / y : std::sqrt(x);
    if (operation == 4)
        result = std::fma(x, y, z);
    std::fesetround(FE_TONEAREST);
    return result;
}

TEST(Exact, OneRoundingOfOddIsOneRoundingOfTheExactResult) {
    std::mt19937 random(3);
    const auto operand = [&] {
        const auto exponent = static_cast<uint32_t>(random() % 4 == 0 ? random() % 255 : 113 + random() % 28);
        uint32_t bits = (static_cast<uint32_t>(random()) & 0x807fffffU) | exponent << 23U;
        if (random() % 2 == 0)
            bits &= 0xffff8000U;
        return std::bit_cast<float>(bits);
    };
    for (int i = 0; i < 100000; ++i) {
        const float a = operand();
        const float b = operand();
        const float c = operand();
        const double x = static_cast<double>(a);
        const double y = static_cast<double>(b);
        for (const Rounding mode : modes) {
            const std::array odd{odd_add(x, y, mode), odd_multiply(x, y), odd_divide(x, y),
                                 odd_square_root(std::abs(x)),
                                 odd_multiply_add(x, y, static_cast<double>(c), mode)};
            for (int operation = 0; operation < 5; ++operation) {
                const float expected = host(mode, operation, operation == 3 ? std::abs(a) : a, b, c);
                const float got = to_float(odd[static_cast<size_t>(operation)], mode);
                if (std::isnan(expected))
                    ASSERT_TRUE(std::isnan(got));
                else
                    ASSERT_EQ(std::bit_cast<uint32_t>(got), std::bit_cast<uint32_t>(expected))
                        << operation << ' ' << a << ' ' << b << ' ' << c;
            }
        }
    }
}

TEST(Exact, AZeroSumHasTheSignOfTheMode) {
    EXPECT_FALSE(std::signbit(odd_add(1.0, -1.0, Rounding::up)));
    EXPECT_TRUE(std::signbit(odd_add(1.0, -1.0, Rounding::down)));
    EXPECT_FALSE(std::signbit(odd_add(0.0, 0.0, Rounding::down)));
    EXPECT_TRUE(std::signbit(odd_multiply_add(2.0, 3.0, -6.0, Rounding::down)));
}

TEST(Exact, InfinitiesAndNaNPass) {
    EXPECT_EQ(odd_add(HUGE_VAL, 1.0), HUGE_VAL);
    EXPECT_TRUE(std::isnan(odd_add(HUGE_VAL, -HUGE_VAL)));
    EXPECT_EQ(odd_multiply_add(2.0, HUGE_VAL, 1.0), HUGE_VAL);
    EXPECT_EQ(odd_divide(1.0, 0.0), HUGE_VAL);
    EXPECT_EQ(odd_divide(1.0, HUGE_VAL), 0.0);
    EXPECT_TRUE(std::isnan(odd_divide(0.0, 0.0)));
    EXPECT_EQ(odd_square_root(HUGE_VAL), HUGE_VAL);
    EXPECT_TRUE(std::isnan(odd_square_root(-1.0)));
    EXPECT_TRUE(std::signbit(odd_square_root(-0.0)));
}

} // namespace
} // namespace visor::number
