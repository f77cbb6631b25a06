#include "number/half.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace visor::number {
namespace {

// The compiler's own half type, soft or hard, is the witness.
float compiler_widens(uint16_t bits) {
    return static_cast<float>(std::bit_cast<_Float16>(bits));
}
uint16_t compiler_narrows(float value) {
    return std::bit_cast<uint16_t>(static_cast<_Float16>(value));
}

TEST(Half, EveryHalfWidensAsTheCompilerDoes) {
    for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
        const auto half = static_cast<uint16_t>(bits);
        const float ours = half_to_float(half);
        const float theirs = compiler_widens(half);
        if (std::isnan(theirs)) {
            ASSERT_TRUE(std::isnan(ours)) << bits;
            continue;
        }
        ASSERT_EQ(std::bit_cast<uint32_t>(ours), std::bit_cast<uint32_t>(theirs)) << bits;
    }
}

TEST(Half, EveryHalfComesBack) {
    constexpr std::array modes{Rounding::nearest_even, Rounding::up, Rounding::down, Rounding::zero};
    for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
        const auto half = static_cast<uint16_t>(bits);
        const float value = half_to_float(half);
        if (std::isnan(value))
            continue;
        for (const Rounding mode : modes)
            ASSERT_EQ(to_half(static_cast<double>(value), mode), half);
    }
}

TEST(Half, NarrowsAsTheCompilerDoes) {
    std::mt19937 random(2);
    for (int i = 0; i < 500000; ++i) {
        const auto exponent = static_cast<uint32_t>(97 + random() % 50);
        uint32_t bits = (static_cast<uint32_t>(random()) & 0x807fffffU) | exponent << 23U;
        if (i % 3 == 0)
            bits &= ~0xfffU; // ties
        const auto value = std::bit_cast<float>(bits);
        ASSERT_EQ(to_half(static_cast<double>(value), Rounding::nearest_even), compiler_narrows(value))
            << value;
    }
}

TEST(Half, Boundaries) {
    EXPECT_EQ(to_half(65504.0, Rounding::nearest_even), 0x7bff);
    EXPECT_EQ(to_half(65519.996, Rounding::nearest_even), 0x7bff);
    EXPECT_EQ(to_half(65520.0, Rounding::nearest_even), 0x7c00) << "half way to 2^16: even is infinity";
    EXPECT_EQ(to_half(70000.0, Rounding::zero), 0x7bff);
    EXPECT_EQ(to_half(70000.0, Rounding::up), 0x7c00);
    EXPECT_EQ(to_half(-70000.0, Rounding::up), 0xfbff);
    EXPECT_EQ(to_half(0x1p-24, Rounding::nearest_even), 0x0001);
    EXPECT_EQ(to_half(0x1p-25, Rounding::nearest_even), 0x0000);
    EXPECT_EQ(to_half(0x1p-25, Rounding::up), 0x0001);
    EXPECT_EQ(to_half(0x1.8p-24, Rounding::nearest_even), 0x0002);
    EXPECT_EQ(to_half(0x1p-14, Rounding::nearest_even), 0x0400) << "smallest normal";
    EXPECT_EQ(to_half(1.0 + 0x1p-11 + 0x1p-45, Rounding::nearest_even), 0x3c01)
        << "a double that is rounded through float first would give 0x3c00";
    EXPECT_EQ(to_half(std::nan(""), Rounding::nearest_even) & 0x7e00, 0x7e00);
}

TEST(Half, FromIntegers) {
    EXPECT_EQ(integer_to_half(false, 2049, Rounding::nearest_even), 0x6800) << "2048: even";
    EXPECT_EQ(integer_to_half(false, 2049, Rounding::up), 0x6801);
    EXPECT_EQ(integer_to_half(true, 1, Rounding::nearest_even), 0xbc00);
    EXPECT_EQ(integer_to_half(false, 65536, Rounding::nearest_even), 0x7c00);
    EXPECT_EQ(integer_to_half(true, 0, Rounding::nearest_even), 0x0000)
        << "there is no negative zero integer";
    EXPECT_EQ(integer_to_float(false, 16777217, Rounding::nearest_even), 16777216.0F);
    EXPECT_EQ(integer_to_float(false, 16777217, Rounding::up), 16777218.0F);
    EXPECT_EQ(integer_to_double(false, (uint64_t{1} << 53U) + 1, Rounding::nearest_even), 9007199254740992.0);
    EXPECT_EQ(integer_to_bfloat(false, 257, Rounding::nearest_even), 0x4380);
}

