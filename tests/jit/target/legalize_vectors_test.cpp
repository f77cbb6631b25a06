// Vectors wider than a register: code is written as LLVM's text, split for registers of 128 bits, inspected,
// and run; results were computed by hand.
#include "jit/target/legalize_vectors.h"

#include "assembled.h"

#include <llvm/IR/Instructions.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace visor::jit {
namespace {

using Lanes = std::array<uint32_t, 8>;

constexpr unsigned register_bits = 128;

struct Ran {
    Lanes out{};
    size_t wide = 0; // values that no register holds, masks aside
};

bool is_wide(const llvm::Value& value) {
    const llvm::Type* const type = value.getType();
    return type->isVectorTy() && type->getScalarSizeInBits() > 1 &&
           type->getPrimitiveSizeInBits().getFixedValue() > register_bits;
}

// %a and %b: what is loaded from the two arrays.
Ran run(const std::string& body, const Lanes& a, const Lanes& b) {
    Ran ran;
    Assembled code;
    if (!code.parse("declare <8 x i32> @llvm.umin.v8i32(<8 x i32>, <8 x i32>)\n"
                    "declare <8 x i32> @llvm.abs.v8i32(<8 x i32>, i1)\n"
                    "define void @f(ptr %as, ptr %bs, ptr %out) {\n"
                    "entry:\n"
                    "  %a = load <8 x i32>, ptr %as, align 4\n"
                    "  %b = load <8 x i32>, ptr %bs, align 4\n" +
                    body + "  ret void\n}\n"))
        return ran;
    legalize_vectors(code.function(), register_bits);
    code.verify();
    for (const llvm::BasicBlock& block : code.function())
        ran.wide += static_cast<size_t>(std::ranges::count_if(block, is_wide));
    code.link();
    code.linked<void(const uint32_t*, const uint32_t*, uint32_t*)>()(a.data(), b.data(), ran.out.data());
    return ran;
}

constexpr Lanes ones_to_eight{1, 2, 3, 4, 5, 6, 7, 8};
constexpr Lanes tens{10, 20, 30, 40, 50, 60, 70, 80};

struct Way {
    const char* name;
    std::string body;
    Lanes b; // a: ones_to_eight
    Lanes expected;
    bool whole = true; // nothing wide is left
};

const std::array ways{
    Way{"arithmetic and constants",
        "  %sum = add <8 x i32> %a, %b\n"
        "  %more = add <8 x i32> %sum, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>\n"
        "  %least = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %more, <8 x i32> %b)\n"
        "  %away = sub <8 x i32> zeroinitializer, %least\n"
        "  %back = call <8 x i32> @llvm.abs.v8i32(<8 x i32> %away, i1 false)\n"
        "  store <8 x i32> %back, ptr %out, align 4\n",
        {10, 20, 30, 40, 50, 60, 70, 1},
        {10, 20, 30, 40, 50, 60, 70, 1}},
    Way{"a loop keeps its parts apart",
        "  br label %turn\n"
        "turn:\n"
        "  %sum = phi <8 x i32> [ %a, %entry ], [ %next, %turn ]\n"
        "  %k = phi i32 [ 0, %entry ], [ %k2, %turn ]\n"
        "  %next = add <8 x i32> %sum, %b\n"
        "  %k2 = add i32 %k, 1\n"
        "  %goes = icmp ult i32 %k2, 3\n"
        "  br i1 %goes, label %turn, label %ends\n"
        "ends:\n"
        "  store <8 x i32> %next, ptr %out, align 4\n",
        tens,
        {31, 62, 93, 124, 155, 186, 217, 248}},
    Way{"lanes one by one, and from elsewhere",
        "  %sixth = extractelement <8 x i32> %a, i64 5\n"
        "  %put = insertelement <8 x i32> %b, i32 %sixth, i64 6\n"
        "  %turned = shufflevector <8 x i32> %put, <8 x i32> poison,\n"
        "      <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3>\n"
        "  store <8 x i32> %turned, ptr %out, align 4\n",
        tens,
        {50, 60, 6, 80, 10, 20, 30, 40}},
    Way{"one number in all lanes",
        "  %third = extractelement <8 x i32> %a, i64 2\n"
        "  %one = insertelement <8 x i32> poison, i32 %third, i64 0\n"
        "  %all = shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> zeroinitializer\n"
        "  %sum = add <8 x i32> %all, %b\n"
        "  store <8 x i32> %sum, ptr %out, align 4\n",
        tens,
        {13, 23, 33, 43, 53, 63, 73, 83}},
    Way{"elements of another width: parts of the one are not parts of the other",
        "  %wide = zext <8 x i32> %a to <8 x i64>\n"
        "  %high = shl <8 x i64> %wide, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>\n"
        "  %both = or <8 x i64> %high, %wide\n"
        "  %dwords = bitcast <8 x i64> %both to <16 x i32>\n"
        "  %upper = shufflevector <16 x i32> %dwords, <16 x i32> poison,\n"
        "      <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>\n"
        "  store <8 x i32> %upper, ptr %out, align 4\n",
        tens,
        {5, 5, 6, 6, 7, 7, 8, 8}},
    Way{"comparisons read their operands in one piece, and give masks",
        "  %sum = add <8 x i32> %a, %a\n"
        "  %less = icmp ult <8 x i32> %sum, %b\n"
        "  %chosen = select <8 x i1> %less, <8 x i32> %sum, <8 x i32> %b\n"
        "  %more = add <8 x i32> %chosen, %a\n"
        "  store <8 x i32> %more, ptr %out, align 4\n",
        {1, 9, 1, 9, 1, 99, 1, 99},
        {2, 6, 4, 12, 6, 18, 8, 24},
        false},
    Way{"a constant of other elements than its type says",
        "  %sum = add <8 x i32> %a,\n"
        "      bitcast (<4 x i64> <i64 1, i64 4294967296, i64 8589934594, i64 0> to <8 x i32>)\n"
        "  store <8 x i32> %sum, ptr %out, align 4\n",
        tens,
        {2, 2, 3, 5, 7, 8, 7, 8}},
};

TEST(LegalizeVectors, WhatComesOutIsTheSame) {
    for (const Way& way : ways) {
        const Ran ran = run(way.body, ones_to_eight, way.b);
        EXPECT_EQ(ran.out, way.expected) << way.name;
        EXPECT_EQ(ran.wide == 0, way.whole) << way.name;
    }
}

// Widths that are no multiple of a register, and atomic accesses.
TEST(LegalizeVectors, LeavesAlone) {
    Assembled code;
    ASSERT_TRUE(code.parse("define void @f(ptr %as, ptr %out) {\n"
                           "  %odd = load <6 x i32>, ptr %as, align 4\n"
                           "  store <6 x i32> %odd, ptr %out, align 4\n"
                           "  %now = load volatile <8 x i32>, ptr %as, align 4\n"
                           "  store volatile <8 x i32> %now, ptr %out, align 4\n"
                           "  ret void\n}\n"));
    legalize_vectors(code.function(), register_bits);
    code.verify();
    EXPECT_EQ(code.function().getInstructionCount(), 5U);
}

} // namespace
} // namespace visor::jit
