// Texts, and what is left of them when one thing is looked for: by hand, as no line, operand or lane of it
// can go.
#include "reduce/reduce.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace visor::reduce {
namespace {

constexpr std::string_view two_kernels = R"(//! visor: version 1
.version 4.1
// The first one.
.kernel "a"
.decl V32 v_type=G type=d num_elts=16 align=GRF
.decl V33 v_type=G type=d num_elts=16 align=GRF
.decl P1 v_type=P num_elts=16
.kernel_attr SimdSize=16
    mov (M1, 16) V32(0,0)<1> 0x7:d
    cmp.lt (M1, 16) P1 V32(0,0)<1;1,0> 0x3:d
again:
    (P1) mul (M1, 16) V33(0,0)<1> V32(0,0)<1;1,0> 0x5:d
    (P1) goto (M1, 16) again
    ret (M1, 1)

.kernel "b"
.decl V32 v_type=G type=d num_elts=16 align=GRF
.kernel_attr SimdSize=16
    mov (M1, 16) V32(0,0)<1> 0x8:d
    ret (M1, 1)
)";

const Options kept{.kept_lines = "//! visor:"};

bool is_readable(std::string_view text) {
    Diagnostics ignored(1);
    return text::parse(text, {}, ignored).has_value();
}

// Whether all of the words are in the text.
Judge has(std::vector<std::string> words) {
    return {is_readable, [words = std::move(words)](std::string_view text) {
                for (const std::string& word : words)
                    if (text.find(word) == std::string_view::npos)
                        return Answer::boring;
                return Answer::interesting;
            }};
}

TEST(Reduce, ToOneInstruction) {
    const auto reduced = minimize(two_kernels, kept, has({" mul "}));
    ASSERT_TRUE(reduced);
    EXPECT_EQ(reduced->text, "//! visor: version 1\n"
                             ".version 4.1\n"
                             ".kernel \"a\"\n"
                             ".decl V33 v_type=G type=d num_elts=1\n"
                             "    mul (M1, 1) V33(0,0)<1> 0x0:d 0x0:d\n");
    EXPECT_EQ(reduced->lines, 5U);
    EXPECT_TRUE(reduced->complete);
    EXPECT_GT(reduced->kept, 0U);
    EXPECT_LT(reduced->kept, reduced->tests);
}

TEST(Reduce, WhatIsLookedForKeepsItsOperandsAndLanes) {
    const auto reduced = minimize(two_kernels, kept, has({"(P1) mul (M1, 16)", "0x5:d"}));
    ASSERT_TRUE(reduced);
    EXPECT_EQ(reduced->text, "//! visor: version 1\n"
                             ".version 4.1\n"
                             ".kernel \"a\"\n"
                             ".decl V33 v_type=G type=d num_elts=1\n"
                             ".decl P1 v_type=P num_elts=1\n"
                             "    (P1) mul (M1, 16) V33(0,0)<1> 0x0:d 0x5:d\n");
}

TEST(Reduce, AResultIsReplacedByItsSource) {
    // Of the chain what begins and what ends it is looked for; the registers between are one.
    constexpr std::string_view chain = R"(.version 4.1
.kernel "k"
.decl A v_type=G type=d num_elts=1
.decl B v_type=G type=d num_elts=1
.decl C v_type=G type=d num_elts=1
    mov (M1, 1) B(0,0)<1> A(0,0)<0;1,0>
    add (M1, 1) C(0,0)<1> B(0,0)<0;1,0> 0x1:d
    mul (M1, 1) A(0,0)<1> C(0,0)<0;1,0> 0x0:d
)";
    const Judge judge{is_readable, [](std::string_view text) {
                          const size_t at = text.find("mul");
                          const bool reads = at != std::string_view::npos &&
                                             text.find("<0;1,0>", at) != std::string_view::npos;
                          return reads ? Answer::interesting : Answer::boring;
                      }};
    const auto reduced = minimize(chain, {}, judge);
    ASSERT_TRUE(reduced);
    EXPECT_EQ(reduced->text.substr(reduced->text.find("    ")),
              "    mul (M1, 1) A(0,0)<1> C(0,0)<0;1,0> 0x0:d\n");
}

TEST(Reduce, AnAliasIsMergedAndCommentsGo) {
    constexpr std::string_view text = R"(.version 4.1
.kernel "k"
.decl A v_type=G type=d num_elts=8 align=GRF
.decl B v_type=G type=ud num_elts=8 align=GRF alias=<A, 0>
.decl C v_type=G type=d num_elts=8 align=GRF
.decl T6 v_type=T num_elts=1
    gather4_scaled.RGB (M1, 8) T6 0x0:ud B.0 C.0 // from B
    ret (M1, 1) /// the end
)";
    const auto reduced = minimize(text, {}, has({"gather4_scaled", "ret"}));
    ASSERT_TRUE(reduced);
    EXPECT_EQ(reduced->text, R"(.version 4.1
.kernel "k"
.decl A v_type=G type=d num_elts=1
.decl C v_type=G type=d num_elts=1
.decl T6 v_type=T num_elts=1
    gather4_scaled.R (M1, 1) T6 0x0:ud A.0 C.0
    ret (M1, 1)
)");
}

TEST(Reduce, TextThatNobodyCanRead) {
    const Judge judge{[](std::string_view) { return true; },
                      [](std::string_view text) {
                          return text.find("damaged <") == std::string_view::npos ? Answer::boring
                                                                                  : Answer::interesting;
                      }};
    const auto reduced = minimize(std::string(two_kernels) + "damaged < here\n", kept, judge);
    ASSERT_TRUE(reduced);
    EXPECT_EQ(reduced->text, "//! visor: version 1\ndamaged < here\n");
}

TEST(Reduce, ABoringTextIsRefused) {
    const auto reduced = minimize(two_kernels, kept, has({"no such word"}));
    ASSERT_FALSE(reduced);
    EXPECT_EQ(reduced.error(), Refusal::boring);
}

TEST(Reduce, StopsWithWhatThereIs) {
    Options few = kept;
    few.most_tests = 3;
    const auto reduced = minimize(two_kernels, few, has({" mul "}));
    ASSERT_TRUE(reduced);
    EXPECT_EQ(reduced->tests, 3U);
    EXPECT_FALSE(reduced->complete);
    EXPECT_NE(reduced->text.find(" mul "), std::string::npos);

    const auto at_once =
        minimize(two_kernels, kept, {is_readable, [](std::string_view) { return Answer::stop; }});
    ASSERT_FALSE(at_once);
    EXPECT_EQ(at_once.error(), Refusal::stopped);
}

TEST(Reduce, NoTextIsShownTwiceAndNoneThatIsRefused) {
    std::set<std::string> seen;
    const Judge judge{is_readable, [&](std::string_view text) {
                          EXPECT_TRUE(is_readable(text));
                          EXPECT_TRUE(seen.emplace(text).second) << text;
                          return text.find(" mul ") == std::string_view::npos ? Answer::boring
                                                                              : Answer::interesting;
                      }};
    EXPECT_TRUE(minimize(two_kernels, kept, judge));
    EXPECT_GT(seen.size(), 10U);
}

TEST(Reduce, EmptyText) {
    const Judge anything{[](std::string_view) { return true; },
                         [](std::string_view) { return Answer::interesting; }};
    const auto reduced = minimize("", {}, anything);
    ASSERT_TRUE(reduced);
    EXPECT_EQ(reduced->text, "");
}

} // namespace
} // namespace visor::reduce
