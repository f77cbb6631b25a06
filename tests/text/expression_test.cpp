// Expressions, through the element count of a declaration.
#include "reading.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace visor::text {
namespace {

// 0 with a failure when refused.
uint32_t value(std::string_view expression) {
    const Reading reading = read_lines(fmt::format(".decl x v_type=G type=ub num_elts={}", expression));
    EXPECT_TRUE(reading.module.has_value()) << expression << '\n' << reading.rendered();
    return reading.module.has_value() ? reading.function().general.back().elements : 0;
}

std::string refusal(std::string_view expression) {
    const Reading reading = read_lines(fmt::format(".decl x v_type=G type=ub num_elts={}", expression));
    return reading.diagnostics.all().empty() ? "" : reading.diagnostics.all().front().rule;
}

TEST(Expression, Arithmetic) {
    EXPECT_EQ(value("2 + 3 * 4"), 14U);
    EXPECT_EQ(value("(2 + 3) * 4"), 20U);
    EXPECT_EQ(value("20 - 3 - 4"), 13U);
    EXPECT_EQ(value("17 / 5 + 17 % 5"), 5U);
    EXPECT_EQ(value("0x10 + 0XA"), 26U);
    EXPECT_EQ(value("- -7"), 7U);
    EXPECT_EQ(value("~-8"), 7U);
    EXPECT_EQ(value("!0 + !5"), 1U);
}

TEST(Expression, ShiftsAreSignedOrNot) {
    EXPECT_EQ(value("1 << 4"), 16U);
    EXPECT_EQ(value("(0 - 16 >> 2) + 5"), 1U) << "-4 + 5";
    EXPECT_EQ(value("(0 - 1) >>> 60"), 15U);
}

// `&` binds least, then `^`, then `|`, then the comparisons.
TEST(Expression, OperatorsBindAsInTheCompiler) {
    EXPECT_EQ(value("6 | 1 & 3"), 3U) << "(6|1)&3, where C has 6|(1&3)";
    EXPECT_EQ(value("3 ^ 1 | 1"), 2U) << "3^(1|1), where C has (3^1)|1";
    EXPECT_EQ(value("7 & 4 ^ 1"), 5U) << "7&(4^1)";
    EXPECT_EQ(value("2 | 1 == 1"), 3U) << "2|(1==1)";
    EXPECT_EQ(value("(1 < 2) + (2 > 1) + (2 <= 2) + (3 >= 4) + (1 != 2)"), 4U);
}

TEST(Expression, Condition) {
    EXPECT_EQ(value("1 ? 5 : 6"), 5U);
    EXPECT_EQ(value("0 ? 5 : 0 ? 6 : 7"), 7U);
}

TEST(Expression, SizesAndDispatch) {
    EXPECT_EQ(value("%sizeof(V0033)"), 512U);
    EXPECT_EQ(value("%sizeof V0035 / 2"), 64U);
    EXPECT_EQ(value("%sizeof(GRF)"), 32U);
    EXPECT_EQ(value("%sizeof(A0) + %sizeof(P1) + %sizeof(T6)"), 32U + 4U + 4U);
    const Reading wide = read(kernel(".kernel_attr SimdSize=16\n"
                                     ".decl x v_type=G type=d num_elts=%DispatchSimd\n"
                                     ".decl y v_type=G type=d num_elts=%sizeof(GRF)"),
                              {.grf_bytes = 64});
    ASSERT_TRUE(wide.module.has_value()) << wide.rendered();
    EXPECT_EQ(wide.function().general[5].elements, 16U);
    EXPECT_EQ(wide.function().general[6].elements, 64U);
}

TEST(Expression, AVariableMayBeCalledGrf) {
    const Reading reading = read_lines(".decl GRF v_type=G type=ub num_elts=3\n"
                                       ".decl x v_type=G type=ub num_elts=%sizeof(GRF)");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    EXPECT_EQ(reading.function().general.back().elements, 3U);
}

TEST(Expression, Refusals) {
    EXPECT_EQ(refusal("1 / 0"), "division-by-zero");
    EXPECT_EQ(refusal("1 % (2 - 2)"), "division-by-zero");
    EXPECT_EQ(refusal("1 << 64"), "shift-count");
    EXPECT_EQ(refusal("1 >> -1"), "shift-count");
    EXPECT_EQ(refusal("%DispatchSimd"), "no-simd-size");
    EXPECT_EQ(refusal("(1"), "syntax");
    EXPECT_EQ(refusal("1 +"), "syntax");
    EXPECT_EQ(refusal("%sizeof(nothing)"), "undeclared-variable");
    EXPECT_EQ(refusal("99999999999999999999"), "number-too-large");
}

TEST(Expression, WrapsInsteadOfOverflowing) {
    EXPECT_EQ(value("0x7fffffffffffffff + 1 == 0 - 0x7fffffffffffffff - 1"), 1U);
    EXPECT_EQ(value("(0x8000000000000000 / -1 == 0x8000000000000000) + (0x8000000000000000 % -1 == 0)"), 2U);
}

TEST(Expression, DepthIsBounded) {
    EXPECT_EQ(value(std::string(150, '(') + "1" + std::string(150, ')')), 1U);
    EXPECT_EQ(refusal(std::string(100000, '(')), "expression-too-deep");
    EXPECT_EQ(refusal(std::string(100000, '-') + "1"), "expression-too-deep");
    std::string conditions;
    for (int i = 0; i < 100000; ++i)
        conditions += "1?1:";
    EXPECT_EQ(refusal(conditions + "1"), "expression-too-deep");
}

} // namespace
} // namespace visor::text
