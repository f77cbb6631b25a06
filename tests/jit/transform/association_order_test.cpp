// The position of constants in sums after LLVM's own optimization: sums are run, and inspected as LLVM IR.
#include "jit/transform/association_order.h"

#include "assembled.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueSymbolTable.h>

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace visor::jit {
namespace {

using Lanes = std::array<uint32_t, 4>;

// Whether %x, which is `sum`, adds a constant still; what is stored for lanes 1 ... 4 and 10 ... 40.
bool is_constant(const std::string& sum, Lanes& out,
                 const std::string& rest = "  %y = add <4 x i32> %x, %b\n") {
    Assembled code;
    if (!code.parse("define void @f(ptr %in, ptr %out) {\n"
                    "  %p = getelementptr i8, ptr %in, i64 16\n"
                    "  %a = load <4 x i32>, ptr %in, align 4\n"
                    "  %b = load <4 x i32>, ptr %p, align 4\n" +
                    sum + rest +
                    "  store <4 x i32> %y, ptr %out, align 4\n"
                    "  ret void\n}\n"))
        return false;
    pin_association_order(code.function().getEntryBlock());
    code.verify();
    const auto* const x = llvm::cast<llvm::Instruction>(code.function().getValueSymbolTable()->lookup("x"));
    const bool constant = llvm::isa<llvm::Constant>(x->getOperand(1));
    code.link();
    constexpr std::array<Lanes, 2> in{{{1, 2, 3, 4}, {10, 20, 30, 40}}};
    code.linked<void(const Lanes*, Lanes*)>()(in.data(), &out);
    return constant;
}

TEST(SumOrder, AConstantInTheMiddleIsLoaded) {
    Lanes out{};
    EXPECT_FALSE(is_constant("  %x = add <4 x i32> %a, splat (i32 100)\n", out));
    EXPECT_EQ(out, (Lanes{111, 122, 133, 144}));
    EXPECT_FALSE(is_constant("  %x = add <4 x i32> %a, splat (i32 -1)\n", out));
    EXPECT_EQ(out, (Lanes{10, 21, 32, 43}));
}

TEST(SumOrder, OneAtTheEndStays) {
    Lanes out{};
    EXPECT_TRUE(
        is_constant("  %x = add <4 x i32> %a, splat (i32 100)\n", out, "  %y = xor <4 x i32> %x, %b\n"));
    EXPECT_EQ(out, (Lanes{101 ^ 10, 102 ^ 20, 103 ^ 30, 104 ^ 40}));
}

// A sum in a block of so many instructions, most of them dead.
bool is_constant_in(size_t instructions) {
    std::string text = "define <4 x i32> @f(<4 x i32> %a, <4 x i32> %b) {\n"
                       "  %x = add <4 x i32> %a, splat (i32 100)\n"
                       "  %y = add <4 x i32> %x, %b\n";
    for (size_t k = 3; k < instructions; ++k)
        text += "  %unused" + std::to_string(k) + " = xor <4 x i32> %a, %b\n";
    Assembled code;
    if (!code.parse(text + "  ret <4 x i32> %y\n}\n"))
        return false;
    pin_association_order(code.function());
    code.verify();
    const auto* const x = llvm::cast<llvm::Instruction>(code.function().getValueSymbolTable()->lookup("x"));
    return llvm::isa<llvm::Constant>(x->getOperand(1));
}

TEST(SumOrder, OfAFunctionInLongBlocksAlone) {
    EXPECT_TRUE(is_constant_in(999));
    EXPECT_FALSE(is_constant_in(1000));
}

// LLVM leaves a sum alone that is wanted twice, and constants that differ by lane.
TEST(SumOrder, WhatLLVMLeavesAloneStays) {
    Lanes out{};
    EXPECT_TRUE(is_constant("  %x = add <4 x i32> %a, splat (i32 100)\n", out,
                            "  %z = add <4 x i32> %x, %b\n  %y = add <4 x i32> %z, %x\n"));
    EXPECT_EQ(out, (Lanes{212, 224, 236, 248}));
    EXPECT_TRUE(is_constant("  %x = add <4 x i32> %a, <i32 1, i32 2, i32 3, i32 4>\n", out));
    EXPECT_EQ(out, (Lanes{12, 24, 36, 48}));
}

} // namespace
} // namespace visor::jit
