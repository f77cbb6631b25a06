#include "capture/selection.h"

#include <gtest/gtest.h>

namespace visor::capture {
namespace {

bool chosen(std::string_view selection, std::string_view kernel, uint64_t number, uint64_t of_kernel) {
    return is_chosen(*parse_selection(selection), kernel, number, of_kernel);
}

TEST(Selection, NothingIsEverything) {
    EXPECT_TRUE(chosen("", "k", 0, 0));
    EXPECT_TRUE(chosen("", "k", 1000, 7));
}

TEST(Selection, AKernelsLaunchesAreCountedByThemselves) {
    EXPECT_TRUE(chosen("k", "k", 9, 3));
    EXPECT_FALSE(chosen("k", "kk", 9, 3));
    EXPECT_TRUE(chosen("k:3", "k", 9, 3));
    EXPECT_FALSE(chosen("k:3", "k", 3, 2));
    EXPECT_TRUE(chosen("k:3..5", "k", 0, 5));
    EXPECT_FALSE(chosen("k:3..5", "k", 0, 6));
}

TEST(Selection, WithoutAKernelAllLaunchesAreCounted) {
    EXPECT_TRUE(chosen(":3..5", "k", 4, 0));
    EXPECT_FALSE(chosen(":3..5", "k", 6, 4));
    EXPECT_TRUE(chosen("a,:7", "b", 7, 0));
    EXPECT_TRUE(chosen("a,:7", "a", 1, 0));
    EXPECT_FALSE(chosen("a,:7", "b", 1, 0));
}

TEST(Selection, WhatChoosesNothingIsSaid) {
    for (const char* text :
         {":", "a:", "a:b", "a:5..3", "a:1..", "a:-1", ",", "a,,b", ":99999999999999999999"})
        EXPECT_FALSE(parse_selection(text).has_value()) << text;
}

} // namespace
} // namespace visor::capture
