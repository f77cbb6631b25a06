// The paired resource: text of compilers since 2024 has one more operand between a sampler message's result
// and its parameters, older text has not, and no version tells them apart.
#include "reading.h"

#include "isa/row.h"
#include "isa/table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace visor::text {
namespace {

const Operand& operand_of(const Instruction& instruction, std::string_view name) {
    return instruction.operands.at(static_cast<size_t>(isa::operand_index(*instruction.row, name)));
}
size_t parameters(const Instruction& instruction) {
    return instruction.operands.size() -
           static_cast<size_t>(isa::operand_index(*instruction.row, "num_params")) - 1;
}

TEST(PairedResource, TheNullVariableInFrontOfParametersIsOne) {
    const Instruction older = read_one("load_lz.RGBA (M1, 16)  0x0:uw T6 V0034.0 V0032.0 V0036.0");
    EXPECT_EQ(operand_of(older, "paired_resource").kind, OperandKind::absent);
    EXPECT_EQ(operand_of(older, "num_params").value, 2U);
    EXPECT_EQ(parameters(older), 2U);

    const Instruction newer = read_one("load_lz.RGBA (M1, 16)  0x0:uw T6 V0034.0 %null.0 V0032.0 V0036.0");
    EXPECT_TRUE(is_null(operand_of(newer, "paired_resource")));
    EXPECT_EQ(operand_of(newer, "num_params").value, 2U);
    ASSERT_EQ(parameters(newer), 2U);
    EXPECT_EQ(newer.operands.back().id, older.operands.back().id);

    // Null coordinates behind it, and in front of nothing.
    EXPECT_EQ(parameters(read_one("load_lz.R (M1, 16) 0x0:uw T6 V0034.0 %null.0 %null.0 V0036.0")), 2U);
    const Instruction alone = read_one("load_lz.R (M1, 16) 0x0:uw T6 V0034.0 %null.0");
    EXPECT_EQ(operand_of(alone, "paired_resource").kind, OperandKind::absent);
    EXPECT_EQ(parameters(alone), 1U);
}

TEST(PairedResource, TextsOfBothAgesComeBack) {
    for (const char* line : {"load_lz.RGBA (M1, 16)  0x0:uw T6 V0034.0 %null.0 V0032.0 V0036.0",
                             "load_lz.RGBA (M1, 16)  0x0:uw T6 V0034.0 V0032.0 V0036.0",
                             "sample_lz.R (M1, 16)  0x0:uw S0 T6 V0034.0 %null.0 V0034.0",
                             "sample_lz.R (M1, 16)  0x0:uw S0 T6 V0034.0 %null.0 %null.0 V0034.0",
                             "sample_lz.R (M1, 16)  0x0:uw S0 T6 V0034.0 %null.0",
                             "sample4.R (M1, 16)  0x0:uw S0 T6 V0034.0 %null.0 V0034.0 V0034.0"})
        EXPECT_EQ(reprinted(line), line);
}

// Compilers for Xe3P write the handle of a surface as an element of a variable, with the index of a state.
TEST(StateHandle, ElementsOfVariablesAreRead) {
    for (const char* handle : {"V0034", "V0034(0,0)<0;1,0>[0]", "( V0034, 0)"}) {
        SCOPED_TRACE(handle);
        const Instruction one = read_one(
            fmt::format("load_lz.RGBA (M1, 16)  0x0:uw {}  V0032.0 %null.0 V0036.0 V0036.0", handle));
        const Operand& surface = operand_of(one, "surface");
        EXPECT_EQ(surface.kind, OperandKind::general);
        EXPECT_EQ(surface.row, 0);
        EXPECT_EQ(surface.column, 0);
        EXPECT_EQ(surface.region, (Region{0, 1, 0}));
        EXPECT_EQ(parameters(one), 2U);
    }
    EXPECT_EQ(reprinted("load_lz.R (M1, 16)  0x0:uw V0034(0,0)<0;1,0>[0]  V0032.0 %null.0 V0036.0"),
              "load_lz.R (M1, 16)  0x0:uw V0034 V0032.0 %null.0 V0036.0");
    const char* const element = "load_lz.R (M1, 16)  0x0:uw V0034(1,3)<0;1,0>[0] V0032.0 %null.0 V0036.0";
    EXPECT_EQ(operand_of(read_one(element), "surface").row, 1);
    EXPECT_EQ(operand_of(read_one(element), "surface").column, 3);
    EXPECT_EQ(reprinted(element), element);
}

TEST(StateHandle, OneElementAndTheFirstState) {
    const auto refusal = [](std::string_view handle) {
        const Reading reading =
            read_lines(fmt::format("    load_lz.R (M1, 16) 0x0:uw {} V0032.0 %null.0 V0036.0\n", handle));
        return reading.diagnostics.all().empty() ? "" : reading.diagnostics.all()[0].message;
    };
    EXPECT_EQ(refusal("V0034(0,0)<1;1,0>[0]"), "the handle of a state is one element: its region is <0;1,0>");
    EXPECT_NE(refusal("V0034(0,0)<0;1,0>[1]").find("the index of a state"), std::string::npos);
    EXPECT_EQ(refusal("V0034(0,0)<0;1,0>"), "expected `[`, found `V0032`");
}

// Every message has room for one: all its parameters with it, and none more.
TEST(PairedResource, EveryMessageCountsItsParameters) {
    size_t messages = 0;
    for (const isa::Row* row : isa::table()) {
        if (row->form != isa::TextForm::sample_3d)
            continue;
        ++messages;
        SCOPED_TRACE(row->mnemonic);
        const bool samples = isa::operand_index(*row, "sampler") >= 0;
        const auto line = [&](std::string_view first, size_t count) {
            std::string text = fmt::format("{}.R (M1, 8) 0x0:uw {} V0034.0 {}", row->mnemonic,
                                           samples ? "S0 T6" : "T6", first);
            for (size_t i = 0; i < count; ++i)
                text += " V0034.0";
            return text;
        };
        const size_t most = isa::most_parameters(*row);
        EXPECT_EQ(read_lines("    " + line("", most) + "\n").reports(), std::vector<std::string>{});
        EXPECT_EQ(read_lines("    " + line("%null.0", most) + "\n").reports(), std::vector<std::string>{});
        const Reading other = read_lines("    " + line("V0032.0", most) + "\n");
        EXPECT_EQ(other.diagnostics.unsupported_count(), 1U) << "a paired resource that is no null variable";
        EXPECT_EQ(other.diagnostics.errors(), 0U);
        EXPECT_EQ(read_lines("    " + line("%null.0", most + 1) + "\n").diagnostics.unsupported_count(), 1U);
    }
    EXPECT_GT(messages, 40U);
}

TEST(PairedResource, MessagesHaveParameters) {
    const Reading reading = read_lines("    load_lz.R (M1, 16) 0x0:uw T6 V0034.0\n");
    ASSERT_EQ(reading.diagnostics.all().size(), 1U);
    EXPECT_EQ(reading.diagnostics.all()[0].rule, "missing-operand");
}

TEST(PairedResource, AnotherOneIsRefusedByName) {
    const Reading reading =
        read_lines("    load_lz.R (M1, 16) 0x0:uw T6 V0034.0 V0032.0 V0032.0 V0036.0 V0036.0\n");
    ASSERT_EQ(reading.diagnostics.all().size(), 1U);
    EXPECT_EQ(reading.diagnostics.all()[0].rule, "paired-resource");
    EXPECT_EQ(
        reading.diagnostics.all()[0].message,
        "`load_lz` takes up to 3 parameters behind its result, not 4: more of them, or a paired resource "
        "other than `%null`, are not supported yet");
}

} // namespace
} // namespace visor::text
