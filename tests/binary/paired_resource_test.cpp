// The paired resource of sampler messages in binaries: compilers since 2024 write it behind the result, under
// the version that older ones write as well.
#include "sample.h"

#include "isa/row.h"

#include <gtest/gtest.h>

namespace visor::test {
namespace {

constexpr std::string_view declarations = ".decl V32 v_type=G type=f num_elts=64 align=GRF\n"
                                          ".decl V33 v_type=G type=ud num_elts=16 align=GRF\n"
                                          ".decl T6 v_type=T num_elts=1";

Bytes binary_of(std::string_view operands) {
    return written(parsed(kernel_text(declarations, "    load_lz.R (M1, 16) 0x0:uw T6 " +
                                                        std::string(operands) + "\n    ret (M1, 1)")));
}
// 6e op(2) exec pred(2) channels aoffimmi(1+1+4) surface dst(6), then [paired(6)] count params
constexpr size_t behind_result = 1 + 2 + 1 + 2 + 1 + 6 + 1 + 6;

TEST(PairedResource, StandsBehindTheResult) {
    const Bytes older = code_of(binary_of("V32.0 V33.0 V33.0"));
    const Bytes newer = code_of(binary_of("V32.0 %null.0 V33.0 V33.0"));
    ASSERT_EQ(newer.size(), older.size() + 6);
    EXPECT_EQ(std::to_integer<unsigned>(older.at(behind_result)), 2U) << "the count";
    for (size_t i = 0; i < 6; ++i)
        EXPECT_EQ(std::to_integer<unsigned>(newer.at(behind_result + i)), 0U) << i;
    EXPECT_EQ(std::to_integer<unsigned>(newer.at(behind_result + 6)), 2U);
}

TEST(PairedResource, BothAgesComeBack) {
    for (const char* operands :
         {"V32.0 V33.0 V33.0", "V32.0 %null.0 V33.0 V33.0", "V32.0 %null.0 %null.0 V33.0", "V32.0 %null.0"}) {
        SCOPED_TRACE(operands);
        const Module module = parsed(kernel_text(
            declarations, "    load_lz.R (M1, 16) 0x0:uw T6 " + std::string(operands) + "\n    ret (M1, 1)"));
        EXPECT_TRUE(same(reread(written(module)), carried(module)));
    }
}

TEST(PairedResource, AnotherOneIsRefused) {
    const Bytes good = binary_of("V32.0 %null.0 V33.0 V33.0");
    const size_t at = good.size() - code_of(good).size() + behind_result;
    for (const unsigned id : {33U, 0x0100U}) { // variable 33, and one whose number begins with a 0
        Bytes other = good;
        other[at] = static_cast<std::byte>(id & 0xffU);
        other[at + 1] = static_cast<std::byte>(id >> 8U);
        Diagnostics diagnostics;
        static_cast<void>(binary::read(other, {}, diagnostics));
        EXPECT_EQ(count_rule(diagnostics, "paired-resource"), 1U) << messages(diagnostics);
        EXPECT_FALSE(diagnostics.ok());
    }
}

TEST(PairedResource, StandsInFrontOfParameters) {
    const Bytes good = binary_of("V32.0 %null.0 V33.0 V33.0");
    const size_t count = good.size() - code_of(good).size() + behind_result + 6;
    for (const unsigned wrong : {0U, 4U, 16U}) { // load_lz has u, v and r
        Bytes other = good;
        other[count] = static_cast<std::byte>(wrong);
        Diagnostics diagnostics;
        static_cast<void>(binary::read(other, {}, diagnostics));
        EXPECT_EQ(count_rule(diagnostics, "bad-operand"), 1U) << messages(diagnostics);
        EXPECT_FALSE(diagnostics.ok());
    }
}

} // namespace
} // namespace visor::test
