// The bit words, from the tables of 5_operands.md and 6_instructions.md.
#include "binary/encoding.h"

#include "isa/codec.h"

#include <gtest/gtest.h>

namespace visor::binary {
namespace {

using isa::Type;

TEST(ExecutionByte, HasTheSizeBelowAndTheMaskAbove) {
    EXPECT_EQ(encode_execution({1, 0, false}), 0x00);
    EXPECT_EQ(encode_execution({16, 0, false}), 0x04);
    EXPECT_EQ(encode_execution({32, 0, true}), 0x85);
    EXPECT_EQ(encode_execution({8, 16, false}), 0x43);
    EXPECT_EQ(encode_execution({4, 28, true}), 0xf2);
}

TEST(ExecutionByte, RefusesWhatHasNoCode) {
    EXPECT_FALSE(encode_execution({3, 0, false}));
    EXPECT_FALSE(encode_execution({64, 0, false}));
    EXPECT_FALSE(encode_execution({0, 0, false}));
    EXPECT_FALSE(encode_execution({8, 2, false}));
    EXPECT_FALSE(encode_execution({8, 32, false}));
    EXPECT_FALSE(decode_execution(0x06, {}));
    EXPECT_FALSE(decode_execution(0x07, {}));
}

TEST(ExecutionByte, IgnoresBit3) {
    const auto decoded = decode_execution(0x4c, {});
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->value, (Execution{16, 16, false}));
    EXPECT_TRUE(decoded->ignored);
}

TEST(ExecutionByte, OfVersion30NumbersMasksOtherwise) {
    const auto of = [](uint8_t byte) { return decode_execution(byte, {3, 0}).value(); };
    EXPECT_EQ(of(0x14).value, (Execution{16, 4, false}));
    EXPECT_EQ(of(0x84).value, (Execution{16, 0, true}));
    EXPECT_EQ(of(0x94).value, (Execution{16, 0, false}));
    EXPECT_FALSE(of(0x94).ignored);
    EXPECT_TRUE(of(0xa4).ignored);
    EXPECT_EQ(decode_execution(0x94, {3, 1})->value, (Execution{16, 4, true}));
}

TEST(PredicateWord, HasTheIdBelowAndControlAndInversionAbove) {
    EXPECT_EQ(encode_predicate({}), 0);
    EXPECT_EQ(encode_predicate({1, PredicateControl::none, false}), 0x0001);
    EXPECT_EQ(encode_predicate({5, PredicateControl::any, false}), 0x2005);
    EXPECT_EQ(encode_predicate({4095, PredicateControl::all, true}), 0xcfff);
    EXPECT_FALSE(encode_predicate({4096, PredicateControl::none, false}));
    EXPECT_EQ(decode_predicate(0xa007).value, (Predicate{7, PredicateControl::any, true}));
    EXPECT_FALSE(decode_predicate(0xa007).ignored);
}

TEST(PredicateWord, ReadsControl3AsNoneAndIgnoresBit12) {
    EXPECT_EQ(decode_predicate(0x6002).value, (Predicate{2, PredicateControl::none, false}));
    EXPECT_TRUE(decode_predicate(0x6002).ignored);
    EXPECT_EQ(decode_predicate(0x1002).value, (Predicate{2, PredicateControl::none, false}));
    EXPECT_TRUE(decode_predicate(0x1002).ignored);
    EXPECT_EQ(decode_predicate(0x8000).value, Predicate{});
    EXPECT_TRUE(decode_predicate(0x8000).ignored);
}

TEST(RegionWord, HasTheCodesOfTheDocumentation) {
    EXPECT_EQ(encode_region({0, 1, 0}), 0x0121);
    EXPECT_EQ(encode_region({1, 1, 0}), 0x0122);
    EXPECT_EQ(encode_region({8, 8, 1}), 0x0255);
    EXPECT_EQ(encode_region({region_absent, region_absent, 1}), 0x0200);
    EXPECT_EQ(encode_region({region_absent, 1, 0}), 0x0120);
    EXPECT_EQ(encode_region({32, 16, 4}), 0x0467);
    EXPECT_FALSE(encode_region({3, 1, 0}));
    EXPECT_FALSE(encode_region({64, 1, 0}));
}

TEST(RegionWord, IsReadBack) {
    for (const uint16_t word :
         std::initializer_list<uint16_t>{0x0121, 0x0122, 0x0255, 0x0200, 0x0120, 0x0467}) {
        const auto decoded = decode_region(word);
        ASSERT_TRUE(decoded);
        EXPECT_FALSE(decoded->ignored);
        EXPECT_EQ(encode_region(decoded->value), word);
    }
    EXPECT_TRUE(decode_region(0x1121)->ignored);
    EXPECT_FALSE(decode_region(0x0128));
    EXPECT_FALSE(decode_region(0x0181));
    EXPECT_FALSE(decode_region(0x0821));
}

TEST(Tag, HasTheClassBelowTheModifier) {
    EXPECT_EQ(encode_tag({WireClass::general, SourceModifier::none}), 0x00);
    EXPECT_EQ(encode_tag({WireClass::general, SourceModifier::saturate}), 0x20);
    EXPECT_EQ(encode_tag({WireClass::indirect, SourceModifier::neg}), 0x13);
    EXPECT_EQ(encode_tag({WireClass::general, SourceModifier::bit_not}), 0x28);
    EXPECT_EQ(encode_tag({WireClass::immediate, SourceModifier::none}), 0x05);
    const auto decoded = decode_tag(0x0b);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->value.klass, WireClass::indirect);
    EXPECT_EQ(decoded->value.modifier, SourceModifier::abs);
    EXPECT_TRUE(decode_tag(0x40)->ignored);
}

