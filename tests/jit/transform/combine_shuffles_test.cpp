// Chains are written as LLVM's text; what the elements are was followed by hand.
#include "jit/transform/combine_shuffles.h"

#include "assembled.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace visor::jit {
namespace {

struct Straight {
    size_t steps = 0; // live shuffles, blends, insertions and 32-bit sums
    std::array<uint32_t, 8> out{};
};

// `f` has vectors %a, 1 to 8, and %b, 11 to 18, and stores %v.
Straight straight(const std::string& body, const std::string& type) {
    Assembled code;
    if (!code.parse("define void @f(ptr %out, ptr %from) {\n"
                    "  %a = load <8 x i32>, ptr %from, align 4\n"
                    "  %behind = getelementptr i8, ptr %from, i64 32\n"
                    "  %b = load <8 x i32>, ptr %behind, align 4\n" +
                    body + "  store " + type + " %v, ptr %out, align 4\n  ret void\n}\n"))
        return {};
    combine_shuffles(code.function());
    code.verify();
    Straight made;
    for (bool more = true; more;) { // removes dead instructions
        more = false;
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(code.function())))
            if (instruction.use_empty() && !instruction.mayHaveSideEffects() && !instruction.isTerminator()) {
                instruction.eraseFromParent();
                more = true;
            }
    }
    for (const llvm::Instruction& instruction : llvm::instructions(code.function()))
        made.steps += llvm::isa<llvm::ShuffleVectorInst, llvm::SelectInst, llvm::InsertElementInst,
                                llvm::BinaryOperator>(instruction)
                          ? 1
                          : 0;
    code.link();
    const std::array<uint32_t, 16> from{1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18};
    code.linked<void(uint32_t*, const uint32_t*)>()(made.out.data(), from.data());
    return made;
}

using Elements = std::array<uint32_t, 8>;

// Half of one, widened, blended with half of the other.
TEST(Straighten, ABlendOfHalvesIsOneShuffle) {
    const Straight made = straight(
        "  %low = shufflevector <8 x i32> %a, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>\n"
        "  %wide = shufflevector <4 x i32> %low, <4 x i32> poison, "
        "<8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 poison, i32 poison, i32 poison, i32 poison>\n"
        "  %v = select <8 x i1> <i1 1, i1 1, i1 1, i1 1, i1 0, i1 0, i1 0, i1 0>, <8 x i32> %wide, "
        "<8 x i32> %b\n",
        "<8 x i32>");
    EXPECT_EQ(made.steps, 1U);
    EXPECT_EQ(made.out, (Elements{1, 3, 5, 7, 15, 16, 17, 18}));
}

// Every second dword of qwords.
TEST(Straighten, PartsOfLongerElements) {
    const Straight made = straight(
        "  %q = bitcast <8 x i32> %a to <4 x i64>\n"
        "  %more = add <4 x i64> %q, splat (i64 4294967298)\n" // 2 and 1 dwords
        "  %dwords = bitcast <4 x i64> %more to <8 x i32>\n"
        "  %seven = shufflevector <8 x i32> %dwords, <8 x i32> poison, "
        "<7 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>\n"
        "  %high = shufflevector <7 x i32> %seven, <7 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>\n"
        "  %v = xor <4 x i32> %high, zeroinitializer\n",
        "<4 x i32>");
    EXPECT_EQ(made.steps, 3U); // the sum, one shuffle, and the last one
    EXPECT_EQ(made.out, (Elements{3, 5, 7, 9}));
}

TEST(Straighten, WhatComesBackInOrderIsNotMoved) {
    const Straight made = straight(
        "  %low = shufflevector <8 x i32> %a, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>\n"
        "  %high = shufflevector <8 x i32> %a, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>\n"
        "  %v = shufflevector <4 x i32> %low, <4 x i32> %high, "
        "<8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>\n",
        "<8 x i32>");
    EXPECT_EQ(made.steps, 0U);
    EXPECT_EQ(made.out, (Elements{1, 2, 3, 4, 5, 6, 7, 8}));
}

std::string in_halves(const std::string& second) {
    return "  %low = shufflevector <8 x i32> %a, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>\n"
           "  %high = shufflevector <8 x i32> %a, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>\n"
           "  %x = add <4 x i32> %low, <i32 10, i32 20, i32 30, i32 40>\n"
           "  %y = " +
           second +
           " <4 x i32> %high, <i32 1, i32 2, i32 3, i32 4>\n"
           "  %v = shufflevector <4 x i32> %x, <4 x i32> %y, "
           "<8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>\n";
}

TEST(Straighten, HalvesThatAreMadeAlikeAreMadeAtOnce) {
    const Straight made = straight(in_halves("add"), "<8 x i32>");
    EXPECT_EQ(made.out, (Elements{11, 22, 33, 44, 6, 8, 10, 12}));
    EXPECT_LE(made.steps, 2U); // one sum, of lanes that may be shuffled
}

TEST(Straighten, HalvesThatAreNotStay) {
    const Straight made = straight(in_halves("sub"), "<8 x i32>");
    EXPECT_EQ(made.out, (Elements{11, 22, 33, 44, 4, 4, 4, 4}));
    EXPECT_EQ(made.steps, 5U);
}

// The low dwords of two sums and their carries: 64-bit arithmetic in 32-bit operations.
TEST(Straighten, FourThatAreTwo) {
    const Straight made = straight(
        "  %low = shufflevector <8 x i32> %a, <8 x i32> poison, <2 x i32> <i32 0, i32 1>\n"
        "  %high = shufflevector <8 x i32> %a, <8 x i32> poison, <2 x i32> <i32 2, i32 3>\n"
        "  %l = add <2 x i32> %low, splat (i32 -3)\n"
        "  %h = add <2 x i32> %high, splat (i32 -3)\n"
        "  %less_l = icmp ult <2 x i32> %l, %low\n"
        "  %less_h = icmp ult <2 x i32> %h, %high\n"
        "  %carry_l = zext <2 x i1> %less_l to <2 x i32>\n"
        "  %carry_h = zext <2 x i1> %less_h to <2 x i32>\n"
        "  %first = shufflevector <2 x i32> %l, <2 x i32> %carry_l, <4 x i32> <i32 0, i32 2, i32 1, i32 3>\n"
        "  %last = shufflevector <2 x i32> %h, <2 x i32> %carry_h, <4 x i32> <i32 0, i32 2, i32 1, i32 3>\n"
        "  %v = shufflevector <4 x i32> %first, <4 x i32> %last, "
        "<8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>\n",
        "<8 x i32>");
    EXPECT_EQ(made.out, (Elements{UINT32_MAX - 1, 0, UINT32_MAX, 0, 0, 1, 1, 1})); // 1 to 4 less 3
    EXPECT_LE(made.steps, 3U); // one sum, one shuffle, and one of the lanes
}

} // namespace
} // namespace visor::jit