TEST(Bfloat, IsTheUpperHalfOfABinary32) {
    EXPECT_EQ(bfloat_to_float(0x3f80), 1.0F);
    EXPECT_EQ(bfloat_to_float(0xc049), -3.140625F);
    EXPECT_EQ(to_bfloat(1.0, Rounding::nearest_even), 0x3f80);
    EXPECT_EQ(to_bfloat(1.0 + 0x1p-8, Rounding::nearest_even), 0x3f80) << "tie to even";
    EXPECT_EQ(to_bfloat(1.0 + 0x1.8p-7, Rounding::nearest_even), 0x3f82) << "tie to even, upwards";
    EXPECT_EQ(to_bfloat(1.0 + 0x1p-8, Rounding::up), 0x3f81);
    EXPECT_EQ(to_bfloat(3.4e38, Rounding::nearest_even), 0x7f80);
    for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
        const float value = bfloat_to_float(static_cast<uint16_t>(bits));
        if (!std::isnan(value)) {
            ASSERT_EQ(to_bfloat(static_cast<double>(value), Rounding::nearest_even), bits);
        }
    }
}

TEST(Bf8, IsTheUpperByteOfAHalf) {
    EXPECT_EQ(bf8_to_float(0x3c), 1.0F);
    EXPECT_EQ(bf8_to_float(0x7b), 57344.0F) << "the largest number";
    EXPECT_EQ(bf8_to_float(0x01), 0x1p-16F);
    EXPECT_TRUE(std::isinf(bf8_to_float(0x7c)));
    EXPECT_EQ(to_bf8(1.125, Rounding::nearest_even), 0x3c) << "tie to even";
    EXPECT_EQ(to_bf8(1.375, Rounding::nearest_even), 0x3e) << "tie to even, upwards";
    EXPECT_EQ(to_bf8(61440.0, Rounding::nearest_even), 0x7c);
    EXPECT_EQ(to_bf8(0x1p-17, Rounding::nearest_even), 0x00);
    EXPECT_EQ(to_bf8(0x1.8p-17, Rounding::nearest_even), 0x01);
    for (uint32_t bits = 0; bits <= 0xff; ++bits) {
        const float value = bf8_to_float(static_cast<uint8_t>(bits));
        if (!std::isnan(value)) {
            ASSERT_EQ(to_bf8(static_cast<double>(value), Rounding::nearest_even), bits);
        }
    }
}

TEST(Hf8, HasNoInfinities) {
    EXPECT_EQ(hf8_to_float(0x38), 1.0F);
    EXPECT_EQ(hf8_to_float(0x7e), 448.0F);
    EXPECT_EQ(hf8_to_float(0x78), 256.0F) << "the largest exponent holds numbers";
    EXPECT_EQ(hf8_to_float(0x01), 0x1p-9F);
    EXPECT_EQ(hf8_to_float(0x08), 0x1p-6F);
    EXPECT_EQ(hf8_to_float(0xb8), -1.0F);
    EXPECT_TRUE(std::isnan(hf8_to_float(0x7f)));
    EXPECT_TRUE(std::isnan(hf8_to_float(0xff)));
    EXPECT_EQ(to_hf8(448.0, Rounding::nearest_even), 0x7e);
    EXPECT_EQ(to_hf8(464.0, Rounding::nearest_even), 0x7e) << "half way to 480: even";
    EXPECT_EQ(to_hf8(465.0, Rounding::nearest_even), 0x7f);
    EXPECT_EQ(to_hf8(1e6, Rounding::zero), 0x7e);
    EXPECT_EQ(to_hf8(-HUGE_VAL, Rounding::nearest_even), 0xff);
    EXPECT_EQ(to_hf8(0x1p-10, Rounding::nearest_even), 0x00);
    EXPECT_EQ(to_hf8(0x1.8p-10, Rounding::nearest_even), 0x01);
    for (uint32_t bits = 0; bits <= 0xff; ++bits) {
        const float value = hf8_to_float(static_cast<uint8_t>(bits));
        if (!std::isnan(value)) {
            ASSERT_EQ(to_hf8(static_cast<double>(value), Rounding::nearest_even), bits);
        }
    }
}

TEST(Tf32, KeepsTenMantissaBits) {
    EXPECT_EQ(to_tf32(1.0, Rounding::nearest_even), 0x3f800000U);
    EXPECT_EQ(to_tf32(1.0 + 0x1p-11, Rounding::nearest_even), 0x3f800000U) << "tie to even";
    EXPECT_EQ(to_tf32(1.0 + 0x1.8p-10, Rounding::nearest_even), 0x3f804000U);
    EXPECT_EQ(to_tf32(-HUGE_VAL, Rounding::nearest_even), 0xff800000U);
}

