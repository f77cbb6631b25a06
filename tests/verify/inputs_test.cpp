// 4_visa_header, Input Variables.
#include "cases.h"

#include "text/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace visor::verify {

namespace {

using enum Expect;

const Case cases[] = {
    {.rule = "input-variable",
     .broken = ".decl x v_type=G type=ud num_elts=1 alias=<ud16, 0>\n.input {{x}} offset=64 size=4",
     .message = "the input `x` is an alias",
     .fixed = ".decl x v_type=G type=ud num_elts=1\n.input x offset=64 size=4",
     .igc = warning},
    {.rule = "input-variable",
     .broken = ".input {{ud1}} offset=64 size=4",
     .message = "the input is not a declared variable",
     .damage = [](Module& module) { module.functions[0].inputs[0].id = 7; }},
    {.rule = "input-variable",
     .broken = ".input {{T6}} offset=64 size=4",
     .message = "the input is not a declared surface",
     .damage = [](Module& module) { module.functions[0].inputs[0].id = 5; }},
    {.rule = "input-variable",
     .broken = ".input {{smp}} offset=64 size=4",
     .message = "the input is not a declared sampler",
     .damage = [](Module& module) { module.functions[0].inputs[0].id = 1; }},

    {.rule = "input-size",
     .broken = ".input {{ud16}} offset=64 size=128",
     .message = "the input `ud16` has 128 bytes, its variable 64",
     .fixed = ".input ud16 offset=64 size=64"},
    {.rule = "input-size",
     .broken = ".input {{ud16}} offset=64 size=32",
     .message = "the input `ud16` has 32 bytes, its variable 64",
     .fixed = ".input ud16 offset=64",
     .igc = warning},
    {.rule = "input-size",
     .broken = ".input {{T7}} offset=64 size=4",
     .message = "the input `T7` has 4 bytes, its variable 8",
     .fixed = ".input T7 offset=64 size=8",
     .igc = warning},

    {.rule = "duplicate-input",
     .broken = ".input ud16 offset=64 size=64\n.input {{ud16}} offset=128 size=64",
     .message = "`ud16` is an input already",
     .fixed = ".input ud16 offset=64 size=64\n.input d16 offset=128 size=64",
     .note = "first here"},
    {.rule = "duplicate-input",
     .broken = ".input T6 offset=64 size=4\n.input {{T6}} offset=96 size=4",
     .message = "`T6` is an input already",
     .fixed = ".input T6 offset=64 size=4\n.input smp offset=96 size=4",
     .igc = warning},

    {.rule = "input-alignment",
     .broken = ".input {{ud16}} offset=68 size=64",
     .message = "the input `ud16` is at offset 68, no multiple of 32",
     .fixed = ".input ud16 offset=96 size=64",
     .igc = warning},
    {.rule = "input-alignment",
     .broken = ".input {{ud16}} offset=96 size=64",
     .message = "the input `ud16` is at offset 96, no multiple of 64",
     .fixed = ".input ud16 offset=128 size=64",
     .igc = warning,
     .device = "pvc"},
    {.rule = "input-alignment",
     .broken = ".input {{uq1}} offset=68 size=8",
     .message = "the input `uq1` is at offset 68, no multiple of 8",
     .fixed = ".input uq1 offset=72 size=8",
     .igc = warning},

    {.rule = "input-range",
     .broken = ".input {{ud1}} offset=8160 size=4",
     .message = "the input `ud1` lies in bytes 8160 to 8164, outside the register file",
     .fixed = ".input ud1 offset=8156 size=4"},
    {.rule = "input-range",
     .broken = ".input {{ud1}} offset=-4 size=4",
     .message = "the input `ud1` lies in bytes -4 to 0, outside the register file",
     .fixed = ".input ud1 offset=32 size=4"},
    {.rule = "input-range",
     .broken = ".input {{ud1}} offset=0 size=4",
     .message = "the input `ud1` lies in register 0, which holds the thread's header",
     .fixed = ".input ud1 offset=32 size=4",
     .spec = warning,
     .igc = warning},
    {.rule = "input-range",
     .broken = ".decl x v_type=G type=ud num_elts=3\n.input {{x}} offset=56 size=12",
     .message = "the input `x` of 12 bytes at offset 56 crosses a register of 32 bytes",
     .fixed = ".decl x v_type=G type=ud num_elts=3\n.input x offset=52 size=12"},

    {.rule = "input-overlap",
     .broken = ".input ud1 offset=64 size=4\n.input {{uw1}} offset=66 size=2",
     .message = "two inputs share byte 66 of the register file",
     .fixed = ".input ud1 offset=64 size=4\n.input uw1 offset=68 size=2"},
    // One that ends later hides behind one in between.
    {.rule = "input-overlap",
     .broken = ".input ud16 offset=64 size=64\n.input {{ud1}} offset=124 size=4",
     .message = "two inputs share byte 124 of the register file",
     .fixed = ".input ud16 offset=64 size=64\n.input ud1 offset=128 size=4"},
    // Pseudo inputs arrive nowhere.
    {.rule = "input-overlap",
     .broken = ".input ud1 offset=64 size=4\n.input {{d1}} offset=64 size=4",
     .message = "two inputs share byte 64 of the register file",
     .fixed = ".input ud1 offset=64 size=4\n.implicit_PSEUDO_INPUT d1 offset=64 size=4"},
};

TEST(Inputs, EachCase) {
    check(cases);
}

// ---- aliases: the pages forbid them for inputs, the implementation takes them ----

// "line:column message; note line:column" of what shares bytes. Both profiles refuse the same.
std::vector<std::string> shared(std::string_view declarations) {
    const std::string source = prologue + std::string(declarations) + "\nret (M1, 1)\n";
    const auto lines = std::ranges::count(std::string_view(prologue), '\n');
    const auto place = [&](const std::optional<Location>& where) {
        const LineColumn at = line_column(source, where.value_or(Location{}).offset);
        return fmt::format("{}:{}", at.line - lines, at.column);
    };
    Diagnostics parsing;
    const auto module = text::parse(source, {}, parsing);
    EXPECT_TRUE(module) << declarations;
    std::vector<std::string> by_profile[2];
    for (const Profile profile : {Profile::spec, Profile::igc}) {
        Diagnostics diagnostics;
        verify(*module, {.profile = profile}, diagnostics);
        for (const Diagnostic& one : diagnostics.all()) {
            if (one.severity == Severity::error &&
                (one.rule == "input-overlap" || one.rule == "duplicate-input"))
                by_profile[profile == Profile::igc].push_back(fmt::format("{} {}; {} {}", place(one.where),
                                                                          one.message, one.notes[0].message,
                                                                          place(one.notes[0].where)));
        }
    }
    EXPECT_EQ(by_profile[0], by_profile[1]) << declarations;
    return by_profile[1];
}

using Told = std::vector<std::string>;

TEST(Inputs, AliasesThatShareBytesAreRefused) {
    EXPECT_EQ(shared(".decl a v_type=G type=ud num_elts=8 alias=<ud16, 0>\n"
                     ".decl b v_type=G type=uw num_elts=2 alias=<ud16, 30>\n"
                     ".input a offset=64 size=32\n"
                     ".input b offset=96 size=4"),
              Told{"4:8 the inputs `a` and `b` share byte 30 of `ud16`; the other input 3:8"})
        << "the last two bytes";
    EXPECT_EQ(shared(".decl a v_type=G type=ud num_elts=8 alias=<ud16, 32>\n"
                     ".decl b v_type=G type=d num_elts=8 alias=<a, 0>\n"
                     ".input a offset=64 size=32\n"
                     ".input b offset=96 size=32"),
              Told{"4:8 the inputs `a` and `b` share byte 32 of `ud16`; the other input 3:8"})
        << "the same bytes, by an alias of an alias";
    EXPECT_EQ(shared(".decl a v_type=G type=ud num_elts=1 alias=<ud16, 40>\n"
                     ".input a offset=128 size=4\n"
                     ".input ud16 offset=64 size=64"),
              Told{"2:8 the inputs `ud16` and `a` share byte 40 of `ud16`; the other input 3:8"})
        << "a variable and a part of it";
    EXPECT_EQ(shared(".decl a v_type=G type=ud num_elts=12 alias=<ud16, 0>\n"
                     ".decl b v_type=G type=ud num_elts=1 alias=<ud16, 4>\n"
                     ".decl c v_type=G type=ud num_elts=1 alias=<ud16, 44>\n"
                     ".input a offset=64 size=48\n"
                     ".input b offset=128 size=4\n"
                     ".input c offset=132 size=4"),
              (Told{"5:8 the inputs `a` and `b` share byte 4 of `ud16`; the other input 4:8",
                    "6:8 the inputs `a` and `c` share byte 44 of `ud16`; the other input 4:8"}))
        << "a short one in between";
    EXPECT_EQ(shared(".decl a v_type=G type=ud num_elts=8 alias=<ud16, 0>\n"
                     ".decl b v_type=G type=ud num_elts=8 alias=<ud16, 28>\n"
                     ".input a offset=64 size=0\n"
                     ".implicit_LOCAL_SIZE b offset=64 size=0"),
              Told{"4:22 the inputs `a` and `b` share byte 28 of `ud16`; the other input 3:8"})
        << "a launch fills the variable, whatever size its input names";
}

TEST(Inputs, OfPredefinedVariablesAreRefused) {
    EXPECT_EQ(shared(".decl a v_type=G type=ud num_elts=1 alias=<%r0, 4>\n"
                     ".input a offset=64 size=4"),
              Told{"2:8 the input `a` shares bytes with the predefined variable `%r0`; declared here 1:7"});
    EXPECT_EQ(shared(".decl a v_type=G type=ud num_elts=1 alias=<%group_id_x, 0>\n"
                     ".decl b v_type=G type=uw num_elts=1 alias=<a, 2>\n"
                     ".input b offset=64 size=2"),
              Told{"3:8 the input `b` shares bytes with the predefined variable `%group_id_x`; declared here "
                   "2:7"});
}

TEST(Inputs, TwiceWithoutASizeAreRefused) {
    EXPECT_EQ(shared(".input ud16 offset=64 size=0\n"
                     ".input ud16 offset=64 size=0"),
              Told{"2:8 `ud16` is an input already; first here 1:8"});
}

// In one dword, too: what an engine believes of an input it believes of that input's bytes alone.
TEST(Inputs, AliasesSideBySideAreTaken) {
    EXPECT_EQ(shared(".decl a v_type=G type=uw num_elts=1 alias=<ud16, 0>\n"
                     ".decl b v_type=G type=uw num_elts=1 alias=<ud16, 2>\n"
                     ".decl c v_type=G type=ud num_elts=8 alias=<ud16, 32>\n"
                     ".decl d v_type=G type=ud num_elts=8 alias=<ud16, 28>\n"
                     ".input a offset=64 size=2\n"
                     ".input b offset=66 size=2\n"
                     ".input c offset=96 size=32\n"
                     ".implicit_PSEUDO_INPUT d offset=128 size=32\n"
                     ".input T6 offset=160 size=4"),
              Told{});
}

} // namespace

std::span<const Case> input_cases() {
    return cases;
}

} // namespace visor::verify
