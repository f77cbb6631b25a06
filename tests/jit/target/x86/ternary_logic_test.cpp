// Bitwise functions written as LLVM's text: how many operations they become, and which function that is.
// Tables of results are written by hand: bit k is the result where the inputs are the bits of k, the first
// one the highest, in the order in which they are met.
#include "jit/target/x86/ternary_logic.h"

#include "assembled.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace visor::jit {
namespace {

struct Joined {
    std::vector<uint64_t> tables;
    std::vector<std::string> inputs; // of the first one
    size_t operations = 0;           // that are left
};

Joined joined(const std::string& body, const std::string& type = "<16 x i32>") {
    Assembled code;
    Joined out;
    if (!code.parse("define " + type + " @f(" + type + " %a, " + type + " %b, " + type + " %c, " + type +
                    " %d, ptr %m) {\n" + body + "  ret " + type + " %r\n}\n"))
        return out;
    map_ternary_logic(code.function());
    code.verify();
    for (const llvm::Instruction& instruction : llvm::instructions(code.function())) {
        const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::x86_avx512_pternlog_d_512) {
            out.tables.push_back(llvm::cast<llvm::ConstantInt>(call->getArgOperand(3))->getZExtValue());
            for (unsigned k = 0; out.tables.size() == 1 && k < 3; ++k)
                out.inputs.push_back(call->getArgOperand(k)->getName().str());
        }
        out.operations += instruction.isBitwiseLogicOp() ? 1 : 0;
    }
    return out;
}

using Tables = std::vector<uint64_t>;