TEST(Stochastic, RandomBitsDecideTheLastBit) {
    const float value = 1.0F + 0x1p-11F; // 2^12 of 2^13 units of the cut bits
    EXPECT_EQ(stochastic_half(value, 0x0fff), 0x3c00);
    EXPECT_EQ(stochastic_half(value, 0x1000), 0x3c01);
    EXPECT_EQ(stochastic_half(-value, 0x1000), 0xbc01);
    EXPECT_EQ(stochastic_half(1.0F, 0x1fff), 0x3c00) << "exact values stay";
    EXPECT_EQ(stochastic_half(value, 0xffffe000), 0x3c00) << "only 13 bits count";
    EXPECT_EQ(stochastic_half(65504.0F + 31.0F, 0x1fff), 0x7c00);
    EXPECT_EQ(stochastic_half(HUGE_VALF, 0x1fff), 0x7c00);
    EXPECT_EQ(stochastic_half(std::nanf(""), 0x1fff) & 0x7e00, 0x7e00);
    EXPECT_EQ(stochastic_bf8(0x3c80, 0x7f), 0x3c);
    EXPECT_EQ(stochastic_bf8(0x3c80, 0x80), 0x3d);
    EXPECT_EQ(stochastic_bf8(0x0080, 0x80), 0x01) << "denormals are kept";
    EXPECT_EQ(stochastic_bf8(0x7bff, 0xff), 0x7c);
    EXPECT_EQ(stochastic_bf8(0xfc00, 0xff), 0xfc);
    EXPECT_EQ(stochastic_bf8(0x7c01, 0xff) & 0x7e, 0x7e) << "NaN does not become infinity";
}

TEST(Restricted, FourElementsOfAPackedImmediate) {
    EXPECT_EQ(restricted_to_float(0x30), 1.0F);
    EXPECT_EQ(restricted_to_float(0xb0), -1.0F);
    EXPECT_EQ(restricted_to_float(0x7f), 31.0F);
    EXPECT_EQ(restricted_to_float(0x01), 0.1328125F);
    EXPECT_EQ(restricted_to_float(0x00), 0.0F);
    EXPECT_TRUE(std::signbit(restricted_to_float(0x80)));
}

// e2m1: two bits of exponent with bias 1, one of mantissa; by hand.
TEST(Fp4, NumbersAndTheirNeighbours) {
    constexpr std::array<float, 8> numbers{0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
    for (uint8_t code = 0; code < 8; ++code) {
        EXPECT_EQ(e2m1_to_float(code), numbers[code]);
        EXPECT_EQ(e2m1_to_float(code | 8), -numbers[code]);
        EXPECT_EQ(to_e2m1(static_cast<double>(numbers[code])), code);
        EXPECT_EQ(to_e2m1(-static_cast<double>(numbers[code])), code | 8);
    }
    // Halfway: the even code. A little more or less: the nearer one.
    constexpr std::array<double, 7> halfway{0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5};
    for (uint8_t code = 0; code < 7; ++code) {
        EXPECT_EQ(to_e2m1(halfway[code]), code + code % 2);
        EXPECT_EQ(to_e2m1(std::nextafter(halfway[code], 0)), code);
        EXPECT_EQ(to_e2m1(std::nextafter(halfway[code], 8)), code + 1);
    }
    EXPECT_EQ(to_e2m1(1e300), 7);
    EXPECT_EQ(to_e2m1(-std::numeric_limits<double>::infinity()), 15);
    EXPECT_EQ(to_e2m1(std::numeric_limits<double>::quiet_NaN()), 7);
}

TEST(Fp4, StochasticRoundingAddsAFraction) {
    EXPECT_EQ(stochastic_e2m1(2.25, 0xbfff), 4); // a quarter of the way from 2 to 3
    EXPECT_EQ(stochastic_e2m1(2.25, 0xc000), 5);
    EXPECT_EQ(stochastic_e2m1(-4.0, 0xffff), 14) << "nothing is cut off";
    EXPECT_EQ(stochastic_e2m1(5.99, 0xffff), 7);
    EXPECT_EQ(stochastic_int4(-7.5, 0x7fff), 9);
    EXPECT_EQ(stochastic_int4(-7.5, 0x8000), 8);
    EXPECT_EQ(stochastic_int4(7.5, 0xffff), 7) << "saturated";
}

TEST(Int4, NearestAndSaturated) {
    EXPECT_EQ(to_int4(-8.4), 8);
    EXPECT_EQ(to_int4(-100.0), 8);
    EXPECT_EQ(to_int4(-1.0), 15);
    EXPECT_EQ(to_int4(-0.5), 0);
    EXPECT_EQ(to_int4(2.5), 2);
    EXPECT_EQ(to_int4(6.6), 7);
    EXPECT_EQ(to_int4(7.6), 7);
    EXPECT_EQ(to_int4(std::numeric_limits<double>::quiet_NaN()), 0);
}

} // namespace
} // namespace visor::number
