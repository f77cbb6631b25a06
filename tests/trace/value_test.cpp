// What registers and accesses are told as is tested through the program (tests/cli/inside_test.cpp); here the
// numbers alone.
#include "trace/value.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace visor::trace {
namespace {

template <class T>
std::string text(T value, isa::Type type) {
    std::byte bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    return number_text(bytes, type);
}
template <class T>
std::string json(T value, isa::Type type) {
    std::byte bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    return json_number(bytes, type);
}

TEST(Value, IntegersByTheirType) {
    EXPECT_EQ(text<uint8_t>(0xff, isa::Type::ub), "255");
    EXPECT_EQ(text<uint8_t>(0xff, isa::Type::b), "-1");
    EXPECT_EQ(text<uint16_t>(0x8000, isa::Type::w), "-32768");
    EXPECT_EQ(text<uint32_t>(0xffffffff, isa::Type::ud), "4294967295");
    EXPECT_EQ(text<uint64_t>(0x8000000000000000, isa::Type::q), "-9223372036854775808");
    EXPECT_EQ(text<uint64_t>(0xffffffffffffffff, isa::Type::uq), "18446744073709551615");
}

TEST(Value, FloatsAsTheShortestText) {
    EXPECT_EQ(text(0.1F, isa::Type::f), "0.1");
    EXPECT_EQ(text(0.1, isa::Type::df), "0.1");
    EXPECT_EQ(text<uint16_t>(0x3e00, isa::Type::hf), "1.5");
    EXPECT_EQ(text<uint16_t>(0x3fc0, isa::Type::bf), "1.5");
    EXPECT_EQ(text(-0.0F, isa::Type::f), "-0");
}

TEST(Value, WhatJsonCannotWriteIsText) {
    EXPECT_EQ(json(1.5F, isa::Type::f), "1.5");
    EXPECT_EQ(json(std::numeric_limits<float>::infinity(), isa::Type::f), "\"inf\"");
    EXPECT_EQ(json(std::numeric_limits<double>::quiet_NaN(), isa::Type::df), "\"nan\"");
    EXPECT_EQ(json_string("a\"b\\c\n\x80"), "\"a\\\"b\\\\c\\u000a?\"");
}

} // namespace
} // namespace visor::trace
