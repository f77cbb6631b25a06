// Induction steps of values: loops are written in LLVM IR.
#include "jit/analysis/induction_step.h"

#include "assembled.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/ValueSymbolTable.h>

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace visor::jit {
namespace {

using Step = std::optional<int64_t>;

// The step of %v in a loop: %k counts iterations, active lanes of %i count by 3, and %p decreases.
Step step_of(const std::string& body) {
    Assembled code;
    if (!code.parse("define void @f(i32 %x, <4 x i32> %lanes, i32 %iterations, i1 %odd, ptr %memory) {\n"
                    "entry:\n"
                    "  br label %loop\n"
                    "loop:\n"
                    "  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]\n"
                    "  %i = phi <4 x i32> [ %lanes, %entry ], [ %i1, %loop ]\n"
                    "  %p = phi i64 [ 1000, %entry ], [ %p1, %loop ]\n"
                    "  %w = phi i32 [ 1, %entry ], [ %w1, %loop ]\n" +
                    body +
                    "  %k1 = add i32 %k, 1\n"
                    "  %on = icmp ult <4 x i32> %i, splat (i32 90)\n"
                    "  %i2 = add <4 x i32> %i, splat (i32 3)\n"
                    "  %i1 = select <4 x i1> %on, <4 x i32> %i2, <4 x i32> %i\n"
                    "  %p1 = sub i64 %p, 8\n"
                    "  %w1 = shl i32 %w, 1\n"
                    "  %more = icmp ult i32 %k1, %iterations\n"
                    "  br i1 %more, label %loop, label %end\n"
                    "end:\n"
                    "  ret void\n}\n"))
        return std::nullopt;
    const llvm::DominatorTree tree(code.function());
    const llvm::LoopInfo loops(tree);
    return InductionSteps(**loops.begin()).of(code.function().getValueSymbolTable()->lookup("v"));
}

TEST(TurnStep, CountersAndWhatIsMadeOfThem) {
    EXPECT_EQ(step_of("  %v = add i32 %k, 7\n"), Step(1));
    EXPECT_EQ(step_of("  %v = sub i32 %x, %k\n"), Step(-1));
    EXPECT_EQ(step_of("  %v = add i64 %p, 4\n"), Step(-8));
    EXPECT_EQ(step_of("  %a = shl i32 %k, 2\n  %v = add i32 %a, %x\n"), Step(4));
    EXPECT_EQ(step_of("  %a = mul i32 %k, 12\n  %v = zext i32 %a to i64\n"), Step(12));
    EXPECT_EQ(step_of("  %a = shl i32 %k, 2\n  %v = and i32 %a, -4\n"), Step(4));
}

TEST(TurnStep, LanesThatGoOnCount) {
    EXPECT_EQ(step_of("  %v = shl <4 x i32> %i, splat (i32 2)\n"), Step(12));
    EXPECT_EQ(step_of("  %a = insertelement <4 x i32> poison, i32 %k, i64 0\n"
                      "  %b = shufflevector <4 x i32> %a, <4 x i32> poison, <4 x i32> zeroinitializer\n"
                      "  %v = add <4 x i32> %b, %i\n"),
              Step(4));
}

TEST(TurnStep, WhatDoesNotChangeHasNone) {
    EXPECT_EQ(step_of("  %v = add i32 %x, 7\n"), Step(0));
    EXPECT_EQ(step_of("  %v = mul i32 %x, %iterations\n"), Step(0));
    EXPECT_EQ(step_of("  %v = udiv i32 %x, 3\n"), Step(0));
}

TEST(TurnStep, NothingIsKnownOfOthers) {
    EXPECT_EQ(step_of("  %v = mul i32 %k, %k\n"), std::nullopt);
    EXPECT_EQ(step_of("  %v = mul i32 %k, %x\n"), std::nullopt);
    EXPECT_EQ(step_of("  %v = add i32 %w, 1\n"), std::nullopt);
    EXPECT_EQ(step_of("  %v = load i32, ptr %memory\n"), std::nullopt);
    EXPECT_EQ(step_of("  %v = and i32 %k, -4\n"), std::nullopt);
    EXPECT_EQ(step_of("  %v = lshr i32 %k, 1\n"), std::nullopt);
    EXPECT_EQ(step_of("  %a = shl i32 %k, 2\n  %v = select i1 %odd, i32 %a, i32 %k\n"), std::nullopt);
    EXPECT_EQ(step_of("  %a = shl i32 %k, 15\n  %b = shl i32 %a, 15\n  %v = shl i32 %b, 15\n"), std::nullopt);
}

// A long path to the counter ends the search; forks do not make it long.
TEST(TurnStep, LongWaysEnd) {
    std::string chain = "  %a0 = add i32 %k, %x\n";
    for (int k = 1; k < 4000; ++k)
        chain += "  %a" + std::to_string(k) + " = add i32 %a" + std::to_string(k - 1) + ", %a" +
                 std::to_string(k - 1) + "\n";
    EXPECT_EQ(step_of(chain + "  %v = add i32 %a3999, 1\n"), std::nullopt);
}

} // namespace
} // namespace visor::jit
