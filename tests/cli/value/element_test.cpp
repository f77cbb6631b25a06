#include "cli/value/element.h"

#include <cstring>
#include <gtest/gtest.h>

namespace visor::cli {
namespace {

uint64_t bits(std::string_view text, Element element) {
    const auto value = parse_number(text, element);
    EXPECT_TRUE(value.has_value()) << text << ": " << value.error();
    return value.value_or(0xdeadbeef);
}
std::string refusal(std::string_view text, Element element) {
    const auto value = parse_number(text, element);
    EXPECT_FALSE(value.has_value()) << text;
    return value ? "" : value.error();
}

TEST(Element, NamesAndSizes) {
    EXPECT_EQ(element_named("f32"), Element::f32);
    EXPECT_EQ(element_named("bf16"), Element::bf16);
    EXPECT_EQ(element_named("f33"), std::nullopt);
    EXPECT_EQ(size_of(Element::i64), 8);
    EXPECT_EQ(size_of(Element::bf16), 2);
    EXPECT_EQ(element_of(isa::Type::hf), Element::f16);
    EXPECT_EQ(element_of(isa::Type::vf), std::nullopt);
    EXPECT_NE(unknown_element("f3").find("`f32`"), std::string::npos);
}

TEST(Element, SignednessIsAlikeFloatsAreNot) {
    EXPECT_TRUE(alike(Element::i32, Element::u32));
    EXPECT_FALSE(alike(Element::i32, Element::f32));
    EXPECT_FALSE(alike(Element::f16, Element::bf16));
    EXPECT_FALSE(alike(Element::i32, Element::i64));
}

TEST(Element, Integers) {
    EXPECT_EQ(bits("7", Element::i32), 7U);
    EXPECT_EQ(bits("-1", Element::i32), 0xffffffffU);
    EXPECT_EQ(bits("-128", Element::i8), 0x80U);
    EXPECT_EQ(bits("+127", Element::i8), 0x7fU);
    EXPECT_EQ(bits("0x10", Element::u64), 16U);
    EXPECT_EQ(bits("0b101", Element::u8), 5U);
    EXPECT_EQ(bits("18446744073709551615", Element::u64), UINT64_MAX);
    EXPECT_EQ(bits("-9223372036854775808", Element::i64), uint64_t{1} << 63);
    EXPECT_EQ(bits("0xffffffff", Element::i32), 0xffffffffU) << "hexadecimal may spell a bit pattern";
}

TEST(Element, IntegersOutOfRange) {
    EXPECT_EQ(refusal("128", Element::i8), "`128` does not fit i8 (-128 to 127)");
    EXPECT_EQ(refusal("-1", Element::u32), "`-1` does not fit u32 (0 to 4294967295)");
    EXPECT_NE(refusal("0x100", Element::i8).find("does not fit"), std::string::npos);
    EXPECT_NE(refusal("-0x81", Element::i8).find("does not fit"), std::string::npos);
    EXPECT_NE(refusal("18446744073709551616", Element::u64).find("64 bits"), std::string::npos);
}

TEST(Element, WhatIsNoInteger) {
    for (const char* text : {"", "-", "2.5", "1e3", "abc", "0x", "7 ", "--1", "0x-1", "1_000"})
        EXPECT_NE(refusal(text, Element::i32).find("not a whole number"), std::string::npos) << text;
}

TEST(Element, Floats) {
    EXPECT_EQ(bits("1", Element::f32), 0x3f800000U);
    EXPECT_EQ(bits("-2.5", Element::f32), 0xc0200000U);
    EXPECT_EQ(bits("0.1", Element::f32), 0x3dcccccdU);
    EXPECT_EQ(bits("0.1", Element::f64), 0x3fb999999999999aU);
    EXPECT_EQ(bits("0x1.8p1", Element::f32), 0x40400000U);
    EXPECT_EQ(bits("inf", Element::f32), 0x7f800000U);
    EXPECT_EQ(bits("-inf", Element::f64), 0xfff0000000000000U);
    EXPECT_EQ(bits("-0", Element::f32), 0x80000000U);
}

TEST(Element, NarrowFloats) {
    EXPECT_EQ(bits("1", Element::f16), 0x3c00U);
    EXPECT_EQ(bits("65504", Element::f16), 0x7bffU);
    EXPECT_EQ(bits("0.00006103515625", Element::f16), 0x0400U) << "smallest normal";
    EXPECT_EQ(bits("inf", Element::f16), 0x7c00U);
    EXPECT_EQ(bits("1", Element::bf16), 0x3f80U);
    EXPECT_EQ(bits("-inf", Element::bf16), 0xff80U);
    EXPECT_EQ(bits("3.140625", Element::bf16), 0x4049U);
}

// 1 + 2^-8 lies between the bfloat16 numbers 1 and 1 + 2^-7: the tie goes to the even 1, anything above it
// goes up, also when what is above is too little for a float to show.
TEST(Element, BfloatRoundsOnce) {
    EXPECT_EQ(bf16_from(1.0 + 0x1p-8), 0x3f80);
    EXPECT_EQ(bf16_from(1.0 + 0x1p-8 + 0x1p-40), 0x3f81);
    EXPECT_EQ(bf16_from(1.0 + 0x1p-7 + 0x1p-8), 0x3f82);
    EXPECT_EQ(bf16_from(1.0 + 0x1p-7 + 0x1p-8 - 0x1p-40), 0x3f81);
}

TEST(Element, FloatsOutOfRange) {
    EXPECT_NE(refusal("1e39", Element::f32).find("beyond what f32"), std::string::npos);
    EXPECT_NE(refusal("65520", Element::f16).find("beyond what f16"), std::string::npos);
    EXPECT_NE(refusal("3.4e38", Element::bf16).find("beyond what bf16"), std::string::npos);
    for (const char* text : {"", "x", "1.5f", "+-1", "--1", "1 "})
        EXPECT_NE(refusal(text, Element::f32).find("not a number"), std::string::npos) << text;
}

std::string shown(uint64_t value, Element element) {
    std::array<std::byte, 8> bytes{};
    std::memcpy(bytes.data(), &value, sizeof value);
    return number_text(bytes.data(), element);
}

TEST(Element, Text) {
    EXPECT_EQ(shown(0xff, Element::i8), "-1");
    EXPECT_EQ(shown(0xff, Element::u8), "255");
    EXPECT_EQ(shown(65, Element::u8), "65") << "a byte is a number, not a letter";
    EXPECT_EQ(shown(0x8000, Element::i16), "-32768");
    EXPECT_EQ(shown(UINT64_MAX, Element::u64), "18446744073709551615");
    EXPECT_EQ(shown(0x3dcccccd, Element::f32), "0.1");
    EXPECT_EQ(shown(0x40400000, Element::f32), "3");
    EXPECT_EQ(shown(0x3c01, Element::f16), "1.0009766");
    EXPECT_EQ(shown(0x4049, Element::bf16), "3.140625");
    EXPECT_EQ(shown(0x7f800000, Element::f32), "inf");
    EXPECT_EQ(shown(0x3fb999999999999a, Element::f64), "0.1");
}

} // namespace
} // namespace visor::cli
