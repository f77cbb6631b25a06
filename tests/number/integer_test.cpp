#include "number/integer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace visor::number {
namespace {

TEST(Saturate, ClampsToTheTypesRange) {
    EXPECT_EQ(saturate<int8_t>(200), 127);
    EXPECT_EQ(saturate<int8_t>(-200), -128);
    EXPECT_EQ(saturate<uint8_t>(-1), 0);
    EXPECT_EQ(saturate<uint16_t>(65536), 65535);
    EXPECT_EQ(saturate<uint32_t>(int64_t{5000000000}), UINT32_MAX);
    EXPECT_EQ(saturate<int64_t>(UINT64_MAX), INT64_MAX);
    EXPECT_EQ(saturate<uint64_t>(static_cast<Wide>(UINT64_MAX) + 1), UINT64_MAX);
    EXPECT_EQ(saturate<int64_t>(static_cast<Wide>(INT64_MIN) - 1), INT64_MIN);
    EXPECT_EQ(saturate<int16_t>(-32768), -32768);
}

TEST(Saturate, FloatsStayInTheUnitRange) {
    EXPECT_EQ(saturate_unit(1.5F), 1.0F);
    EXPECT_EQ(saturate_unit(HUGE_VALF), 1.0F);
    EXPECT_EQ(saturate_unit(-HUGE_VALF), 0.0F);
    EXPECT_EQ(saturate_unit(0.25), 0.25);
    EXPECT_EQ(saturate_unit(std::nanf("")), 0.0F);
    EXPECT_FALSE(std::signbit(saturate_unit(-0.0F)));
}

TEST(Wide, WrapsInsteadOfOverflowing) {
    const Wide big = static_cast<Wide>(UINT64_MAX);
    EXPECT_EQ(static_cast<uint64_t>(wrapping_multiply(big, big)), 1U);
    EXPECT_EQ(static_cast<uint64_t>(wrapping_add(big, 1)), 0U);
}

} // namespace
} // namespace visor::number
