// Names that the compiler writes twice: told apart where the order of the text tells, else left alone. The
// texts are made by hand.
#include "launch/scopes.h"

#include <gtest/gtest.h>

namespace visor::launch {
namespace {

TEST(Scopes, ATextWithoutThemStaysAsItIs) {
    const std::string text = ".decl V0050 v_type=G type=d num_elts=16\n.decl a v_type=G type=d num_elts=16\n"
                             "    mov (M1, 16) a(0,0)<1> V0050(0,0)<1;1,0>";
    EXPECT_EQ(disambiguate_scopes(text), text);
    EXPECT_EQ(disambiguate_scopes(""), "");
}

TEST(Scopes, VariablesThatAreAlikeAreOne) {
    EXPECT_EQ(disambiguate_scopes(".decl a v_type=G type=d num_elts=16\n"
                                  ".decl V0050 v_type=G type=d num_elts=16\n"
                                  ".decl a v_type=G type=d num_elts=16 // the second\n"
                                  "    mov (M1, 16) a(0,0)<1> 1:d\n"),
              ".decl a v_type=G type=d num_elts=16\n"
              ".decl V0050 v_type=G type=d num_elts=16\n"
              "\n"
              "    mov (M1, 16) a(0,0)<1> 1:d\n");
}

TEST(Scopes, AReadBelongsToTheWriteBeforeIt) {
    // V0051 comes after the first `a`: what uses it, and the write that this reads, are of the second block.
    EXPECT_EQ(disambiguate_scopes(".decl V0050 v_type=G type=d num_elts=16\n"
                                  ".decl a v_type=G type=f num_elts=16\n"
                                  ".decl V0051 v_type=G type=d num_elts=16\n"
                                  ".decl a v_type=G type=d num_elts=16\n"
                                  "    mov (M1, 16) a(0,0)<1> V0050(0,0)<1;1,0>\n"
                                  "    mov (M1, 16) V0050(0,0)<1> a(0,0)<1;1,0>\n"
                                  "    mov (M1, 16) a(0,0)<1> V0050(0,0)<1;1,0>\n"
                                  "    add (M1, 16) V0051(0,0)<1> a(0,0)<1;1,0> 1:d /// a stays here\n"),
              ".decl V0050 v_type=G type=d num_elts=16\n"
              ".decl a v_type=G type=f num_elts=16\n"
              ".decl V0051 v_type=G type=d num_elts=16\n"
              ".decl a_2 v_type=G type=d num_elts=16\n"
              "    mov (M1, 16) a(0,0)<1> V0050(0,0)<1;1,0>\n"
              "    mov (M1, 16) V0050(0,0)<1> a(0,0)<1;1,0>\n"
              "    mov (M1, 16) a_2(0,0)<1> V0050(0,0)<1;1,0>\n"
              "    add (M1, 16) V0051(0,0)<1> a_2(0,0)<1;1,0> 1:d /// a stays here\n");
}

TEST(Scopes, CopiesOfABlockAndAliasesOfTheirVariables) {
    EXPECT_EQ(disambiguate_scopes(".decl V0050 v_type=G type=d num_elts=16\n"
                                  ".decl a v_type=G type=ud num_elts=16 alias=<V0050, 0>\n"
                                  ".decl b v_type=G type=uw num_elts=32 alias=<a, 0>\n"
                                  ".decl V0051 v_type=G type=d num_elts=16\n"
                                  ".decl a v_type=G type=ud num_elts=16 alias=<V0051, 0>\n"
                                  ".decl b v_type=G type=uw num_elts=32 alias=<a, 0>\n"
                                  "    (P1) shr (M1, 16) a(0,0)<1> b(0,0)<2;1,0> 1:d\n"
                                  "    (P1) shr (M1, 16) a(0,0)<1> b(0,0)<2;1,0> 1:d\n"),
              ".decl V0050 v_type=G type=d num_elts=16\n"
              ".decl a v_type=G type=ud num_elts=16 alias=<V0050, 0>\n"
              ".decl b v_type=G type=uw num_elts=32 alias=<a, 0>\n"
              ".decl V0051 v_type=G type=d num_elts=16\n"
              ".decl a_2 v_type=G type=ud num_elts=16 alias=<V0051, 0>\n"
              ".decl b_2 v_type=G type=uw num_elts=32 alias=<a_2, 0>\n"
              "    (P1) shr (M1, 16) a(0,0)<1> b(0,0)<2;1,0> 1:d\n"
              "    (P1) shr (M1, 16) a_2(0,0)<1> b_2(0,0)<2;1,0> 1:d\n");
}

TEST(Scopes, WhatCannotBeToldApartIsLeftToTheParser) {
    // One block inside the other: nothing shows which `a` the last line means.
    const std::string text = ".decl V0050 v_type=G type=d num_elts=16\n"
                             ".decl a v_type=G type=d num_elts=16\n"
                             ".decl a v_type=G type=f num_elts=16\n"
                             "    mov (M1, 16) a(0,0)<1> V0050(0,0)<1;1,0>\n"
                             "    mul (M1, 16) a(0,0)<1> V0050(0,0)<1;1,0> 3:d\n"
                             "    mov (M1, 16) V0050(0,0)<1> a(0,0)<1;1,0>\n";
    EXPECT_EQ(disambiguate_scopes(text), text);
}

TEST(Scopes, DamagedLinesAreNoTrouble) {
    const std::string declarations = ".decl a v_type=G type=d\n.decl a v_type=G type=f\n.decl \n.decl";
    for (const std::string line : {"(", "(P1", "a", "add (M1, 16", "add", ")", "//", "a:", "   ", "a(a(a"})
        EXPECT_NE(disambiguate_scopes(declarations + "\n" + line), "");
}

} // namespace
} // namespace visor::launch
