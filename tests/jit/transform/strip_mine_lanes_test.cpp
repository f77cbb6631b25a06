// Code that is too wide for any CPU's registers, written as LLVM's text, beside the same in plain C++.
#include "jit/transform/strip_mine_lanes.h"

#include "assembled.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace visor::jit {
namespace {

constexpr size_t lanes = 32;
constexpr size_t words = 24;
constexpr size_t rounds = 64;
constexpr uint32_t register_bits = 512;
constexpr uint32_t registers = 16; // a third of what mixing keeps

using Lanes = std::array<uint32_t, lanes>;
using Words = std::array<Lanes, words>;

// Loads words, and in each round changes the next word by its two neighbours: all of them stay alive. Names
// values by STEM and a number.
std::string mixing(size_t count, const std::string& stem = "", const std::string& from = "%in") {
    std::string text;
    std::array<std::string, words> now;
    for (size_t k = 0; k < words; ++k) {
        text += fmt::format("  %{0}p{1} = getelementptr i8, ptr {2}, i64 {3}\n"
                            "  %{0}w{1} = load <32 x i32>, ptr %{0}p{1}, align 4\n",
                            stem, k, from, k * sizeof(Lanes));
        now[k] = fmt::format("%{}w{}", stem, k);
    }
    for (size_t r = 0; r < count; ++r) {
        const size_t at = r % words;
        const std::string& left = now[(at + words - 1) % words];
        const std::string& right = now[(at + 1) % words];
        const std::string own = fmt::format("{}{}", stem, r);
        text += fmt::format("  %s{0} = add <32 x i32> {1}, {2}\n"
                            "  %t{0} = call <32 x i32> @llvm.fshl.v32i32(<32 x i32> %s{0}, <32 x i32> %s{0}, "
                            "<32 x i32> splat (i32 {3}))\n"
                            "  %c{0} = icmp ult <32 x i32> {1}, {4}\n"
                            "  %u{0} = select <32 x i1> %c{0}, <32 x i32> %t{0}, <32 x i32> {4}\n"
                            "  %v{0} = xor <32 x i32> %u{0}, {2}\n",
                            own, left, now[at], r % 31 + 1, right);
        now[at] = "%v" + own;
    }
    for (size_t k = 0; k < words; ++k)
        text += fmt::format("  %{0}q{1} = getelementptr i8, ptr %out, i64 {2}\n"
                            "  store <32 x i32> {3}, ptr %{0}q{1}, align 4\n",
                            stem, k, k * sizeof(Lanes), now[k]);
    return text;
}

void mix(Words& of, size_t count) {
    for (size_t r = 0; r < count; ++r)
        for (size_t lane = 0; lane < lanes; ++lane) {
            uint32_t& word = of[r % words][lane];
            const uint32_t left = of[(r + words - 1) % words][lane];
            const uint32_t right = of[(r + 1) % words][lane];
            const uint32_t turned = std::rotl(left + word, static_cast<int>(r % 31 + 1));
            word ^= left < right ? turned : right;
        }
}

Words numbers() {
    Words made{};
    uint32_t next = 1;
    for (Lanes& word : made)
        for (uint32_t& lane : word)
            lane = next = next * 1664525U + 1013904223U;
    return made;
}

// Operations on all lanes at once, without messages and memory accesses.
size_t whole_operations(llvm::Function& function) {
    return static_cast<size_t>(
        std::ranges::count_if(llvm::instructions(function), [](const llvm::Instruction& instruction) {
            const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
            return type != nullptr && type->getNumElements() == lanes &&
                   llvm::isa<llvm::BinaryOperator, llvm::SelectInst, llvm::CmpInst, llvm::CallInst>(
                       instruction);
        }));
}

bool parse(Assembled& code, const std::string& body) {
    return code.parse("declare <32 x i32> @llvm.fshl.v32i32(<32 x i32>, <32 x i32>, <32 x i32>)\n"
                      "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)\n"
                      "define void @f(ptr %out, ptr %in) {\n" +
                      body + "  ret void\n}\n");
}

// Blocks of a function with so many loops: each has blocks before and after it.
constexpr size_t blocks_with(size_t loops) {
    return 2 * loops + 1;
}

// The strip-mined results for the numbers; in place where OUT is IN.
Words by_parts(const std::string& body, size_t loops, bool in_place = false, uint32_t bits = register_bits) {
    Assembled code;
    if (!parse(code, body))
        return {};
    strip_mine_lanes(code.function(), bits, registers);
    code.verify();
    EXPECT_EQ(code.function().size(), blocks_with(loops));
    EXPECT_EQ(whole_operations(code.function()), 0);
    code.link();
    Words in = numbers();
    Words out{};
    code.linked<void(uint32_t*, const uint32_t*)>()((in_place ? in : out).front().data(), in.front().data());
    return in_place ? in : out;
}

Words mixed(size_t count) {
    Words made = numbers();
    mix(made, count);
    return made;
}

TEST(ByParts, ALoopOverPartsDoesTheSame) {
    for (const uint32_t bits : {512U, 256U, 128U})
        EXPECT_EQ(by_parts(mixing(rounds), 1, false, bits), mixed(rounds)) << bits;
}

// All is read before anything is written, whatever part comes first.
TEST(ByParts, MessagesKeepTheirOrder) {
    EXPECT_EQ(by_parts(mixing(rounds), 1, true), mixed(rounds));
}

// Copies of what comes into a loop.
size_t copies(const std::string& body) {
    Assembled code;
    if (!parse(code, body))
        return 0;
    strip_mine_lanes(code.function(), register_bits, registers);
    code.verify();
    return static_cast<size_t>(
        std::ranges::count_if(llvm::instructions(code.function()), [](const llvm::Instruction& instruction) {
            const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
            return store != nullptr && llvm::isa<llvm::AllocaInst>(store->getPointerOperand());
        }));
}

// Unless a store follows the loads.
TEST(ByParts, WhatWasLoadedIsReadInTheLoop) {
    EXPECT_EQ(copies(mixing(rounds)), 0);
    const std::string first = "  %s0 = ";
    std::string written = mixing(rounds);
    written.insert(written.find(first), "  store i32 7, ptr %in\n");
    EXPECT_EQ(copies(written), words);
    EXPECT_EQ(by_parts(written, 1), mixed(rounds));
    std::string asked = mixing(rounds);
    asked.insert(asked.find(first), "  call void @llvm.prefetch.p0(ptr %in, i32 0, i32 3, i32 1)\n");
    EXPECT_EQ(copies(asked), 0);
    EXPECT_EQ(by_parts(asked, 1), mixed(rounds));
}

// What was stored is loaded and changed once more: two loops, with the messages between.
TEST(ByParts, MessagesBetweenStandBetween) {
    Words expected = mixed(rounds);
    mix(expected, rounds);
    EXPECT_EQ(by_parts(mixing(rounds) + mixing(rounds, "x", "%out"), 2), expected);
}

// Masks come in and go out, constants differ by lane.
TEST(ByParts, MasksAndConstantsOfEachLane) {
    std::string constant = "<";
    for (size_t lane = 0; lane < lanes; ++lane)
        constant += fmt::format("{}i32 {}", lane == 0 ? "" : ", ", lane * lane);
    constant += ">";
    const std::string body = "  %number = load i32, ptr %in, align 4\n"
                             "  %mask = bitcast i32 %number to <32 x i1>\n" +
                             mixing(rounds) +
                             "  %odd = trunc <32 x i32> %v61 to <32 x i1>\n"
                             "  %sum = add <32 x i32> %v63, " +
                             constant +
                             "\n  %chosen = select <32 x i1> %mask, <32 x i32> %sum, <32 x i32> %v62\n"
                             "  store <32 x i32> %chosen, ptr %q7, align 4\n"
                             "  %bits = bitcast <32 x i1> %odd to i32\n"
                             "  store i32 %bits, ptr %q8, align 4\n";
    Words expected = mixed(rounds);
    const size_t last = (rounds - 1) % words;
    const uint32_t mask = numbers()[0][0];
    uint32_t odd = 0;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        odd |= expected[last - 2][lane] % 2 << lane;
        expected[7][lane] =
            (mask >> lane) % 2 != 0 ? expected[last][lane] + lane * lane : expected[last - 1][lane];
    }
    expected[8][0] = odd;
    EXPECT_EQ(by_parts(body, 1), expected);
}

TEST(ByParts, WhatFitsOrIsShortStaysWhole) {
    Assembled code;
    ASSERT_TRUE(parse(code, mixing(rounds)));
    strip_mine_lanes(code.function(), register_bits, 100);
    EXPECT_EQ(code.function().size(), 1);
    ASSERT_TRUE(parse(code, mixing(8)));
    strip_mine_lanes(code.function(), register_bits, registers);
    EXPECT_EQ(code.function().size(), 1);
    ASSERT_TRUE(parse(code, mixing(rounds)));
    strip_mine_lanes(code.function(), 32 * 32, registers); // a register holds all lanes
    EXPECT_EQ(code.function().size(), 1);
}

} // namespace
} // namespace visor::jit
