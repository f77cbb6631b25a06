// Values are by hand.
#include "debug/expression.h"

#include "isa/device.h"
#include "machine/launch.h"
#include "text/text.h"

#include <cstring>
#include <gtest/gtest.h>

namespace visor::debug {
namespace {

class Expressions : public testing::Test {
protected:
    std::shared_ptr<const Function> function_;
    std::optional<Program> program_;
    std::vector<std::byte> registers_;
    machine::Memory memory_;
    machine::Launch launch_;
    machine::Group group_;
    machine::Thread thread_;
    std::array<std::byte, 64> slm_{};

    Expressions() {
        Diagnostics diagnostics;
        const auto module =
            text::parse(".version 4.1\n.kernel \"k\"\n.decl A v_type=G type=d num_elts=16 align=GRF\n"
                        ".decl P v_type=P num_elts=16\n.kernel_attr SimdSize=16\n"
                        "    cmp.lt (M1, 16) P A(0,0)<1;1,0> 0x3:d\n    ret (M1, 1)\n",
                        {}, diagnostics);
        function_ = std::make_shared<Function>(module->functions.front());
        program_ = program::prepare(function_, isa::device(isa::DeviceId::skl), diagnostics);
        registers_.resize(program_->register_bytes);
        launch_.memory = &memory_;
        group_.id = {3, 4, 5};
        group_.linear = 77;
        group_.slm = slm_;
        thread_.launch = &launch_;
        thread_.group = &group_;
        thread_.index = 2;
        thread_.program = &*program_;
        thread_.registers = registers_.data();
        thread_.predicates.assign(program_->predicate_count, 0);
        for (int lane = 0; lane < 16; ++lane)
            write_register(thread_, "A", std::nullopt, static_cast<uint64_t>(lane),
                           {.whole = int64_t{10} * lane})
                .value();
    }

    [[nodiscard]] std::string value(std::string_view text, uint32_t lane = 0) const {
        const auto expression = Expression::parse(text);
        if (!expression)
            return "error: " + expression.error();
        const auto found = expression->evaluate({thread_, thread_, lane});
        return found ? text_of(*found) : "error: " + found.error();
    }
};

TEST_F(Expressions, BindAsInC) {
    EXPECT_EQ(value("1 + 2 * 3"), "7");
    EXPECT_EQ(value("(1 + 2) * 3"), "9");
    EXPECT_EQ(value("1 << 2 + 1"), "8");
    EXPECT_EQ(value("7 & 3 == 3"), "1");
    EXPECT_EQ(value("10 - 3 - 2"), "5");
    EXPECT_EQ(value("1 < 2 && 2 < 1 || 1"), "1");
    EXPECT_EQ(value("-3 % 2"), "-1");
    EXPECT_EQ(value("!0 + ~0"), "0");
    EXPECT_EQ(value("0x10 | 1"), "17");
    EXPECT_EQ(value("1.5 * 4"), "6");
    EXPECT_EQ(value("3 / 2"), "1");
    EXPECT_EQ(value("3 / 2.0"), "1.5");
}

TEST_F(Expressions, NothingIsUndefined) {
    EXPECT_EQ(value("1 / 0"), "error: a division by zero");
    EXPECT_EQ(value("(0 - 9223372036854775807 - 1) / -1"), "-9223372036854775808");
    EXPECT_EQ(value("9223372036854775807 + 1"), "-9223372036854775808");
    EXPECT_EQ(value("1 << 64"), "1");
    EXPECT_TRUE(value("1.5 & 1").starts_with("error"));
}

TEST_F(Expressions, NamesAreOfTheThread) {
    EXPECT_EQ(value("group"), "77");
    EXPECT_EQ(value("group.x + group.y * 10 + group.z * 100"), "543");
    EXPECT_EQ(value("thread"), "2");
    EXPECT_EQ(value("lane", 9), "9");
    EXPECT_EQ(value("A[3]"), "30");
    EXPECT_EQ(value("A", 5), "50");
    EXPECT_EQ(value("A[lane + 1] == 60 && group == 77", 5), "1");
    EXPECT_EQ(value("A.ub[4]"), "10"); // the low byte of the second element
    EXPECT_TRUE(value("A[16]").starts_with("error: `A` has 16 elements"));
    EXPECT_TRUE(value("A[-1]").starts_with("error"));
    EXPECT_TRUE(value("B").starts_with("error: `k` has no variable `B`"));
    EXPECT_EQ(value("P[3]"), "0");
}

TEST_F(Expressions, MemoryIsReadInsideOfAllocationsAlone) {
    const uint64_t address = *memory_.allocate(16, "buffer");
    const float number = 2.5F;
    std::memcpy(machine::Memory::host(address + 4), &number, sizeof number);
    EXPECT_EQ(value("f32(" + std::to_string(address) + " + 4)"), "2.5");
    EXPECT_TRUE(value("f32(" + std::to_string(address) + " + 14)").starts_with("error"));
    EXPECT_TRUE(value("u8(0)").starts_with("error"));
    slm_[8] = std::byte{200};
    EXPECT_EQ(value("slm_u8(8)"), "200");
    EXPECT_EQ(value("slm_i8(8)"), "-56");
    EXPECT_TRUE(value("slm_u32(61)").starts_with("error: shared local memory has 64 bytes"));
}

TEST_F(Expressions, WhatIsNamedCanBeChanged) {
    const auto set = [&](std::string_view text, const Number& number) {
        return Expression::parse(text)->assign({thread_, thread_, 0}, thread_, thread_, number);
    };
    EXPECT_TRUE(set("A[2]", {.whole = -7}).has_value());
    EXPECT_EQ(value("A[2]"), "-7");
    EXPECT_TRUE(set("A.uw[2]", {.whole = 65537}).has_value()); // wraps
    EXPECT_EQ(value("A[1]"), "1");
    EXPECT_TRUE(set("P[3]", {.whole = 1}).has_value());
    EXPECT_EQ(value("P[3] + P[2]"), "1");
    EXPECT_TRUE(set("slm_f32(4)", {.is_float = true, .whole = 0, .real = 0.5}).has_value());
    EXPECT_EQ(value("slm_f32(4)"), "0.5");
    EXPECT_FALSE(set("1 + 2", {}).has_value());
    EXPECT_FALSE(set("A[99]", {}).has_value());
}

TEST_F(Expressions, MistakesAreTold) {
    for (const char* text :
         {"", "1 +", "(1", "A[1", "1 2", "foo(1)", "A.zz", "@", "99999999999999999999", "1e999"})
        EXPECT_FALSE(Expression::parse(text).has_value()) << text;
    EXPECT_FALSE(Expression::parse(std::string(100'000, '(')).has_value());
    EXPECT_FALSE(Expression::parse(std::string(100'000, '-') + "1").has_value());
    EXPECT_FALSE(Expression::parse("1" +
                                   [] {
                                       std::string deep;
                                       for (int k = 0; k < 1000; ++k)
                                           deep += "+(1";
                                       return deep;
                                   }())
                     .has_value());
}

} // namespace
} // namespace visor::debug
