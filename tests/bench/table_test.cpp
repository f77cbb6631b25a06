// bench/compare/table: rows and columns as Markdown and as a picture. Ratios are written by hand.
#include "compare/table.h"

#include <gtest/gtest.h>

namespace visor::compare {

namespace {

// Intel's runtime failed in the second one.
const std::vector<Row> rows{
    {.name = "copy", .pocl_ms = 2, .native_ratio = 1.5, .wanted_ratio = 1.25, .ratios = {2, 4}},
    {.name = "sum", .pocl_ms = 8, .ratios = {0, 9}}};

TEST(Table, HasAColumnForEachContender) {
    EXPECT_EQ(markdown({"Intel CPU runtime", "Visor, skl"}, rows),
              "| kernel | PoCL, ms | native | Intel CPU runtime | Visor, skl |\n"
              "|---|---|---|---|---|\n"
              "| copy | 2 | 1.50 (1.25) | 2.00 | 4.00 |\n"
              "| sum | 8 | - | - | 9.00 |\n"
              "| geometric mean | | | - | 6.00 |\n");
}

TEST(Table, LeavesOutWhoIsNotThere) {
    std::vector<Row> without = rows;
    for (Row& row : without)
        row.ratios.erase(row.ratios.begin());
    EXPECT_EQ(markdown({"Visor, skl"}, without), "| kernel | PoCL, ms | native | Visor, skl |\n"
                                                 "|---|---|---|---|\n"
                                                 "| copy | 2 | 1.50 (1.25) | 4.00 |\n"
                                                 "| sum | 8 | - | 9.00 |\n"
                                                 "| geometric mean | | | 6.00 |\n");
}

TEST(Picture, HasABarForEachRatio) {
    const std::string picture = svg({"Intel CPU runtime", "Visor, skl"}, rows);
    EXPECT_NE(picture.find("native; Intel CPU runtime; Visor, skl</text>"), std::string::npos);
    size_t bars = 0;
    for (size_t at = 0; (at = picture.find("height=\"9\"", at)) != std::string::npos; ++at)
        ++bars;
    EXPECT_EQ(bars, 4U); // of two ratios there are none
}

} // namespace

} // namespace visor::compare
