// Arithmetic of 64 bits as compilers make it of 32; what it says is compared with the host's.
#include "jit/transform/recognize_i64.h"

#include "assembled.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>

namespace visor::jit {
namespace {

using Qwords = std::array<uint64_t, 2>;

// `%lo` and `%hi` computed from %a, dwords; %x_lo and %x_hi, the halves of qwords; %s, a 64-bit number, as
// vectors %s_lo and %s_hi.
std::string making(const std::string& body) {
    return "define void @f(ptr %out, ptr %dwords, ptr %qwords, i64 %s) {\n"
           "  %a = load <2 x i32>, ptr %dwords, align 4\n"
           "  %a_sign = ashr <2 x i32> %a, splat (i32 31)\n"
           "  %x = load <4 x i32>, ptr %qwords, align 4\n"
           "  %x_lo = shufflevector <4 x i32> %x, <4 x i32> poison, <2 x i32> <i32 0, i32 2>\n"
           "  %x_hi = shufflevector <4 x i32> %x, <4 x i32> poison, <2 x i32> <i32 1, i32 3>\n"
           "  %low = trunc i64 %s to i32\n"
           "  %shifted = lshr i64 %s, 32\n"
           "  %high = trunc i64 %shifted to i32\n"
           "  %l1 = insertelement <2 x i32> poison, i32 %low, i64 0\n"
           "  %s_lo = shufflevector <2 x i32> %l1, <2 x i32> poison, <2 x i32> zeroinitializer\n"
           "  %h1 = insertelement <2 x i32> poison, i32 %high, i64 0\n"
           "  %s_hi = shufflevector <2 x i32> %h1, <2 x i32> poison, <2 x i32> zeroinitializer\n" +
           body +
           "  %v = shufflevector <2 x i32> %lo, <2 x i32> %hi, <4 x i32> <i32 0, i32 2, i32 1, i32 3>\n"
           "  store <4 x i32> %v, ptr %out, align 4\n"
           "  ret void\n}\n";
}

struct Expected {
    std::function<uint64_t(uint32_t a, uint64_t x, uint64_t s)> value;
    unsigned opcode; // of the one operation; 0: it stays as it was
};

void expect(const std::string& body, const Expected& expected) {
    Assembled code;
    ASSERT_TRUE(code.parse(making(body))) << body;
    recognize_i64(code.function());
    code.verify();
    const bool joined =
        std::ranges::any_of(llvm::instructions(code.function()), [&](const llvm::Instruction& made) {
            return made.getType()->isVectorTy() && made.getType()->getScalarSizeInBits() == 64 &&
                   made.getOpcode() == expected.opcode;
        });
    EXPECT_EQ(joined, expected.opcode != 0) << body;
    const auto* const stored =
        llvm::cast<llvm::StoreInst>(code.function().back().getTerminator()->getPrevNode());
    EXPECT_EQ(llvm::isa<llvm::BitCastInst>(stored->getValueOperand()), expected.opcode != 0) << body;
    code.link();
    auto* const run = code.linked<void(uint64_t*, const uint32_t*, const uint64_t*, uint64_t)>();
    constexpr uint64_t large = uint64_t{1} << 63U;
    const std::array<uint64_t, 6> numbers{0,     3,         UINT32_MAX, uint64_t{5} << 32U | 0x80000001U,
                                          large, UINT64_MAX};
    for (const uint64_t one : numbers)
        for (const uint64_t x : numbers)
            for (const uint64_t s : numbers) {
                const std::array<uint32_t, 2> a{static_cast<uint32_t>(one),
                                                static_cast<uint32_t>(one >> 32U)};
                const Qwords qwords{x, x + 7};
                Qwords out{};
                run(out.data(), a.data(), qwords.data(), s);
                EXPECT_EQ(out[0], expected.value(a[0], x, s)) << body;
                EXPECT_EQ(out[1], expected.value(a[1], x + 7, s)) << body;
            }
}

uint64_t signed_of(uint32_t number) {
    return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(number)));
}

const std::string high_of_three = "  %a64 = zext <2 x i32> %a to <2 x i64>\n"
                                  "  %p64 = mul <2 x i64> %a64, splat (i64 3)\n"
                                  "  %p_hi = lshr <2 x i64> %p64, splat (i64 32)\n"
                                  "  %mulh = trunc <2 x i64> %p_hi to <2 x i32>\n"
                                  "  %lo = mul <2 x i32> %a, splat (i32 3)\n";

TEST(Qwords, ProductsByConstants) {
    expect(high_of_three + "  %hi = add <2 x i32> %mulh, zeroinitializer\n",
           {[](uint32_t a, uint64_t, uint64_t) { return uint64_t{3} * a; }, llvm::Instruction::Mul});
    expect(high_of_three + "  %b = mul <2 x i32> splat (i32 3), %a_sign\n  %hi = add <2 x i32> %mulh, %b\n",
           {[](uint32_t a, uint64_t, uint64_t) { return 3 * signed_of(a); }, llvm::Instruction::Mul});
}

