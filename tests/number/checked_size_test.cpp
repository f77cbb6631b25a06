// At the edges of 64 bits; all worked out by hand.
#include "number/checked_size.h"

#include <gtest/gtest.h>

namespace visor::number {
namespace {

constexpr uint64_t two_31 = uint64_t{1} << 31U;
constexpr uint64_t two_32 = uint64_t{1} << 32U;
constexpr uint64_t two_63 = uint64_t{1} << 63U;
constexpr uint64_t most = UINT64_MAX;
constexpr std::optional<uint64_t> gone = std::nullopt;

TEST(CheckedSize, Products) {
    EXPECT_EQ((CheckedSize(0) * most).value(), 0U);
    EXPECT_EQ((CheckedSize(1) * most).value(), most);
    EXPECT_EQ((CheckedSize(2) * most).value(), gone);
    EXPECT_EQ((CheckedSize(two_31) * two_31).value(), uint64_t{1} << 62U);
    EXPECT_EQ((CheckedSize(two_31) * two_32).value(), two_63);
    EXPECT_EQ((CheckedSize(two_32) * two_32).value(), gone) << "modulo 2^64 it is 0";
    EXPECT_EQ((CheckedSize(two_32 - 1) * (two_32 + 1)).value(), most);
    EXPECT_EQ((CheckedSize(two_63) * 2).value(), gone);
    EXPECT_EQ((CheckedSize(two_63) * 1).value(), two_63);
}

TEST(CheckedSize, Sums) {
    EXPECT_EQ((CheckedSize(most) + 0).value(), most);
    EXPECT_EQ((CheckedSize(most) + 1).value(), gone);
    EXPECT_EQ((CheckedSize(two_63) + (two_63 - 1)).value(), most);
    EXPECT_EQ((CheckedSize(two_63) + two_63).value(), gone);
    EXPECT_EQ((CheckedSize(two_32) + two_31).value(), 6442450944U);
}

TEST(CheckedSize, Differences) {
    EXPECT_EQ((CheckedSize(1) - 1).value(), 0U);
    EXPECT_EQ((CheckedSize(0) - 1).value(), gone);
    EXPECT_EQ((CheckedSize(two_63) - most).value(), gone);
    EXPECT_EQ((CheckedSize(most) - two_63).value(), two_63 - 1);
}

TEST(CheckedSize, WhatIsGoneStaysSo) {
    const CheckedSize lost = CheckedSize(two_32) * two_32;
    for (const CheckedSize later : {lost * 0, lost + 1, lost - 1, 0 * lost, 1 + lost, most - lost}) {
        EXPECT_FALSE(later.fits());
        EXPECT_FALSE(later.is_within(most));
        EXPECT_EQ(later.or_most(), most);
    }
}

TEST(CheckedSize, LiesWithin) {
    EXPECT_TRUE(lies_within(0, 0, 0));
    EXPECT_FALSE(lies_within(0, 1, 0));
    EXPECT_FALSE(lies_within(1, 0, 0));
    EXPECT_TRUE(lies_within(two_31, two_31, two_32));
    EXPECT_FALSE(lies_within(two_31, two_31 + 1, two_32));
    EXPECT_TRUE(lies_within(two_63, two_63 - 1, most));
    EXPECT_FALSE(lies_within(two_63, two_63, most)) << "modulo 2^64 it ends at 0";
    EXPECT_FALSE(lies_within(most, 1, most));
    EXPECT_FALSE(lies_within(1, most, two_32));
}

} // namespace
} // namespace visor::number
