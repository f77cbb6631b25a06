#include "jit/target/llvm19/zero_division.h"

#include "assembled.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace visor::jit {
namespace {

constexpr float one_half = 0.5F;

bool has_fence(llvm::Function& function) {
    return std::ranges::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
        const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::arithmetic_fence;
    });
}

// `f` writes 1 where the exponent of 0/0 is zero, 2 elsewhere: of a NaN all of its bits are set.
TEST(Dividend, NothingByNothingIsNoZero) {
    Assembled code;
    ASSERT_TRUE(
        code.parse("define void @f(ptr %out) {\n"
                   "  %zero = bitcast <4 x i32> zeroinitializer to <4 x float>\n"
                   "  %quotient = fdiv <4 x float> %zero, zeroinitializer\n"
                   "  %bits = bitcast <4 x float> %quotient to <4 x i32>\n"
                   "  %exponent = and <4 x i32> %bits, splat (i32 2139095040)\n"
                   "  %is_zero = icmp eq <4 x i32> %exponent, zeroinitializer\n"
                   "  %made = select <4 x i1> %is_zero, <4 x i32> splat (i32 1), <4 x i32> splat (i32 2)\n"
                   "  store <4 x i32> %made, ptr %out, align 4\n"
                   "  ret void\n}\n"));
    hide_zero_dividends(code.function());
    code.verify();
    EXPECT_TRUE(has_fence(code.function()));
    code.link();
    std::array<uint32_t, 4> made{};
    code.linked<void(uint32_t*)>()(made.data());
    EXPECT_EQ(made, (std::array<uint32_t, 4>{2, 2, 2, 2}));
}

struct Quotient {
    bool fenced = false;
    std::array<float, 4> values{};
};

// Of <6, 1, 0, -3> by <4, 2, 8, 0.5>, or of what is said instead of the first.
Quotient quotient(const char* dividend) {
    Assembled code;
    if (!code.parse(fmt::format("define void @f(ptr %out, ptr %a, ptr %b) {{\n"
                                "  %first = load <4 x float>, ptr %a, align 4\n"
                                "  %second = load <4 x float>, ptr %b, align 4\n"
                                "  %made = fdiv <4 x float> {}, %second\n"
                                "  store <4 x float> %made, ptr %out, align 4\n"
                                "  ret void\n}}\n",
                                dividend)))
        return {};
    hide_zero_dividends(code.function());
    code.verify();
    Quotient out{.fenced = has_fence(code.function())};
    code.link();
    const std::array<float, 4> a{6, 1, 0, -3};
    const std::array<float, 4> b{4, 2, 8, one_half};
    code.linked<void(float*, const float*, const float*)>()(out.values.data(), a.data(), b.data());
    return out;
}

TEST(Dividend, QuotientsStay) {
    const Quotient made = quotient("%first");
    EXPECT_TRUE(made.fenced);
    EXPECT_EQ(made.values, (std::array<float, 4>{1.5F, one_half, 0, -6}));
}

TEST(Dividend, OnesAreSeenToBeNone) {
    const Quotient made = quotient("splat (float 1.0)");
    EXPECT_FALSE(made.fenced);
    EXPECT_EQ(made.values, (std::array<float, 4>{0.25F, one_half, 0.125F, 2}));
}

TEST(Dividend, ZerosAreHidden) {
    EXPECT_TRUE(quotient("zeroinitializer").fenced);
}

} // namespace
} // namespace visor::jit
