// Rectangles whose ends leave 64 bits; all worked out by hand.
#include "opencl/memory/box.h"

#include <gtest/gtest.h>

namespace visor::opencl {
namespace {

constexpr size_t two_31 = size_t{1} << 31U;
constexpr size_t two_32 = size_t{1} << 32U;
constexpr size_t two_63 = size_t{1} << 63U;
constexpr size_t most = SIZE_MAX;

TEST(Box, Extent) {
    EXPECT_EQ((Box{4, 1, 1}.extent({two_63, most}).value()), 4U) << "no pitch is used";
    EXPECT_EQ((Box{4, 3, 2}.extent({16, 64}).value()), 100U);
    EXPECT_EQ((Box{1, 2, 1}.extent({two_63, 0}).value()), two_63 + 1);
    EXPECT_FALSE((Box{1, 3, 1}.extent({two_63, 0}).fits())) << "modulo 2^64 it is 1";
    EXPECT_FALSE((Box{1, 2, 2}.extent({two_63, two_63}).fits()));
    EXPECT_FALSE((Box{two_63, 2, 1}.extent({two_63, 0}).fits()));
    EXPECT_FALSE((Box{1, 1, two_32 + 1}.extent({0, two_32}).fits()));
}

TEST(Box, RectanglesLieWithin) {
    const auto within = [](std::array<size_t, 3> origin, std::array<size_t, 3> region, Pitch pitch,
                           size_t bytes) {
        Rectangle one{origin, region, pitch};
        return one.settle() && one.is_within(bytes);
    };
    EXPECT_TRUE(within({0, 0, 0}, {16, 4, 4}, {}, 256));
    EXPECT_FALSE(within({0, 0, 0}, {16, 4, 4}, {}, 255));
    EXPECT_TRUE(within({8, 2, 2}, {8, 2, 2}, {16, 64}, 256));
    EXPECT_FALSE(within({9, 2, 2}, {8, 2, 2}, {16, 64}, 256));
    EXPECT_FALSE(within({0, 0, 1}, {16, 4, 4}, {}, 256));
    EXPECT_TRUE(within({0, 0, 0}, {two_31, 2, 1}, {}, two_32));
    EXPECT_FALSE(within({1, 0, 0}, {two_31, 2, 1}, {two_31, 0}, two_32));
    // Modulo 2^64 these begin, or end, at small offsets.
    EXPECT_FALSE(within({0, 2, 0}, {1, 1, 1}, {two_63, 0}, 256));
    EXPECT_FALSE(within({0, 0, two_32}, {1, 1, 1}, {1, two_32}, 256));
    EXPECT_FALSE(within({most, 0, 0}, {1, 1, 1}, {}, most));
    EXPECT_FALSE(within({0, most, 0}, {1, 1, 1}, {}, most));
    EXPECT_FALSE(within({0, 0, most}, {1, 1, 1}, {}, most));
    EXPECT_FALSE(within({0, 0, 0}, {two_32, two_32, 1}, {}, most));
    EXPECT_TRUE(within({0, 0, 0}, {most, 1, 1}, {}, most));
}

} // namespace
} // namespace visor::opencl
