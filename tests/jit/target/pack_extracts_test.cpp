// Extracted offsets: code is written as LLVM's text and run. Each lane's value at its offset in a table of
// numbers 1, 2, 3, ... was computed by hand.
#include "jit/target/pack_extracts.h"

#include "assembled.h"

#include <llvm/IR/Instructions.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace visor::jit {
namespace {

constexpr uint32_t lanes = 8;
using Lanes = std::array<uint32_t, lanes>;

// found[lane] = table at (numbers[lane] `op`); the offset comes out of a pair, by `low` for the first of two.
std::string code(const std::string& op, const std::string& low,
                 const std::string& high = "lshr i64 %pair, 32") {
    std::string text = "define void @f(ptr %numbers, ptr %table, ptr %found) {\n"
                       "  %all = load <8 x i32>, ptr %numbers, align 4\n" +
                       op + "  %pairs = bitcast <8 x i32> %offsets to <4 x i64>\n";
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        const uint32_t pair = lane / 2;
        std::string part = lane % 2 == 0 ? low : high;
        part.replace(part.find("%pair"), 5, fmt::format("%pair{}", pair));
        if (lane % 2 == 0)
            text += fmt::format("  %pair{0} = extractelement <4 x i64> %pairs, i64 {0}\n", pair);
        text += fmt::format("  %offset{0} = {1}\n"
                            "  %at{0} = getelementptr i8, ptr %table, i64 %offset{0}\n"
                            "  %value{0} = load i32, ptr %at{0}\n"
                            "  %to{0} = getelementptr i32, ptr %found, i64 {0}\n"
                            "  store i32 %value{0}, ptr %to{0}\n",
                            lane, part);
    }
    return text + "  ret void\n}\n";
}
// (number & `mask`) << 2
std::string masked(uint32_t mask) {
    std::string text = "  %kept = and <8 x i32> %all, <";
    std::string twos = "<";
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        text += (lane == 0 ? "i32 " : ", i32 ") + std::to_string(mask);
        twos += lane == 0 ? "i32 2" : ", i32 2";
    }
    return text + ">\n  %offsets = shl <8 x i32> %kept, " + twos + ">\n";
}

struct Ran {
    Lanes found{};
    bool packed = false;
};
Ran run(const std::string& text, const Lanes& numbers) {
    Ran ran;
    Assembled code;
    if (!code.parse(text))
        return ran;
    pack_extracts(code.function());
    code.verify();
    for (const llvm::Instruction& instruction : code.function().getEntryBlock())
        ran.packed = ran.packed || llvm::isa<llvm::TruncInst>(instruction);
    code.link();
    std::array<uint32_t, 1024> table{};
    std::iota(table.begin(), table.end(), 1);
    code.linked<void(const uint32_t*, const uint32_t*, uint32_t*)>()(numbers.data(), table.data(),
                                                                     ran.found.data());
    return ran;
}

const std::string all_bits = "and i64 %pair, 4294967295";
constexpr Lanes numbers{0, 255, 256 + 7, 128, 1, 254, 0xffffff80, 511};

TEST(Packing, EightBitsLeaveEightAtATime) {
    for (const std::string& low : {all_bits, std::string("and i64 %pair, 1020")}) {
        const Ran ran = run(code(masked(255), low), numbers);
        EXPECT_TRUE(ran.packed);
        EXPECT_EQ(ran.found, (Lanes{1, 256, 8, 129, 2, 255, 129, 256}));
    }
}

TEST(Packing, OfOtherBitsAsWell) {
    // 256, 512 and 0x80 << 2 remain of those: bits 7 to 9 behind the shift
    const Ran ran = run(code(masked(0xe0), all_bits), numbers);
    EXPECT_TRUE(ran.packed);
    EXPECT_EQ(ran.found, (Lanes{1, 225, 1, 129, 1, 225, 129, 225}));
}

TEST(Packing, NineBitsStayPairs) {
    const Ran ran = run(code(masked(511), all_bits), numbers);
    EXPECT_FALSE(ran.packed);
    EXPECT_EQ(ran.found, (Lanes{1, 256, 264, 129, 2, 255, 385, 512}));
}

// A part that keeps less than its element has, or more than that, is no offset.
TEST(Packing, WhatElseIsMadeOfPairsKeepsThem) {
    const Ran less = run(code(masked(255), "and i64 %pair, 508"), numbers);
    EXPECT_FALSE(less.packed);
    EXPECT_EQ(less.found, (Lanes{1, 256, 8, 129, 2, 255, 1, 256})); // 128 lost its bit
    const Ran shifted = run(code(masked(255), all_bits, "lshr i64 %pair, 33"), numbers);
    EXPECT_FALSE(shifted.packed);
}

} // namespace
} // namespace visor::jit
