#include "check/race_cells.h"

#include <gtest/gtest.h>

namespace visor::check {
namespace {

struct Visit {
    uint32_t first;
    uint32_t bytes;
    uint32_t writer;
    bool operator==(const Visit&) const = default;
};

std::vector<Visit> visits(Cells& cells, uint64_t address, uint32_t bytes, uint32_t mark = 0) {
    std::vector<Visit> seen;
    cells.each(address, bytes, [&](Cell& cell, uint32_t first, uint32_t size) {
        seen.push_back({first, size, cell.writers[0].thread});
        if (mark != 0)
            cell.writers[0].thread = mark;
    });
    return seen;
}

TEST(RaceCells, OneForFourBytesUntilFewerAreTouched) {
    Cells cells;
    EXPECT_EQ(visits(cells, 8, 8, 7), (std::vector<Visit>{{0, 4, 0}, {4, 4, 0}}));
    EXPECT_EQ(visits(cells, 10, 1), (std::vector<Visit>{{0, 1, 7}}))
        << "bytes keep what was known of the four";
    EXPECT_EQ(visits(cells, 8, 4), (std::vector<Visit>{{0, 1, 7}, {1, 1, 7}, {2, 1, 7}, {3, 1, 7}}));
    EXPECT_EQ(visits(cells, 16, 4).front().writer, 0U);
}

TEST(RaceCells, ByteLanesThatShareACellAreToldApartWhenItIsSplit) {
    Cells cells;
    cells.each(8, 4, [](Cell& cell, uint32_t, uint32_t) {
        cell.writers[0] = {
            .thread = 7, .clock = 1, .value = 0x44332211, .what = Access::pack(5, 8, false, Share::one_byte)};
        cell.readers[0] = {
            .thread = 7, .clock = 1, .value = 0, .what = Access::pack(6, 2, false, Share::two_bytes)};
        cell.readers[1] = {.thread = 7, .clock = 1, .value = 0, .what = Access::pack(6, -1, true)};
    });
    uint32_t byte = 0;
    cells.each(9, 3, [&](Cell& cell, uint32_t, uint32_t) {
        ++byte;
        EXPECT_EQ(cell.writers[0].lane(), 8 + static_cast<int>(byte));
        EXPECT_EQ(cell.writers[0].value, 0x11 * (byte + 1));
        EXPECT_EQ(cell.writers[0].instruction(), 5U);
        EXPECT_EQ(cell.readers[0].lane(), byte < 2 ? 2 : 3);
        EXPECT_EQ(cell.readers[1].lane(), -1);
        EXPECT_TRUE(cell.readers[1].atomic());
    });
    EXPECT_EQ(byte, 3U);
}

TEST(RaceCells, RangesAcrossPages) {
    Cells cells;
    visits(cells, 252, 8, 5);
    EXPECT_EQ(visits(cells, 252, 8), (std::vector<Visit>{{0, 4, 5}, {4, 4, 5}}));
    EXPECT_EQ(visits(cells, UINT64_MAX - 7, 4).size(), 1U) << "the last page is a page like others";
    cells.clear();
    EXPECT_EQ(visits(cells, 252, 8), (std::vector<Visit>{{0, 4, 0}, {4, 4, 0}}));
}

} // namespace
} // namespace visor::check