const std::string high_of_both = "  %x64 = zext <2 x i32> %x_lo to <2 x i64>\n"
                                 "  %s64 = zext <2 x i32> %s_lo to <2 x i64>\n"
                                 "  %p64 = mul <2 x i64> %x64, %s64\n"
                                 "  %p_hi = lshr <2 x i64> %p64, splat (i64 32)\n"
                                 "  %mulh = trunc <2 x i64> %p_hi to <2 x i32>\n"
                                 "  %lo = mul <2 x i32> %x_lo, %s_lo\n";

TEST(Qwords, ProductsOfQwordsAndANumber) {
    expect(high_of_both + "  %first = mul <2 x i32> %x_lo, %s_hi\n"
                          "  %second = mul <2 x i32> %x_hi, %s_lo\n"
                          "  %some = add <2 x i32> %mulh, %first\n"
                          "  %hi = add <2 x i32> %second, %some\n",
           {[](uint32_t, uint64_t x, uint64_t s) { return x * s; }, llvm::Instruction::Mul});
}

// A factor that does not belong there, one too many, no high half of the product.
TEST(Qwords, OtherProductsStay) {
    const auto low = [](uint64_t x) { return x & UINT32_MAX; };
    expect(high_of_both + "  %second = mul <2 x i32> %x_hi, %s_hi\n  %hi = add <2 x i32> %mulh, %second\n",
           {[&](uint32_t, uint64_t x, uint64_t s) {
                return low(x) * low(s) + (((x >> 32U) * (s >> 32U)) << 32U);
            },
            0});
    expect(high_of_both + "  %first = mul <2 x i32> %x_lo, %s_hi\n"
                          "  %some = add <2 x i32> %mulh, %first\n"
                          "  %hi = add <2 x i32> %some, %first\n",
           {[&](uint32_t, uint64_t x, uint64_t s) {
                return low(x) * low(s) + 2 * ((low(x) * (s >> 32U)) << 32U);
            },
            0});
    expect("  %lo = mul <2 x i32> %x_lo, %s_lo\n  %hi = mul <2 x i32> %x_lo, %s_hi\n",
           {[&](uint32_t, uint64_t x, uint64_t s) {
                return low(low(x) * low(s)) + ((low(x) * (s >> 32U)) << 32U);
            },
            0});
}

const std::string carried = "  %lo = add <2 x i32> %x_lo, %s_lo\n"
                            "  %less = icmp ult <2 x i32> %lo, %s_lo\n"
                            "  %carry = zext <2 x i1> %less to <2 x i32>\n";

TEST(Qwords, Sums) {
    expect(carried + "  %some = add <2 x i32> %x_hi, %carry\n  %hi = add <2 x i32> %some, %s_hi\n",
           {[](uint32_t, uint64_t x, uint64_t s) { return x + s; }, llvm::Instruction::Add});
    expect("  %lo = add <2 x i32> %x_lo, splat (i32 -4)\n" // 2^32 - 4
           "  %less = icmp ugt <2 x i32> %x_lo, %lo\n"
           "  %carry = zext <2 x i1> %less to <2 x i32>\n"
           "  %hi = add <2 x i32> %carry, %x_hi\n",
           {[](uint32_t, uint64_t x, uint64_t) { return x + (UINT32_MAX - 3U); }, llvm::Instruction::Add});
}

// The carry of another sum, and the opposite of one.
TEST(Qwords, OtherSumsStay) {
    const auto half_sum = [](uint64_t x, uint64_t s, bool carry) {
        const auto low = static_cast<uint32_t>(x) + static_cast<uint32_t>(s);
        return uint64_t{low} | ((x >> 32U) + (carry ? 1U : 0U)) << 32U;
    };
    expect("  %lo = add <2 x i32> %x_lo, %s_lo\n"
           "  %less = icmp ult <2 x i32> %lo, %a\n"
           "  %carry = zext <2 x i1> %less to <2 x i32>\n"
           "  %hi = add <2 x i32> %carry, %x_hi\n",
           {[&](uint32_t a, uint64_t x, uint64_t s) {
                return half_sum(x, s, static_cast<uint32_t>(x) + static_cast<uint32_t>(s) < a);
            },
            0});
    expect("  %lo = add <2 x i32> %x_lo, %s_lo\n"
           "  %less = icmp ugt <2 x i32> %lo, %s_lo\n"
           "  %carry = zext <2 x i1> %less to <2 x i32>\n"
           "  %hi = add <2 x i32> %carry, %x_hi\n",
           {[&](uint32_t, uint64_t x, uint64_t s) {
                return half_sum(
                    x, s, static_cast<uint32_t>(x) + static_cast<uint32_t>(s) > static_cast<uint32_t>(s));
            },
            0});
}

} // namespace
} // namespace visor::jit