TEST(Tag, RefusesClassesAndModifiersThatAreNone) {
    EXPECT_FALSE(decode_tag(0x04)); // an address-of, which is a general operand on the wire
    EXPECT_FALSE(decode_tag(0x07));
    EXPECT_FALSE(decode_tag(0x30));
    EXPECT_FALSE(decode_tag(0x38));
}

TEST(Properties, HaveTheTypeBelowTheAlignment) {
    EXPECT_EQ(encode_properties(Type::d, Align::hword), 0x71);
    EXPECT_EQ(encode_properties(Type::uq, Align::qword), 0x3b);
    EXPECT_EQ(encode_properties(Type::bf, Align::word64), 0x9f);
    EXPECT_FALSE(encode_properties(Type::tf32, Align::byte));
    EXPECT_FALSE(decode_properties(0xa0));
    EXPECT_EQ(decode_properties(0x5e)->type, Type::hf);
    EXPECT_EQ(decode_properties(0x5e)->align, Align::grf);
}

TEST(Immediate, OfWordsAndBytesIsExtendedByItsSign) {
    EXPECT_EQ(encode_immediate(Type::w, 0xff81), 0xffffff81U);
    EXPECT_EQ(encode_immediate(Type::b, 0x81), 0xffffff81U);
    EXPECT_EQ(encode_immediate(Type::uw, 0xff81), 0xff81U);
    EXPECT_EQ(encode_immediate(Type::ub, 0x81), 0x81U);
    EXPECT_EQ(encode_immediate(Type::hf, 0xbc00), 0xbc00U);
    EXPECT_EQ(encode_immediate(Type::v, 0x76543210), 0x76543210U);
}

TEST(Immediate, IsReadAsItsOwnBits) {
    EXPECT_EQ(decode_immediate(Type::w, 0xffffff81).value, 0xff81U);
    EXPECT_FALSE(decode_immediate(Type::w, 0xffffff81).ignored);
    EXPECT_TRUE(decode_immediate(Type::w, 0x0000ff81).ignored);
    EXPECT_TRUE(decode_immediate(Type::uw, 0xffffff81).ignored);
    EXPECT_EQ(decode_immediate(Type::f, 0x3f800000).value, 0x3f800000U);
}

TEST(Immediate, IsWideForThreeTypes) {
    EXPECT_TRUE(is_wide(Type::df));
    EXPECT_TRUE(is_wide(Type::q));
    EXPECT_TRUE(is_wide(Type::uq));
    EXPECT_FALSE(is_wide(Type::ud));
    EXPECT_FALSE(is_wide(Type::vf));
}

TEST(Literal, LosesTheBitsThatNobodyReads) {
    using isa::Codec;
    EXPECT_EQ(decode_literal(Codec::relation, 0x83).value, 3U);
    EXPECT_TRUE(decode_literal(Codec::relation, 0x83).ignored);
    EXPECT_EQ(decode_literal(Codec::atomic_op, 0xc7).value, 0x47U);
    EXPECT_EQ(decode_literal(Codec::atomic_op, 0x60).value, 0x60U); // width 3 is for the verifier (ruling 26)
    EXPECT_FALSE(decode_literal(Codec::atomic_op, 0x60).ignored);
    EXPECT_EQ(decode_literal(Codec::channel_mask, 0xf5).value, 5U);
    EXPECT_EQ(decode_literal(Codec::block_count, 3).value, 3U); // ruling 7
    EXPECT_FALSE(decode_literal(Codec::plain, 0xff).ignored);
}

TEST(Literal, HasTwoBitsForUnalignedBlocks) { // ruling 15
    using isa::Codec;
    EXPECT_EQ(decode_literal(Codec::svm_block, 0x0a).value, 0x0aU);
    EXPECT_FALSE(decode_literal(Codec::svm_block, 0x0a).ignored);
    EXPECT_EQ(decode_literal(Codec::svm_block, 0x82).value, 0x0aU);
    EXPECT_TRUE(decode_literal(Codec::svm_block, 0x82).ignored);
    EXPECT_EQ(decode_literal(Codec::svm_block, 0x12).value, 0x02U);
    EXPECT_TRUE(decode_literal(Codec::svm_block, 0x12).ignored);
}

} // namespace
} // namespace visor::binary
