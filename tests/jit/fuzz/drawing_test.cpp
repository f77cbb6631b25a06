// What the fuzzer's own parts promise: how long programs are, that what they write is compared, and that
// counts of several processes add up.
#include "maker.h"
#include "tally.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace visor::jit_fuzz {

namespace {

constexpr uint64_t programs = 2000;

void add_lines(const Node& node, std::vector<std::string>& lines) {
    lines.insert(lines.end(), node.before.begin(), node.before.end());
    for (const Node& child : node.body)
        add_lines(child, lines);
    lines.insert(lines.end(), node.after.begin(), node.after.end());
}

// "V3" of "(P1) add (M1, 8) V3_ud(0,0)<1> ..."; "": the first operand is no variable's region.
std::string written_by(const std::string& line) {
    const size_t execution = line.find("(M");
    const size_t end = line.find(") ", execution);
    if (execution == std::string::npos || end == std::string::npos || line[end + 2] != 'V')
        return "";
    const size_t name = end + 2;
    const size_t region = line.find_first_of("(. ", name);
    const size_t view = line.find('_', name);
    if (region == std::string::npos || line[region] != '(' || view > region)
        return "";
    return line.substr(name, view - name);
}

} // namespace

TEST(JitFuzzMaker, MostProgramsAreShortAndSomeAreLong) {
    size_t all = 0;
    size_t longest = 0;
    size_t shortest = SIZE_MAX;
    size_t of_few = 0;
    for (uint64_t seed = 1; seed <= programs; ++seed) {
        const size_t count = instruction_count(Maker(seed).make());
        all += count;
        longest = std::max(longest, count);
        shortest = std::min(shortest, count);
        of_few += count <= 20 ? 1 : 0;
    }
    EXPECT_LT(all, programs * 20);
    EXPECT_GE(longest, 60U);
    EXPECT_LE(shortest, 6U);
    EXPECT_GT(of_few, programs / 2);
    EXPECT_LT(of_few, programs * 9 / 10); // those of 20 to 60 are drawn, too
}

TEST(JitFuzzMaker, ShortProgramsStoreWhatTheyWrite) {
    size_t written = 0;
    for (uint64_t seed = 1; seed <= programs; ++seed) {
        const Recipe recipe = Maker(seed).make();
        if (instruction_count(recipe) > 20)
            continue; // may be a large one, which stores three of four variables
        std::vector<std::string> body;
        for (const Node& node : recipe.code.body)
            add_lines(node, body);
        for (const std::string& line : body) {
            const std::string variable = written_by(line);
            if (variable.empty())
                continue;
            ++written;
            EXPECT_TRUE(std::ranges::any_of(recipe.code.after,
                                            [&variable](const std::string& stored) {
                                                return stored.find(" OUT ") != std::string::npos &&
                                                       stored.find(' ' + variable + "_ud.") !=
                                                           std::string::npos;
                                            }))
                << "seed " << seed << ": " << line;
        }
    }
    EXPECT_GT(written, programs / 2);
}

TEST(JitFuzzMaker, ASeedGivesOneProgram) {
    for (uint64_t seed = 1; seed <= 50; ++seed)
        EXPECT_EQ(text_of(Maker(seed).make()), text_of(Maker(seed).make()));
    EXPECT_NE(text_of(Maker(1).make()), text_of(Maker(2).make()));
}

TEST(JitFuzzTally, CountsAddUpInAnyOrder) {
    const Recipe first = Maker(1).make();
    Recipe second = Maker(2).make();
    Tally one;
    one.count({.instructions = 5, .lines_refused = 2}, first);
    Tally other;
    other.count({.verdict = Verdict::endless, .instructions = 7}, second);
    Tally there;
    there.add(one);
    there.add(other);
    Tally back;
    back.add(other);
    back.add(one);
    EXPECT_EQ(there.programs, 2U);
    EXPECT_EQ(there.executed, 12U);
    EXPECT_EQ(there.lines_refused, 2U);
    EXPECT_EQ(there.endless, 1U);
    EXPECT_EQ(there.digest, back.digest);
    EXPECT_NE(there.digest, one.digest);
    second.setting.level = 2; // the same program, elsewhere
    Tally lower;
    lower.count({}, second);
    EXPECT_EQ(lower.digest, other.digest);
    EXPECT_EQ(lower.levels[2], 1U);
}

} // namespace visor::jit_fuzz
