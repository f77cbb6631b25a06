#include "reading.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace visor::text {
namespace {

using isa::Type;

struct Case {
    std::string_view written;
    Type type;
    uint64_t bits;
    std::string_view printed;
};

TEST(Immediate, EveryType) {
    const Case cases[] = {
        {"0x4:ud", Type::ud, 4, "0x4:ud"},
        {"4294967295:ud", Type::ud, 0xffffffff, "0xffffffff:ud"},
        {"-1:ud", Type::ud, 0xffffffff, "0xffffffff:ud"},
        {"-2147483648:d", Type::d, 0x80000000, "0x80000000:d"},
        {"0xffffffff:D", Type::d, 0xffffffff, "0xffffffff:d"},
        {"65535:UW", Type::uw, 0xffff, "0xffff:uw"},
        {"-127:w", Type::w, 0xff81, "0xffffff81:w"},
        {"0xffffff81:w", Type::w, 0xff81, "0xffffff81:w"},
        {"0xff81:w", Type::w, 0xff81, "0xffffff81:w"},
        {"127:w", Type::w, 0x7f, "0x7f:w"},
        {"0xfffffffb:b", Type::b, 0xfb, "0xfffffffb:b"},
        {"255:ub", Type::ub, 0xff, "0xff:ub"},
        {"18446744073709551615:uq", Type::uq, 0xffffffffffffffff, "0xffffffffffffffff:uq"},
        {"-9223372036854775808:q", Type::q, 0x8000000000000000, "0x8000000000000000:q"},
        {"9223372036854775807:q", Type::q, 0x7fffffffffffffff, "0x7fffffffffffffff:q"},
        {"0xffffffffffffffb3:q", Type::q, 0xffffffffffffffb3, "0xffffffffffffffb3:q"},
        {"0x76543210:v", Type::v, 0x76543210, "0x76543210:v"},
        {"0xfedcba98:UV", Type::uv, 0xfedcba98, "0xfedcba98:uv"},
        {"0x30304050:vf", Type::vf, 0x30304050, "0x30304050:vf"},
        {"~0:ud", Type::ud, 0xffffffff, "0xffffffff:ud"},
        {"!0:d", Type::d, 1, "0x1:d"},
        {"(3*4):d", Type::d, 12, "0xc:d"},
        {"%sizeof(V0032):ud", Type::ud, 256, "0x100:ud"},
    };
    for (const Case& item : cases) {
        if (item.printed.empty())
            continue;
        const Instruction read = read_one(fmt::format("mov (M1, 1) V0036(0,0)<1> {}", item.written));
        ASSERT_EQ(read.operands.size(), 2U) << item.written;
        EXPECT_EQ(read.operands[1].kind, OperandKind::immediate) << item.written;
        EXPECT_EQ(read.operands[1].type, item.type) << item.written;
        EXPECT_EQ(read.operands[1].value, item.bits) << item.written;
        EXPECT_EQ(reprinted(fmt::format("mov (M1, 1) V0036(0,0)<1> {}", item.written)),
                  fmt::format("mov (M1, 1) V0036(0,0)<1> {}", item.printed));
    }
}

TEST(Immediate, Floats) {
    const Case cases[] = {
        {"1.5:f", Type::f, 0x3fc00000, "0x3fc00000:f"},
        {"-2.0:F", Type::f, 0xc0000000, "0xc0000000:f"},
        {"1e+3:f", Type::f, 0x447a0000, "0x447a0000:f"},
        {"1.0e-2:f", Type::f, 0x3c23d70a, "0x3c23d70a:f"},
        {"3.4028235e+38:f", Type::f, 0x7f7fffff, "0x7f7fffff:f"},
        {"1.0e-99:f", Type::f, 0, "0x0:f"},
        {"1e-999:df", Type::df, 0, "0x0:df"},
        {"0x3f800000:f", Type::f, 0x3f800000, "0x3f800000:f"},
        {"-0x3f800000:f", Type::f, 0xbf800000, "0xbf800000:f"},
        {"1:f", Type::f, 1, "0x1:f"}, // the bits, not the number
        {"2.25:df", Type::df, 0x4002000000000000, "0x4002000000000000:df"},
        {"0x7ff0000000000000:df", Type::df, 0x7ff0000000000000, "0x7ff0000000000000:df"},
        {"-1:df", Type::df, 0x8000000000000001, "0x8000000000000001:df"},
        {"0x3c00:hf", Type::hf, 0x3c00, "0x3c00:hf"},
        {"0x3f80:bf", Type::bf, 0x3f80, "0x3f80:bf"},
    };
    for (const Case& item : cases) {
        const Instruction read = read_one(fmt::format("mov (M1, 1) V0034(0,0)<1> {}", item.written));
        ASSERT_EQ(read.operands.size(), 2U) << item.written;
        EXPECT_EQ(read.operands[1].type, item.type) << item.written;
        EXPECT_EQ(read.operands[1].value, item.bits) << item.written;
        EXPECT_EQ(reprinted(fmt::format("mov (M1, 1) V0034(0,0)<1> {}", item.written)),
                  fmt::format("mov (M1, 1) V0034(0,0)<1> {}", item.printed));
    }
}

TEST(Immediate, Refusals) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"0x1ffffffff:d", "immediate-out-of-range"},
        {"4294967296:ud", "immediate-out-of-range"},
        {"-2147483649:d", "immediate-out-of-range"},
        {"256:ub", "immediate-out-of-range"},
        {"65536:uw", "immediate-out-of-range"},
        {"0xffff81:w", "immediate-out-of-range"},
        {"0xffffff81:uw", "immediate-out-of-range"},
        {"9223372036854775808:q", "immediate-out-of-range"},
        {"18446744073709551616:uq", "number-too-large"},
        {"0x1ffffffff:f", "immediate-out-of-range"},
        {"3.5e+38:f", "immediate-out-of-range"},
        {"1e+999:df", "immediate-out-of-range"},
        {"1.5:hf", "bad-immediate"},
        {"1:hf", "bad-immediate"},
        {"0x10000:hf", "immediate-out-of-range"},
        {"1.5:d", "bad-immediate"},
        {"(1+2):f", "bad-immediate"},
        {"0x1:tf32", "bad-immediate"},
        {"5", "syntax"},
        {"5:foo", "unknown-type"},
        {"0x100000000:v", "immediate-out-of-range"},
    };
    for (const auto& [written, rule] : cases) {
        const Reading reading = read_lines(fmt::format("mov (M1, 1) V0034(0,0)<1> {}", written));
        ASSERT_EQ(reading.diagnostics.errors(), 1U) << written << '\n' << reading.rendered();
        EXPECT_EQ(reading.diagnostics.all()[0].rule, rule) << written;
        EXPECT_FALSE(reading.module.has_value());
    }
}

TEST(Immediate, ARefusalPointsAtTheNumber) {
    const Reading reading = read_lines("mov (M1, 1) V0036(0,0)<1> 0x1ffffffff:d");
    ASSERT_EQ(reading.diagnostics.all().size(), 1U);
    const Location where = *reading.diagnostics.all()[0].where;
    EXPECT_EQ(reading.source.substr(where.offset, where.length), "0x1ffffffff");
}

} // namespace
} // namespace visor::text
