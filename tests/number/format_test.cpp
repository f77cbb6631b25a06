#include "number/format.h"

#include <gtest/gtest.h>

#include <random>

namespace visor::number {
namespace {

uint32_t single(double value, Rounding rounding) {
    return static_cast<uint32_t>(encode<binary32>(value, rounding));
}

TEST(Format, FieldsOfTheKnownFormats) {
    EXPECT_EQ(binary32.bias(), 127);
    EXPECT_EQ(binary32.infinity(), 0x7f800000U);
    EXPECT_EQ(binary16.sign(), 0x8000U);
    EXPECT_EQ(bfloat16.infinity(), 0x7f80U);
    EXPECT_EQ(e5m2.infinity(), 0x7cU);
    EXPECT_EQ(binary64.sign(), uint64_t{1} << 63U);
}

// The host's own narrowing is the witness for round to nearest even.
TEST(Format, NearestEvenAgreesWithTheHostsDoubleToFloat) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 200000; ++i) {
        // Exponents around binary32's whole range, denormals and overflow included.
        const uint64_t exponent = 1023 - 160 + random() % 300;
        uint64_t bits = (random() & 0x800fffffffffffffU) | exponent << 52U;
        if (i % 3 == 0)
            bits &= ~uint64_t{0x0fffffff}; // ties and exact values
        const auto value = std::bit_cast<double>(bits);
        ASSERT_EQ(single(value, Rounding::nearest_even), std::bit_cast<uint32_t>(static_cast<float>(value)))
            << std::hexfloat << value;
    }
}

TEST(Format, DirectedModesEncloseTheValue) {
    const double just_above_one = 1.0 + 0x1p-40;
    EXPECT_EQ(single(just_above_one, Rounding::up), 0x3f800001U);
    EXPECT_EQ(single(just_above_one, Rounding::down), 0x3f800000U);
    EXPECT_EQ(single(just_above_one, Rounding::zero), 0x3f800000U);
    EXPECT_EQ(single(-just_above_one, Rounding::up), 0xbf800000U);
    EXPECT_EQ(single(-just_above_one, Rounding::down), 0xbf800001U);
    EXPECT_EQ(single(-just_above_one, Rounding::zero), 0xbf800000U);
}

TEST(Format, OverflowGoesWhereTheModePoints) {
    EXPECT_EQ(single(1e300, Rounding::nearest_even), 0x7f800000U);
    EXPECT_EQ(single(1e300, Rounding::up), 0x7f800000U);
    EXPECT_EQ(single(1e300, Rounding::down), 0x7f7fffffU);
    EXPECT_EQ(single(1e300, Rounding::zero), 0x7f7fffffU);
    EXPECT_EQ(single(-1e300, Rounding::up), 0xff7fffffU);
    EXPECT_EQ(single(-1e300, Rounding::down), 0xff800000U);
}

TEST(Format, UnderflowKeepsTheSignAndHonoursTheMode) {
    EXPECT_EQ(single(1e-300, Rounding::nearest_even), 0U);
    EXPECT_EQ(single(1e-300, Rounding::up), 1U);
    EXPECT_EQ(single(-1e-300, Rounding::up), 0x80000000U);
    EXPECT_EQ(single(-1e-300, Rounding::down), 0x80000001U);
    EXPECT_EQ(single(0x1p-150, Rounding::nearest_even), 0U) << "tie between 0 and the smallest: even";
    EXPECT_EQ(single(0x1.8p-149, Rounding::nearest_even), 2U) << "tie between 1 and 2 units";
    EXPECT_EQ(single(0x1.ffffffp-127, Rounding::nearest_even), 0x00800000U)
        << "a denormal that rounds to normal";
}

TEST(Format, InfinityAndNaNPass) {
    EXPECT_EQ(single(std::numeric_limits<double>::infinity(), Rounding::zero), 0x7f800000U);
    EXPECT_EQ(single(-std::numeric_limits<double>::infinity(), Rounding::up), 0xff800000U);
    EXPECT_EQ(single(std::numeric_limits<double>::quiet_NaN(), Rounding::down), 0x7fc00000U);
    EXPECT_EQ(single(std::bit_cast<double>(uint64_t{0x7ff0000000000001}), Rounding::nearest_even),
              0x7fc00000U)
        << "signalling becomes quiet, never infinity";
}

TEST(Format, StickyDecidesTies) {
    const Exact tie{false, (uint64_t{1} << 24U) + 1, 0, false}; // between 2^24 and 2^24 + 2
    Exact above = tie;
    above.sticky = true;
    EXPECT_EQ(encode<binary32>(tie, Rounding::nearest_even), 0x4b800000U);
    EXPECT_EQ(encode<binary32>(above, Rounding::nearest_even), 0x4b800001U);
}

TEST(Format, WidestIntegersRoundOnce) {
    EXPECT_EQ(encode<binary32>(Exact{false, UINT64_MAX, 0, false}, Rounding::nearest_even), 0x5f800000U);
    EXPECT_EQ(encode<binary32>(Exact{false, UINT64_MAX, 0, false}, Rounding::zero), 0x5f7fffffU);
    EXPECT_EQ(encode<binary64>(Exact{true, UINT64_MAX, 0, false}, Rounding::up), 0xc3efffffffffffffU);
}

TEST(Format, EverySingleDecodesToItself) {
    for (uint64_t bits = 0; bits <= 0xffffffffU; bits += 65521) {
        const auto value = std::bit_cast<float>(static_cast<uint32_t>(bits));
        if (value != value)
            continue;
        ASSERT_EQ(std::bit_cast<uint64_t>(decode<binary32>(bits)),
                  std::bit_cast<uint64_t>(static_cast<double>(value)))
            << bits;
    }
    EXPECT_EQ(decode<binary32>(1), 0x1p-149);
}

} // namespace
} // namespace visor::number
