#include "reduce/lines.h"

#include "reduce/search.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace visor::reduce {
namespace {

TEST(Lines, SplitAndJoined) {
    EXPECT_EQ(split("a\n\nb\n"), (Lines{"a", "", "b"}));
    EXPECT_EQ(split("a\nb"), (Lines{"a", "b"}));
    EXPECT_TRUE(split("").empty());
    EXPECT_EQ(join({"a", "", "b"}), "a\n\nb\n");
}

TEST(Lines, TheirKinds) {
    EXPECT_EQ(kind_of("  // said"), LineKind::empty);
    EXPECT_EQ(kind_of(" \t\r"), LineKind::empty);
    EXPECT_EQ(kind_of(".version 4.1"), LineKind::head);
    EXPECT_EQ(kind_of(".kernel \"k\""), LineKind::head);
    EXPECT_EQ(kind_of(".kernel_attr SimdSize=8"), LineKind::directive);
    EXPECT_EQ(kind_of(".decl V32 v_type=G type=d num_elts=8"), LineKind::declaration);
    EXPECT_EQ(kind_of("again:"), LineKind::label);
    EXPECT_EQ(kind_of("    mov (M1, 8) V32(0,0)<1> 0x1:d"), LineKind::other);
    EXPECT_TRUE(begins_function(".kernel \"k\""));
    EXPECT_TRUE(begins_function(".global_function \"f\""));
    EXPECT_FALSE(begins_function(".kernel_attr SimdSize=8"));
}

TEST(Lines, FoundByAnOffset) {
    const LineIndex index({"ab", "", "c"}); // begin at 0, 3 and 4
    EXPECT_EQ(index.line_of({.offset = 0}), 0U);
    EXPECT_EQ(index.line_of({.offset = 2}), 0U);
    EXPECT_EQ(index.line_of({.offset = 3}), 1U);
    EXPECT_EQ(index.line_of({.offset = 4}), 2U);
    EXPECT_EQ(index.line_of({.offset = 99}), 2U);
    EXPECT_EQ(LineIndex({}).line_of({.offset = 1}), 0U);
}

TEST(Lines, RemovedUntilNoneCanGoAlone) {
    Lines lines;
    std::vector<size_t> all;
    for (size_t i = 0; i < 64; ++i) {
        lines.push_back(std::to_string(i));
        all.push_back(i);
    }
    Lines left;
    size_t tests = 0;
    remove_lines(lines, all, [&](const Lines& candidate) {
        ++tests;
        const bool good = std::ranges::count(candidate, "5") == 1 && std::ranges::count(candidate, "41") == 1;
        if (good)
            left = candidate;
        return good;
    });
    EXPECT_EQ(left, (Lines{"5", "41"}));
    // Each halving leaves at most the two halves that hold one of them, and looks at each of at most four
    // chunks.
    EXPECT_LE(tests, 4U * 7);
}

TEST(Lines, OnlyTheNamedOnesAreRemoved) {
    Lines left;
    remove_lines({"a", "b", "c"}, {1}, [&](const Lines& candidate) {
        left = candidate;
        return true;
    });
    EXPECT_EQ(left, (Lines{"a", "c"}));
    remove_lines({"a"}, {}, [](const Lines&) -> bool {
        ADD_FAILURE() << "there is nothing to ask about";
        return true;
    });
}

} // namespace
} // namespace visor::reduce
