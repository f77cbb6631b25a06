#include "diagnostic/diagnostic.h"
#include "diagnostic/limits.h"

#include <gtest/gtest.h>

namespace visor {
namespace {

TEST(LineColumn, CountsFromOne) {
    EXPECT_EQ(line_column("ab\ncd", 0).line, 1U);
    EXPECT_EQ(line_column("ab\ncd", 4).line, 2U);
    EXPECT_EQ(line_column("ab\ncd", 4).column, 2U);
    EXPECT_EQ(line_column("ab\ncd", 99).column, 3U) << "past the end means the end";
}

TEST(Location, OfWhatAnInputSaysLiesInsideIt) {
    EXPECT_EQ(within(2, 3, 8), (Location{2, 3}));
    EXPECT_EQ(within(6, 3, 8), (Location{6, 2}));
    EXPECT_EQ(within(8, 1, 8), (Location{8, 0}));
    EXPECT_EQ(within(UINT64_MAX, UINT64_MAX, 8), (Location{8, 0}));
    EXPECT_EQ(within(1, UINT64_MAX, 8), (Location{1, 7}));
}

TEST(LineStarts, SaysTheSame) {
    const LineStarts lines("ab\n\ncd");
    const auto place = [&](uint32_t offset) {
        const LineColumn found = lines.place_of(offset);
        return std::pair(found.line, found.column);
    };
    EXPECT_EQ(place(0), std::pair(1U, 1U));
    EXPECT_EQ(place(2), std::pair(1U, 3U)) << "a line's end is a part of it";
    EXPECT_EQ(place(3), std::pair(2U, 1U));
    EXPECT_EQ(place(4), std::pair(3U, 1U));
    EXPECT_EQ(place(99), std::pair(3U, 3U)) << "past the end means the end";
    EXPECT_EQ(lines.line_of(1), "ab");
    EXPECT_EQ(lines.line_of(3), "");
    EXPECT_EQ(lines.line_of(99), "cd");
    EXPECT_EQ(LineStarts("").place_of(0).line, 1U);
}

TEST(Render, ShowsFileLineCaretRuleAndNotes) {
    Diagnostics diagnostics;
    diagnostics.error(Location{8, 5}, "undeclared-variable", "`V0099` is not declared")
        .notes.push_back({Location{0, 3}, "declarations come before use"});
    const SourceView source{"k.visaasm", "mov\nadd V0099\n", false};
    EXPECT_EQ(render(diagnostics, source, Color::off),
              "k.visaasm:2:5: error: `V0099` is not declared [undeclared-variable]\n"
              "    add V0099\n"
              "        ^~~~~\n"
              "k.visaasm:1:1: note: declarations come before use\n"
              "    mov\n"
              "    ^~~\n");
}

TEST(Render, BinaryGivesOffsets) {
    Diagnostics diagnostics;
    diagnostics.error(Location{0x1c, 1}, "bad-tag", "no such operand class");
    const SourceView source{"k.isa", "", true};
    EXPECT_EQ(render(diagnostics, source, Color::off),
              "k.isa:0x1c: error: no such operand class [bad-tag]\n");
}

TEST(Diagnostics, CountsPastTheLimit) {
    Diagnostics diagnostics(2);
    for (int i = 0; i < 5; ++i)
        diagnostics.error(std::nullopt, "r", "m");
    EXPECT_EQ(diagnostics.all().size(), 2U);
    EXPECT_EQ(diagnostics.errors(), 5U);
    EXPECT_EQ(diagnostics.dropped(), 3U);
    EXPECT_FALSE(diagnostics.ok());
}

TEST(Nearest, FindsTypingMistakesOnly) {
    const std::vector<std::string_view> names{"saxpy", "mandelbrot", "reduce"};
    EXPECT_EQ(did_you_mean("saxyp", names), " (did you mean `saxpy`?)");
    EXPECT_EQ(did_you_mean("histogram", names), "");
}

TEST(Diagnostics, KeepsSoManyWarnings) {
    Diagnostics some;
    Diagnostics all(SIZE_MAX);
    for (int i = 0; i < 1003; ++i) {
        some.warning(Location{}, "w", "m");
        all.warning(Location{}, "w", "m");
    }
    EXPECT_EQ(some.all().size(), 1000U);
    EXPECT_EQ(some.warnings(), 1003U);
    EXPECT_EQ(dropped_warnings(some), 3U);
    EXPECT_TRUE(some.ok());
    EXPECT_TRUE(render(some, {"a", "x"}, Color::off).ends_with("a: note: 3 further warnings not shown\n"));
    EXPECT_EQ(all.all().size(), 1003U);
    EXPECT_EQ(not_shown(all, "a"), "");
}

TEST(Diagnostics, MessagesDoNotCommandTheTerminal) {
    Diagnostics diagnostics;
    diagnostics.error(Location{0, 1}, "r", "`\x1b[2J`");
    EXPECT_EQ(render(diagnostics, {"a", "\x1b\xc2\x9bx"}, Color::off),
              "a:1:1: error: `\\x1b[2J` [r]\n     \\xc2\\x9bx\n    ^\n");
}

} // namespace
} // namespace visor
