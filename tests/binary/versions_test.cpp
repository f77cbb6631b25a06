// Older versions: what was narrower or missing then. Files are put together by hand.
#include "sample.h"

#include "isa/table.h"

#include <gtest/gtest.h>

namespace visor::test {
namespace {

struct Layout {
    unsigned major;
    unsigned minor;
    [[nodiscard]] bool before(unsigned other) const { return major == 3 && minor < other; }
};

// One kernel "k" with V32 (16 x d), A0, P1, S0, T6, an input of V32, and this code.
Bytes file_of(Layout version, std::string_view code) {
    const auto wide = [&](ByteList& list, unsigned value) {
        if (version.before(4))
            list.u16({value});
        else
            list.u32({value});
    };
    ByteList routine;
    wide(routine, 6);
    routine.strings({"k", "V32", "A0", "P1", "S0", "T6"});
    wide(routine, 0);
    wide(routine, 1);
    wide(routine, 1);
    routine.u8({0x51}).u16({16});
    wide(routine, 0);
    routine.u16({0}).u8({0, 0});
    routine.u16({1});
    wide(routine, 2);
    routine.u16({4}).u8({0});
    routine.u16({1});
    wide(routine, 3);
    routine.u16({16}).u8({0});
    routine.u16({0});
    routine.u8({1});
    wide(routine, 4);
    routine.u16({1}).u8({0});
    routine.u8({1});
    wide(routine, 5);
    routine.u16({1}).u8({0});
    routine.u8({0});
    if (version.before(5))
        routine.u8({1});
    else
        routine.u32({1});
    routine.u8({0});
    wide(routine, 32);
    routine.u16({32, 64});
    const Bytes bytes = from_hex(code);
    routine.u32({static_cast<unsigned>(bytes.size()), routine.size() + 8 + 2}).u16({0}).append(bytes);

    ByteList file;
    file.text("CISA").u8({version.major, version.minor}).u16({1});
    if (version.before(7))
        file.u8({1});
    else
        file.u16({1});
    file.text("k");
    const unsigned header = file.size() + 12 + 2 + 2 + 1 + 2 + 2;
    file.u32({header, routine.size(), 0}).u16({0, 0}).u8({0}).u16({0, 0});
    return file.append(routine.bytes).bytes;
}

std::vector<Instruction> code_in(Layout version, std::string_view code) {
    const Module module = reread(file_of(version, code));
    if (module.functions.size() != 1)
        return {};
    const Function& function = module.functions[0];
    EXPECT_EQ(function.general.at(0).elements, 16U);
    EXPECT_EQ(function.general.at(0).name, "V32");
    EXPECT_EQ(function.surfaces.at(0).name, "T6");
    EXPECT_EQ(function.inputs.at(0).id, 32U);
    EXPECT_EQ(function.inputs.at(0).size, 64U);
    EXPECT_EQ(module.minor, version.minor);
    return function.code;
}

// mov (M1_NM, 16) V32(0,0)<1> 0x7:d, then ret; general ids are words before 3.4.
constexpr std::string_view old_mov = "29 84 00 00 00 20 00 00 00 00 02 05 01 07 00 00 00 34 00 00 00";
constexpr std::string_view mov = "29 84 00 00 00 20 00 00 00 00 00 00 02 05 01 07 00 00 00 34 00 00 00";

TEST(Versions, HaveNarrowerTables) {
    for (const unsigned minor : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
        SCOPED_TRACE(minor);
        const std::vector<Instruction> code = code_in({3, minor}, minor < 4 ? old_mov : mov);
        ASSERT_EQ(code.size(), 2U);
        EXPECT_EQ(code[0].execution, (Execution{16, 0, true}));
        EXPECT_EQ(code[0].operands.at(0).id, 32U);
        EXPECT_EQ(code[0].operands.at(1).value, 7U);
    }
    EXPECT_EQ(code_in({4, 0}, mov).size(), 2U);
    EXPECT_EQ(code_in({4, 1}, mov).size(), 2U);
}

TEST(Versions, NumberedMasksOtherwiseIn30) {
    // 0x14: M2; 0x94: the default mask.
    const auto with = [](std::string_view exec) {
        return code_in({3, 0}, "29 " + std::string(exec) + std::string(old_mov.substr(5)));
    };
    EXPECT_EQ(with("14").at(0).execution, (Execution{16, 4, false}));
    EXPECT_EQ(with("94").at(0).execution, (Execution{16, 0, false}));
    EXPECT_EQ(with("84").at(0).execution, (Execution{16, 0, true}));
    // gather.4 T6 0:ud V32.0 V32.0 with 16 elements and mask 9
    const auto gather =
        code_in({3, 0}, "39 02 00 91 06 05 00 00 00 00 00 20 00 00 00 20 00 00 00 34 00 00 00").at(0);
    EXPECT_EQ(gather.operands.at(2).value, 0x01U);
}

TEST(Versions, HadNoMaskToWaitForBefore31) {
    const std::vector<Instruction> old = code_in({3, 0}, "5b 34 00 00 00");
    ASSERT_EQ(old.size(), 2U);
    EXPECT_EQ(old[0].operands.at(0).kind, OperandKind::absent);
    const std::vector<Instruction> since = code_in({3, 1}, "5b 05 02 03 00 00 00 34 00 00 00");
    EXPECT_EQ(since.at(0).operands.at(0).value, 3U);
}

TEST(Versions, HadNoSharedFunctionInRawSendsBefore36) {
    // raw_sends (M1, 8), 1 and 1 registers to 1, descriptors 2 and 3, V32.0 V32.0 V32.0
    const std::string operands = "05 00 02 00 00 00 05 00 03 00 00 00 "
                                 "20 00 00 00 00 00 20 00 00 00 00 00 20 00 00 00 00 00 34 00 00 00";
    const std::vector<Instruction> old = code_in({3, 5}, "7a 00 03 00 00 01 01 01 " + operands);
    ASSERT_EQ(old.size(), 2U);
    EXPECT_EQ(old[0].operands.at(4).value, 0U);
    EXPECT_EQ(old[0].operands.at(5).value, 2U);
    const std::vector<Instruction> since = code_in({3, 6}, "7a 00 03 00 00 01 01 01 0c " + operands);
    ASSERT_EQ(since.size(), 2U);
    EXPECT_EQ(since[0].operands.at(4).value, 0x0cU);
    EXPECT_EQ(since[0].operands.at(6).value, 3U);
}

// sample_lz (sub-opcode 24) of two parameters: RGBA, offsets 0x123, S0, T6
TEST(Versions, HadSamplerOperationsInAByteBefore40) {
    const std::string rest = "00 06 20 00 00 00 00 00 02 20 00 00 00 00 00 20 00 00 00 00 00 34 00 00 00";
    const auto expect = [](const Instruction& sample, uint64_t flags) {
        EXPECT_STREQ(sample.row->mnemonic, "sample_lz");
        EXPECT_EQ(sample.operands.at(0).value, flags);
        EXPECT_EQ(sample.operands.at(1).value, 15U);
        EXPECT_EQ(sample.operands.at(2).value, 0x123U);
        EXPECT_EQ(sample.operands.size(), 10U) << "with the paired resource, which is absent";
        EXPECT_EQ(sample.operands.at(6).kind, OperandKind::absent);
    };
    expect(code_in({3, 7}, "6d 38 03 00 00 0f 05 02 23 01 00 00 " + rest).at(0), 1);
    expect(code_in({4, 0}, "6d 18 01 03 00 00 0f 05 02 23 01 00 00 " + rest).at(0), 1);
    expect(code_in({4, 1}, "6d 18 00 03 00 00 0f 05 02 23 01 00 00 " + rest).at(0), 0);
}

TEST(Versions, HadTexelOffsetsInAWordBefore34) {
    const std::string rest = "00 06 20 00 00 00 02 20 00 00 00 20 00 00 00 34 00 00 00";
    const Instruction sample = code_in({3, 3}, "6d 18 03 00 00 0f 23 01 " + rest).at(0);
    EXPECT_EQ(sample.operands.at(2).kind, OperandKind::immediate);
    EXPECT_EQ(sample.operands.at(2).type, isa::Type::uw);
    EXPECT_EQ(sample.operands.at(2).value, 0x123U);
    EXPECT_EQ(sample.operands.size(), 10U) << "with the paired resource, which is absent";
    EXPECT_EQ(sample.operands.at(6).kind, OperandKind::absent);
}

void expect_unsupported(Layout version, std::string_view code) {
    Diagnostics diagnostics;
    EXPECT_FALSE(binary::read(file_of(version, code), {}, diagnostics).has_value());
    EXPECT_EQ(count_rule(diagnostics, "unsupported-version"), 1U) << messages(diagnostics);
}

TEST(Versions, WithoutAKnownFormAreRefused) {
    expect_unsupported({2, 9}, mov);
    expect_unsupported({4, 2}, mov);
    expect_unsupported({5, 0}, mov);
    expect_unsupported({3, 1}, "4b 0f 00 06 20 00 00 00 20 00 00 00 20 00 00 00 20 00 00 00");
}

} // namespace
} // namespace visor::test
