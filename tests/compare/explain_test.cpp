#include "compare/explain.h"

#include "parsed.h"

namespace visor::compare {
namespace {

std::string explained(std::string_view first, std::string_view second) {
    return first_difference(code(std::string(first) + "\n"), code(std::string(second) + "\n"));
}

TEST(Explain, WhatDiffers) {
    const char* const base = "add (M1, 8) A(0,0)<1> B(0,0)<1;1,0> 1:d";
    EXPECT_EQ(explained(base, "mul (M1, 8) A(0,0)<1> B(0,0)<1;1,0> 1:d"), "`add` here, `mul` there");
    EXPECT_EQ(explained(base, "add (M1, 16) A(0,0)<1> B(0,0)<1;1,0> 1:d"), "the lanes differ");
    EXPECT_EQ(explained(base, "(P) add (M1, 8) A(0,0)<1> B(0,0)<1;1,0> 1:d"), "the predicate differs");
    EXPECT_EQ(explained(base, "add.sat (M1, 8) A(0,0)<1> B(0,0)<1;1,0> 1:d"), "the saturation differs");
    EXPECT_EQ(explained(base, "add (M1, 8) A(0,1)<1> B(0,0)<1;1,0> 1:d"), "operand `dst` differs");
    EXPECT_EQ(explained(base, "add (M1, 8) A(0,0)<1> B(0,0)<2;1,0> 1:d"), "operand `src0` differs");
    EXPECT_EQ(explained(base, "add (M1, 8) A(0,0)<1> (-)B(0,0)<1;1,0> 1:d"), "operand `src0` differs");
    EXPECT_EQ(explained(base, "add (M1, 8) A(0,0)<1> B(0,0)<1;1,0> 2:d"), "operand `src1` differs");
    EXPECT_EQ(explained(base, "add (M1, 8) A(0,0)<1> A(0,0)<1;1,0> 1:d"),
              "operands that are one thing on one side are two on the other");
    EXPECT_EQ(explained("fcall (M1, 8) one 0 0", "fcall (M1, 8) two 0 0"),
              "`one` and `two` are not the same");
}

TEST(Explain, Names) {
    const Module module = code("again:\ngoto (M1, 8) again\n");
    const Function& function = module.functions.front();
    EXPECT_EQ(name_of(function, {Space::general, 32}), "A");
    EXPECT_EQ(name_of(function, {Space::general, 7}), "%r0");
    EXPECT_EQ(name_of(function, {Space::predicate, 2}), "Q");
    EXPECT_EQ(name_of(function, {Space::predicate, 99}), "P98");
    EXPECT_EQ(name_of(function, {Space::address, 0}), "X");
    EXPECT_EQ(name_of(function, {Space::surface, 6}), "T6");
    EXPECT_EQ(name_of(function, {Space::sampler, 31}), "S31");
    EXPECT_EQ(name_of(function, {Space::label, 0}), "again");
}

} // namespace
} // namespace visor::compare
