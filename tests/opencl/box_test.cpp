// Rectangles whose ends leave 64 bits; all worked out by hand.
#include "opencl/memory/content.h"

#include <gtest/gtest.h>
#include <vector>

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

TEST(Box, RowsOneBehindTheOtherAreOne) {
    const auto sizes = [](Box box, Pitch one, Pitch other) {
        const Box out = merged(box, one, other);
        return std::array{out.bytes, out.rows, out.slices};
    };
    using Sizes = std::array<size_t, 3>;
    EXPECT_EQ(sizes({16, 4, 3}, {16, 64}, {16, 64}), (Sizes{192, 1, 1}));
    EXPECT_EQ(sizes({16, 4, 3}, {16, 64}, {16, 80}), (Sizes{64, 1, 3}));
    EXPECT_EQ(sizes({16, 4, 3}, {16, 64}, {32, 128}), (Sizes{16, 4, 3}));
    EXPECT_EQ(sizes({16, 1, 3}, {99, 16}, {77, 16}), (Sizes{48, 1, 1}));
    EXPECT_EQ(sizes({8, 2, 2}, {16, 32}, {16, 32}), (Sizes{8, 2, 2}));
}

TEST(Box, CopiesLeaveWhatIsBetweenRows) {
    const std::array<unsigned char, 8> from{1, 2, 3, 4, 5, 6, 7, 8};
    std::array<unsigned char, 12> to{};
    copy_box(std::as_writable_bytes(std::span(to)).data(), {3, 6}, std::as_bytes(std::span(from)).data(),
             {2, 4}, {2, 2, 2});
    EXPECT_EQ(to, (std::array<unsigned char, 12>{1, 2, 0, 3, 4, 0, 5, 6, 0, 7, 8, 0}));
}

TEST(Box, PatternsRepeatAndEndInTheMiddle) {
    for (const size_t size : {1U, 2U, 3U, 16U, 128U, 40000U})
        for (const size_t bytes :
             {size_t{0}, size_t{1}, size - 1, size, size + 1, 3 * size, size_t{100003}}) {
            std::vector<std::byte> pattern(size);
            for (size_t k = 0; k < size; ++k)
                pattern[k] = std::byte(k * 7 + 1);
            std::vector<std::byte> to(bytes + 1, std::byte{0xee});
            fill_repeating(to.data(), pattern, bytes);
            for (size_t k = 0; k < bytes; ++k)
                ASSERT_EQ(to[k], std::byte(k % size * 7 + 1)) << size << ' ' << bytes << ' ' << k;
            ASSERT_EQ(to[bytes], std::byte{0xee});
        }
}

} // namespace
} // namespace visor::opencl
