// What all lanes share: code is written as LLVM's text; what is left of it in vectors is counted, and its
// results were worked out by hand.
#include "jit/transform/scalarize_uniform.h"

#include "assembled.h"

#include <llvm/IR/Instructions.h>

#include <gtest/gtest.h>

#include <array>

namespace visor::jit {
namespace {

using Lanes = std::array<uint32_t, 4>;

struct Ran {
    Lanes out{};
    uint32_t mask = 0;
    size_t in_vectors = 0; // arithmetic and comparisons
};

// %a and %b: one number in all lanes; %own: a number for each.
Ran run(const std::string& body, uint16_t a, uint32_t b, const Lanes& own) {
    const std::string text =
        "declare <4 x i32> @llvm.umin.v4i32(<4 x i32>, <4 x i32>)\n"
        "define void @f(i16 %a1, i32 %b1, ptr %owns, ptr %out, ptr %mask) {\n"
        "  %a2 = insertelement <4 x i16> poison, i16 %a1, i64 0\n"
        "  %a = shufflevector <4 x i16> %a2, <4 x i16> poison, <4 x i32> zeroinitializer\n"
        "  %b2 = insertelement <4 x i32> poison, i32 %b1, i64 0\n"
        "  %b = shufflevector <4 x i32> %b2, <4 x i32> poison, <4 x i32> zeroinitializer\n"
        "  %own = load <4 x i32>, ptr %owns, align 4\n" +
        body + "  ret void\n}\n";
    Ran ran;
    Assembled code;
    if (!code.parse(text))
        return ran;
    scalarize_uniform(code.function());
    code.verify();
    for (const llvm::Instruction& each : code.function().getEntryBlock())
        ran.in_vectors +=
            each.getType()->isVectorTy() && llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::CastInst,
                                                      llvm::SelectInst, llvm::CallInst>(each)
                ? 1
                : 0;
    code.link();
    code.linked<void(uint16_t, uint32_t, const uint32_t*, uint32_t*, uint32_t*)>()(a, b, own.data(),
                                                                                   ran.out.data(), &ran.mask);
    return ran;
}

TEST(ComputeOnce, WhatAllLanesShare) {
    const std::string row = "  %wide = zext <4 x i16> %a to <4 x i32>\n"
                            "  %next = add <4 x i32> %wide, <i32 1, i32 1, i32 1, i32 1>\n"
                            "  %last = sub <4 x i32> %b, <i32 1, i32 1, i32 1, i32 1>\n"
                            "  %row = call <4 x i32> @llvm.umin.v4i32(<4 x i32> %next, <4 x i32> %last)\n"
                            "  %place = mul <4 x i32> %row, %b\n"
                            "  %at = add <4 x i32> %place, %own\n"
                            "  store <4 x i32> %at, ptr %out, align 4\n";
    // min(6 + 1, 10 - 1) * 10, min(9 + 1, 9) * 10
    const Ran inside = run(row, 6, 10, {0, 1, 2, 500});
    EXPECT_EQ(inside.out, (Lanes{70, 71, 72, 570}));
    EXPECT_EQ(inside.in_vectors, 1U); // the addition of what lanes have of their own
    EXPECT_EQ(run(row, 9, 10, {3, 2, 1, 0}).out, (Lanes{93, 92, 91, 90}));
}

TEST(ComputeOnce, AConditionOfAllLanes) {
    const std::string body =
        "  %wide = sext <4 x i16> %a to <4 x i32>\n"
        "  %less = icmp slt <4 x i32> %wide, %b\n"
        "  %chosen = select <4 x i1> %less, <4 x i32> %wide, <4 x i32> <i32 7, i32 7, i32 7, i32 7>\n"
        "  store <4 x i32> %chosen, ptr %out, align 4\n"
        "  %bits = bitcast <4 x i1> %less to i4\n"
        "  %own_less = icmp ult <4 x i32> %own, %b\n"
        "  %own_bits = bitcast <4 x i1> %own_less to i4\n"
        "  %both = and i4 %bits, %own_bits\n"
        "  %all = zext i4 %both to i32\n"
        "  store i32 %all, ptr %mask, align 4\n";
    const Ran less = run(body, 0xffff, 3, {0, 3, 2, 9}); // -1 < 3
    EXPECT_EQ(less.out, (Lanes{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}));
    EXPECT_EQ(less.mask, 0b0101U);
    EXPECT_EQ(less.in_vectors, 1U); // the comparison of their own
    const Ran more = run(body, 3, 3, {0, 3, 2, 9});
    EXPECT_EQ(more.out, (Lanes{7, 7, 7, 7}));
    EXPECT_EQ(more.mask, 0U);
}

// Floats stay: which of two NaNs a sum has may depend on it.
TEST(ComputeOnce, FloatsStayWhatTheyAre) {
    const Ran ran = run("  %f = bitcast <4 x i32> %b to <4 x float>\n"
                        "  %sum = fadd <4 x float> %f, %f\n"
                        "  store <4 x float> %sum, ptr %out, align 4\n",
                        0, 0x3f800000, {});
    EXPECT_EQ(ran.out, (Lanes{0x40000000, 0x40000000, 0x40000000, 0x40000000}));
    EXPECT_EQ(ran.in_vectors, 2U);
}

} // namespace
} // namespace visor::jit
