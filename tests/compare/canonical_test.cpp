#include "compare/canonical.h"

#include "parsed.h"

#include <algorithm>

namespace visor::compare {
namespace {

TEST(Canonical, BlocksEndWithLabelsAndBranches) {
    const Module module = code("mov (M1, 8) A(0,0)<1> 1:d\nagain:\nmov (M1, 8) A(0,0)<1> 2:d\n"
                               "mov (M1, 8) B(0,0)<1> 2:d\ngoto (M1, 8) again\nmov (M1, 8) C(0,0)<1> 3:d\n");
    const Canonical made = canonical(module.functions.front(), 32);
    ASSERT_EQ(made.blocks.size(), 3U);
    EXPECT_EQ(made.blocks[0].end, 2U);
    EXPECT_TRUE(made.blocks[0].closed);
    EXPECT_EQ(made.blocks[1].end, 5U);
    EXPECT_EQ(made.blocks[2].end, 6U);
    EXPECT_FALSE(made.blocks[2].closed);
}

TEST(Canonical, WhatSaysNothingIsLeftOut) {
    const Module module = code("nobody:\n.file \"a.cl\"\n.loc 1\nmov (M1, 8) A(0,0)<1> 1:d\n");
    const Canonical made = canonical(module.functions.front(), 32);
    ASSERT_EQ(made.code.size(), 1U);
    EXPECT_EQ(made.code[0].index, 3U);
}

TEST(Canonical, WordsDoNotKnowNames) {
    const Module module =
        code("add (M1, 8) A(0,0)<1> B(0,0)<1;1,0> 1:d\nadd (M1, 8) C(0,0)<1> A(0,0)<1;1,0> 1:d\n"
             "add (M1, 8) C(0,0)<1> %r0(0,0)<1;1,0> 1:d\n");
    const Canonical made = canonical(module.functions.front(), 32);
    EXPECT_TRUE(std::ranges::equal(made.words_of(0), made.words_of(1)));
    EXPECT_EQ(made.code[0].hash, made.code[1].hash);
    EXPECT_NE(made.code[0].hash, made.code[2].hash);
    EXPECT_EQ(made.names_of(1)[0], (Name{Space::general, 34}));
}

TEST(Canonical, FixedNames) {
    const Module module = code("ret (M1, 1)\n");
    const Function& function = module.functions.front();
    EXPECT_TRUE(is_fixed(function, {Space::general, 7}));
    EXPECT_FALSE(is_fixed(function, {Space::general, 32}));
    EXPECT_TRUE(is_fixed(function, {Space::general, 9999}));
    EXPECT_TRUE(is_fixed(function, {Space::surface, 0}));
    EXPECT_FALSE(is_fixed(function, {Space::surface, 6}));
    EXPECT_TRUE(is_fixed(function, {Space::sampler, 31}));
    EXPECT_TRUE(is_fixed(function, {Space::predicate, 0}));
    EXPECT_FALSE(is_fixed(function, {Space::predicate, 2}));
}

// As damaged input may have them.
TEST(Canonical, AliasesInARing) {
    Module module = code("mov (M1, 8) A(0,0)<1> 1:d\n");
    Function& function = module.functions.front();
    function.general[0].alias = 33;
    function.general[1].alias = 32;
    EXPECT_EQ(canonical(function, 32).code.size(), 1U);
}

} // namespace
} // namespace visor::compare
