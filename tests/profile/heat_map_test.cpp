// Cells are 64 columns of the array by 32 rows of time.
#include "profile/heat_map.h"

#include <gtest/gtest.h>

namespace visor::profile {
namespace {

uint64_t sum_of(const HeatMap& map) {
    uint64_t sum = 0;
    for (size_t row = 0; row < HeatMap::rows; ++row)
        for (size_t column = 0; column < HeatMap::columns; ++column)
            sum += map.at(row, column);
    return sum;
}

TEST(HeatMap, CountsBytesWhereTheyLie) {
    HeatMap map(640); // ten bytes a column
    EXPECT_TRUE(map.empty());
    map.add(0, 4, 100);
    map.add(635, 5, 100);
    EXPECT_EQ(map.at(0, 0), 4U);
    EXPECT_EQ(map.at(0, 63), 5U);
    EXPECT_EQ(map.most(), 5U);
    EXPECT_EQ(map.used_rows(), 1U);
    EXPECT_EQ(map.time_of_row(), 1U);
}

TEST(HeatMap, AnAccessAcrossColumnsIsShared) {
    HeatMap map(640);
    map.add(10, 40, 0);
    for (size_t column = 1; column <= 4; ++column)
        EXPECT_EQ(map.at(0, column), 10U);
    EXPECT_EQ(sum_of(map), 40U);
}

TEST(HeatMap, TimeIsHalvedUntilItFits) {
    HeatMap map(64);
    map.add(0, 1, 1000); // the first access is time 0
    map.add(1, 1, 1031);
    EXPECT_EQ(map.at(31, 1), 1U);
    EXPECT_EQ(map.time_of_row(), 1U);
    map.add(2, 1, 1032);
    EXPECT_EQ(map.time_of_row(), 2U);
    EXPECT_EQ(map.at(0, 0), 1U);
    EXPECT_EQ(map.at(15, 1), 1U);
    EXPECT_EQ(map.at(16, 2), 1U);
    map.add(3, 1, 1000 + 64 * 32);
    EXPECT_EQ(map.time_of_row(), 128U);
    EXPECT_EQ(map.at(16, 3), 1U);
    EXPECT_EQ(sum_of(map), 4U);
}

TEST(HeatMap, WhatLiesOutsideIsLeftOut) {
    HeatMap map(8);
    map.add(8, 4, 0);
    map.add(UINT64_MAX, 4, 0);
    EXPECT_TRUE(map.empty());
    map.add(4, 16, 0); // only four of them are in it
    map.add(0, 0, 0);
    EXPECT_LE(sum_of(map), 32U);
    EXPECT_EQ(map.at(0, 0), 0U);
    HeatMap huge(UINT64_MAX);
    huge.add(UINT64_MAX - 1, 1, UINT64_MAX - 5);
    huge.add(0, 1, UINT64_MAX);
    EXPECT_EQ(huge.at(0, 63), 1U);
    EXPECT_EQ(huge.at(5, 0), 1U);
}

} // namespace
} // namespace visor::profile