// a ? b : c: 1 for 011, 001 (a = 0: c) and 110, 111 (a = 1: b).
TEST(TernaryLogic, AChoiceIsOne) {
    const Joined code = joined("  %x = xor <16 x i32> %b, %c\n"
                               "  %y = and <16 x i32> %a, %x\n"
                               "  %r = xor <16 x i32> %c, %y\n");
    // Met in this order: b, c, a. c where a = 0: 010 and 110; b where a = 1: 101 and 111.
    EXPECT_EQ(code.inputs, (std::vector<std::string>{"b", "c", "a"}));
    EXPECT_EQ(code.tables, Tables{0b1110'0100});
    EXPECT_EQ(code.operations, 0U);
}

// Two of three or more: 011, 101, 110, 111. Seen as (a & b) | (c & (a | b)) it has four inputs on the way.
TEST(TernaryLogic, AMajorityIsOne) {
    const Joined code = joined("  %x = and <16 x i32> %a, %b\n"
                               "  %y = or <16 x i32> %a, %b\n"
                               "  %z = and <16 x i32> %c, %y\n"
                               "  %r = or <16 x i32> %x, %z\n");
    EXPECT_EQ(code.tables, Tables{0b1110'1000});
    EXPECT_EQ(code.operations, 0U);
}

// ~(a & ~b) ^ c: not only where a = 1, b = 0, and then the other way round where c.
TEST(TernaryLogic, OnesAndZerosAreNoInputs) {
    const Joined code = joined("  %x = xor <16 x i32> %b, splat (i32 -1)\n"
                               "  %y = and <16 x i32> %a, %x\n"
                               "  %z = xor <16 x i32> %y, splat (i32 -1)\n"
                               "  %r = xor <16 x i32> %z, %c\n");
    // In this order: b, a, c. ~(a & ~b) is 0 for 01x: 1 for 000, 100, 110, and with c for 011.
    EXPECT_EQ(code.inputs, (std::vector<std::string>{"b", "a", "c"}));
    EXPECT_EQ(code.tables, Tables{0b0101'1001});
}

// LLVM finds these.
TEST(TernaryLogic, TwoOperationsStayAsTheyAre) {
    const Joined code = joined("  %x = xor <16 x i32> %a, %b\n"
                               "  %r = xor <16 x i32> %x, %c\n");
    EXPECT_TRUE(code.tables.empty());
    EXPECT_EQ(code.operations, 2U);
}

TEST(TernaryLogic, OfFourInputsSomeAreJoined) {
    const Joined code = joined("  %x = xor <16 x i32> %a, %b\n"
                               "  %y = and <16 x i32> %x, %c\n"
                               "  %z = xor <16 x i32> %y, %b\n"
                               "  %r = or <16 x i32> %z, %d\n");
    EXPECT_EQ(code.tables.size(), 1U);
    EXPECT_EQ(code.operations, 1U);
}

// Operations with other users stay.
TEST(TernaryLogic, PartsThatAreWantedStay) {
    const Joined code = joined("  %x = xor <16 x i32> %a, %b\n"
                               "  %n = and <16 x i32> %c, %x\n"
                               "  %y = or <16 x i32> %n, %b\n"
                               "  %r = xor <16 x i32> %y, %a\n"
                               "  store <16 x i32> %x, ptr %m\n");
    EXPECT_EQ(code.tables.size(), 1U); // three of the four
    EXPECT_EQ(code.operations, 1U);
    const Joined all = joined("  %x = xor <16 x i32> %a, %b\n"
                              "  %y = and <16 x i32> %c, %x\n"
                              "  %r = or <16 x i32> %y, %b\n"
                              "  store <16 x i32> %x, ptr %m\n"
                              "  store <16 x i32> %y, ptr %m\n");
    EXPECT_TRUE(all.tables.empty());
    EXPECT_EQ(all.operations, 3U);
}

TEST(TernaryLogic, LongVectorsAreSeveralAndShortOnesNone) {
    const auto body = [](const std::string& type) {
        return "  %x = xor " + type + " %b, %c\n  %y = and " + type + " %a, %x\n  %r = xor " + type +
               " %c, %y\n";
    };
    EXPECT_EQ(joined(body("<32 x i32>"), "<32 x i32>").tables, (Tables{0b1110'0100, 0b1110'0100}));
    EXPECT_EQ(joined(body("<8 x i64>"), "<8 x i64>").tables, Tables{0b1110'0100});
    EXPECT_EQ(joined(body("<64 x i8>"), "<64 x i8>").tables, Tables{0b1110'0100});
    EXPECT_TRUE(joined(body("<8 x i32>"), "<8 x i32>").tables.empty());
    EXPECT_TRUE(joined(body("i32"), "i32").tables.empty());
}

// Runs the result, if the CPU has AVX-512.
TEST(TernaryLogic, ItsNumbersAreThose) {
    if (!__builtin_cpu_supports("avx512f"))
        GTEST_SKIP() << "the CPU has no AVX-512";
    Assembled code;
    ASSERT_TRUE(code.parse("define void @f(ptr %a, ptr %b, ptr %c, ptr %out) #0 {\n"
                           "  %u = load <32 x i32>, ptr %a, align 4\n"
                           "  %v = load <32 x i32>, ptr %b, align 4\n"
                           "  %w = load <32 x i32>, ptr %c, align 4\n"
                           "  %x = xor <32 x i32> %v, %w\n"
                           "  %y = and <32 x i32> %u, %x\n"
                           "  %r = xor <32 x i32> %w, %y\n"
                           "  store <32 x i32> %r, ptr %out, align 4\n"
                           "  ret void\n}\n"
                           "attributes #0 = { \"target-features\"=\"+avx512f\" }\n"));
    map_ternary_logic(code.function());
    code.verify();
    code.link();
    std::vector<uint32_t> a;
    std::vector<uint32_t> b;
    std::vector<uint32_t> c;
    for (uint32_t k = 0; k < 32; ++k) {
        a.push_back(k * 0x9e3779b9U);
        b.push_back(~k * 0x85ebca6bU);
        c.push_back((k + 5) * 0xc2b2ae35U);
    }
    std::vector<uint32_t> out(32);
    code.linked<void(uint32_t*, uint32_t*, uint32_t*, uint32_t*)>()(a.data(), b.data(), c.data(), out.data());
    for (size_t k = 0; k < 32; ++k)
        EXPECT_EQ(out[k], (a[k] & b[k]) | (~a[k] & c[k])) << k;
}

} // namespace
} // namespace visor::jit
