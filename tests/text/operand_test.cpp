// Operands as module data.
#include "reading.h"

#include <gtest/gtest.h>

namespace visor::text {
namespace {

Operand source(std::string_view spelling) {
    const Instruction read = read_one("mov (M1, 16) V0036(0,0)<1> " + std::string(spelling));
    return read.operands.size() == 2 ? read.operands[1] : Operand{};
}
Operand destination(std::string_view spelling) {
    const Instruction read = read_one("mov (M1, 16) " + std::string(spelling) + " V0036(0,0)<1;1,0>");
    return read.operands.empty() ? Operand{} : read.operands[0];
}

TEST(Operand, GeneralSource) {
    const Operand operand = source("V0032(3,4)<8;4,2>");
    EXPECT_EQ(operand.kind, OperandKind::general);
    EXPECT_EQ(operand.id, 32U);
    EXPECT_EQ(operand.row, 3);
    EXPECT_EQ(operand.column, 4);
    EXPECT_EQ(operand.region, (Region{8, 4, 2}));
    EXPECT_EQ(operand.modifier, SourceModifier::none);
    EXPECT_TRUE(operand.same(source("V0032 ( 3 , 2+2 ) < 8 ; 2*2 , 2 >")));
}

TEST(Operand, Modifiers) {
    EXPECT_EQ(source("(-)V0036(0,0)<1;1,0>").modifier, SourceModifier::neg);
    EXPECT_EQ(source("(abs) V0036(0,0)<1;1,0>").modifier, SourceModifier::abs);
    EXPECT_EQ(source("(-abs)V0036(0,0)<1;1,0>").modifier, SourceModifier::neg_abs);
    EXPECT_EQ(source("(~)V0036(0,0)<1;1,0>").modifier, SourceModifier::bit_not);
    EXPECT_EQ(source("(-)r[A0(0),0]<1,0>:d").modifier, SourceModifier::neg);
}

TEST(Operand, GeneralDestination) {
    const Operand operand = destination("V0032(1,2)<4>");
    EXPECT_EQ(operand.kind, OperandKind::general);
    EXPECT_EQ(operand.row, 1);
    EXPECT_EQ(operand.column, 2);
    EXPECT_EQ(operand.region, (Region{region_absent, region_absent, 4}));
    EXPECT_TRUE(destination("V0032<2>").same(destination("V0032(0,0)<2>")));
}

TEST(Operand, Indirect) {
    const Operand rows = source("r[A0(3),-16]<1,0>:uw");
    EXPECT_EQ(rows.kind, OperandKind::indirect);
    EXPECT_EQ(rows.id, 0U);
    EXPECT_EQ(rows.column, 3);
    EXPECT_EQ(rows.offset, -16);
    EXPECT_EQ(rows.type, isa::Type::uw);
    EXPECT_EQ(rows.region, (Region{region_absent, 1, 0}));
    EXPECT_EQ(source("r[A0(0), 4]<4;4,1>:F").region, (Region{4, 4, 1}));
    EXPECT_EQ(source("r[A0(0)]<1;1,0>:d").offset, 0);
    const Operand written = destination("r[A0(0),8]<2>:d");
    EXPECT_EQ(written.kind, OperandKind::indirect);
    EXPECT_EQ(written.region, (Region{region_absent, region_absent, 2}));
}

TEST(Operand, AddressAndAddressOf) {
    const Instruction read = read_one("addr_add (M1, 8) A0(2)<8> &V0033[64] V0035(0,0)<1;1,0>");
    ASSERT_EQ(read.operands.size(), 3U);
    EXPECT_EQ(read.operands[0].kind, OperandKind::address);
    EXPECT_EQ(read.operands[0].column, 2);
    EXPECT_EQ(read.operands[0].width, 8);
    EXPECT_EQ(read.operands[1].kind, OperandKind::address_of);
    EXPECT_EQ(read.operands[1].id, 33U);
    EXPECT_EQ(read.operands[1].offset, 64);
    const Instruction surface = read_one("addr_add (M1, 1) A0(0)<1> &T6 0x10:uw");
    EXPECT_EQ(surface.operands[1].klass, 4);
    EXPECT_EQ(surface.operands[1].id, 6U);
}

TEST(Operand, StatesAndPredicates) {
    const Instruction states = read_one("movs (M1_NM, 1) S0(0) T6(3)");
    EXPECT_EQ(states.operands[0].kind, OperandKind::state_sampler);
    EXPECT_EQ(states.operands[1].kind, OperandKind::state_surface);
    EXPECT_EQ(states.operands[1].column, 3);
    const Instruction logic = read_one("and (M1_NM, 16) P1 P1 P2");
    EXPECT_EQ(logic.operands[0].kind, OperandKind::predicate);
    EXPECT_EQ(logic.operands[2].id, 2U);
    EXPECT_EQ(source("P2").kind, OperandKind::predicate);
}

TEST(Operand, RawSurfaceAndNull) {
    const Instruction read = read_one("gather4_scaled.RG (M1, 16) T6 0x8:ud V0032.(%sizeof(GRF)*2) %null.0");
    ASSERT_EQ(read.operands.size(), 6U);
    EXPECT_EQ(read.operands[0].kind, OperandKind::literal);
    EXPECT_EQ(read.operands[0].value, 3U) << "channels R and G";
    EXPECT_EQ(read.operands[1].value, 0U) << "the scale, which text has not";
    EXPECT_EQ(read.operands[2].kind, OperandKind::surface);
    EXPECT_EQ(read.operands[3].value, 8U);
    EXPECT_EQ(read.operands[4].kind, OperandKind::raw);
    EXPECT_EQ(read.operands[4].offset, 64);
    EXPECT_TRUE(is_null(read.operands[5]));
}

TEST(Operand, EachKnowsWhereItStands) {
    const Reading reading =
        read_lines("  (P1) add (M1, 16) V0036(0,0)<1> (-)V0036(1,0)<1;1,0>  0x5:d   // x");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    const auto text = [&](Location where) { return reading.source.substr(where.offset, where.length); };
    const Instruction& read = reading.code(0);
    EXPECT_EQ(text(read.where), "(P1) add (M1, 16) V0036(0,0)<1> (-)V0036(1,0)<1;1,0>  0x5:d");
    EXPECT_EQ(text(read.operands[0].where), "V0036(0,0)<1>");
    EXPECT_EQ(text(read.operands[1].where), "(-)V0036(1,0)<1;1,0>");
    EXPECT_EQ(text(read.operands[2].where), "0x5:d");
    const Reading atomic = read_lines("svm_atomic.add.64 (M1, 8) V0033.0 %null.0 V0033.64 %null.0");
    ASSERT_TRUE(atomic.module.has_value()) << atomic.rendered();
    EXPECT_EQ(atomic.source.substr(atomic.code(0).operands[2].where.offset, 8), "V0033.64");
}

TEST(Operand, QuotedNames) {
    const Reading reading = read_lines(".decl \"odd name\" v_type=G type=d num_elts=16\n"
                                       "mov (M1, 16) \"odd name\"(0,0)<1> \"odd name\"(0,0)<1;1,0>");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    EXPECT_EQ(reading.function().general.back().name, "odd name");
    EXPECT_EQ(reading.code(0).operands[1].id, 37U);
}

} // namespace
} // namespace visor::text
