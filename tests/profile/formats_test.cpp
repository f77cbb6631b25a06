// What stands in the files of viewers, written by hand from their formats' pages.
#include "profile/formats.h"

#include "text/text.h"

#include <gtest/gtest.h>

namespace visor::profile {
namespace {

// Lines of the source 7 and 9, and an instruction of the compiler's own before them.
constexpr std::string_view with_lines = R"(.version 4.1
.kernel "k"
.decl V32 v_type=G type=d num_elts=8 align=GRF
    mov (M1, 8) V32(0,0)<1> 0x0:d
    FILE "k.cl"
    LOC 7
    mov (M1, 8) V32(0,0)<1> 0x1:d
    mov (M1, 8) V32(0,0)<1> 0x2:d
    LOC 9
    ret (M1, 1)
)";
constexpr std::string_view without_lines = R"(.version 4.1
.kernel "b;ad"
.decl V32 v_type=G type=d num_elts=8 align=GRF
    mov (M1, 8) V32(0,0)<1> 0x0:d
again:
    ret (M1, 1)
)";

FunctionCosts costs_of(std::string_view text, const std::vector<uint64_t>& executed) {
    Diagnostics diagnostics;
    auto module = text::parse(text, {}, diagnostics);
    if (!module)
        ADD_FAILURE() << diagnostics.all().front().message;
    FunctionCosts out;
    out.function = std::make_shared<const Function>(std::move(module->functions.front()));
    out.kernel = out.function;
    out.text_name = "k.visaasm";
    out.text = text;
    out.costs.resize(out.function->code.size());
    size_t next = 0;
    for (size_t i = 0; i < out.costs.size(); ++i)
        if (runs(out.function->code[i]))
            out.costs[i].executed = executed.at(next++);
    EXPECT_EQ(next, executed.size());
    return out;
}

Profile two_kernels() {
    Profile profile;
    profile.launches = 2;
    profile.functions.push_back(costs_of(with_lines, {4, 4, 3, 0}));
    profile.functions.push_back(costs_of(without_lines, {2, 1}));
    profile.functions[0].costs[4].bytes = 64; // the instruction behind LOC 7
    profile.functions[0].costs[4].lines = 2;
    return profile;
}

TEST(Formats, ByLine) {
    const Profile profile = two_kernels();
    const FileCosts source = by_line(profile.functions[0], Lines::source);
    ASSERT_EQ(source.size(), 1U);
    const auto& lines = source.at("k.cl");
    EXPECT_EQ(lines.at(0).costs.executed, 4U);
    EXPECT_EQ(lines.at(7).costs.executed, 7U);
    EXPECT_EQ(lines.at(7).most_executed, 4U);
    EXPECT_EQ(lines.at(9).costs.executed, 0U);
    const FileCosts visa = by_line(profile.functions[0], Lines::visa);
    EXPECT_EQ(visa.at("k.visaasm").at(4).costs.executed, 4U);
    EXPECT_EQ(visa.at("k.visaasm").at(8).costs.executed, 3U);
    // Without lines of a source both are the text's; a label is no instruction.
    const FileCosts other = by_line(profile.functions[1], Lines::source);
    const auto& text = other.at("k.visaasm");
    EXPECT_EQ(text.size(), 2U);
    EXPECT_EQ(text.at(6).costs.executed, 1U);
}

TEST(Formats, Callgrind) {
    const std::string text = callgrind_of(two_kernels(), Lines::source, "visor 1");
    EXPECT_TRUE(text.starts_with(
        "# callgrind format\nversion: 1\ncreator: visor 1\ncmd: 2 launches\npositions: line\n"));
    EXPECT_NE(
        text.find("\nevents: Instructions Lanes PossibleLanes Reads Writes Atomics Bytes Lines LeastLines "
                  "SlmRounds Waited\nsummary: 14 0 0 0 0 0 64 2 0 0 0\n"),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("\nfl=k.cl\nfn=k\n0 4 0 0 0 0 0 0 0 0 0 0\n7 7 0 0 0 0 0 64 2 0 0 0\n\n"
                        "fl=k.visaasm\nfn=b;ad\n4 2 0 0 0 0 0 0 0 0 0 0\n6 1 0 0 0 0 0 0 0 0 0 0\n\n"
                        "totals: 14 0 0 0 0 0 64 2 0 0 0\n"),
              std::string::npos)
        << text;
}

TEST(Formats, CollapsedStacks) {
    Profile profile = two_kernels();
    profile.functions[1].kernel = profile.functions[0].function; // a function that k called
    EXPECT_EQ(collapsed_of(profile, Lines::source), "k;k.cl:0 4\nk;k.cl:7 7\nk;b:ad;k.visaasm:4 2\n"
                                                    "k;b:ad;k.visaasm:6 1\n");
}

TEST(Formats, Lcov) {
    EXPECT_EQ(lcov_of(two_kernels()), R"(TN:
SF:k.cl
FN:7,k
FNDA:4,k
FNF:1
FNH:1
DA:7,4
DA:9,0
LF:2
LH:1
end_of_record
TN:
SF:k.visaasm
FN:4,b;ad
FNDA:2,b;ad
FNF:1
FNH:1
DA:4,2
DA:6,1
LF:2
LH:2
end_of_record
)");
}

TEST(Formats, NamesStayOnTheirLine) {
    Profile profile;
    profile.functions.push_back(costs_of(without_lines, {1, 1}));
    profile.functions[0].text_name = "a\nfn=other\x1b";
    const std::string text = callgrind_of(profile, Lines::source, "visor");
    EXPECT_NE(text.find("\nfl=a fn=other\\x1b\n"), std::string::npos) << text;
}

} // namespace
} // namespace visor::profile
