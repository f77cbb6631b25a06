// Code that is too wide for any CPU's registers, written as LLVM's text, beside the same in plain C++.
#include "jit/by_parts.h"

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
constexpr uint32_t registers = 32;

using Lanes = std::array<uint32_t, lanes>;
using Words = std::array<Lanes, words>;

// Loads words, and in each round changes the next one in turn by its two neighbours: all of them stay alive.
std::string mixing(size_t count) {
    std::string text;
    for (size_t k = 0; k < words; ++k)
        text += fmt::format("  %p{0} = getelementptr i8, ptr %in, i64 {1}\n"
                            "  %w{0} = load <32 x i32>, ptr %p{0}, align 4\n",
                            k, k * sizeof(Lanes));
    std::array<std::string, words> now;
    for (size_t k = 0; k < words; ++k)
        now[k] = fmt::format("%w{}", k);
    for (size_t r = 0; r < count; ++r) {
        const size_t at = r % words;
        const std::string& left = now[(at + words - 1) % words];
        const std::string& right = now[(at + 1) % words];
        text += fmt::format("  %s{0} = add <32 x i32> {1}, {2}\n"
                            "  %t{0} = call <32 x i32> @llvm.fshl.v32i32(<32 x i32> %s{0}, <32 x i32> %s{0}, "
                            "<32 x i32> splat (i32 {3}))\n"
                            "  %c{0} = icmp ult <32 x i32> {1}, {4}\n"
                            "  %u{0} = select <32 x i1> %c{0}, <32 x i32> %t{0}, <32 x i32> {4}\n"
                            "  %v{0} = xor <32 x i32> %u{0}, {2}\n",
                            r, left, now[at], r % 31 + 1, right);
        now[at] = fmt::format("%v{}", r);
    }
    for (size_t k = 0; k < words; ++k)
        text += fmt::format("  %q{0} = getelementptr i8, ptr %out, i64 {1}\n"
                            "  store <32 x i32> {2}, ptr %q{0}, align 4\n",
                            k, k * sizeof(Lanes), now[k]);
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

// Operations on all lanes at once, messages and what goes to and from memory apart.
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
                      "define void @f(ptr %out, ptr %in) {\n" +
                      body + "  ret void\n}\n");
}

TEST(ByParts, ALoopOverPartsDoesTheSame) {
    for (const uint32_t bits : {512U, 256U, 128U}) {
        Assembled code;
        ASSERT_TRUE(parse(code, mixing(rounds)));
        compute_by_parts(code.function(), bits, registers);
        code.verify();
        EXPECT_EQ(whole_operations(code.function()), 0) << bits;
        EXPECT_EQ(code.function().size(), 3) << bits; // before, the loop, behind
        code.link();
        const Words in = numbers();
        Words expected = in;
        mix(expected, rounds);
        Words out{};
        code.linked<void(uint32_t*, const uint32_t*)>()(out.front().data(), in.front().data());
        EXPECT_EQ(out, expected) << bits;
    }
}

// In place: all is read before anything is written, whatever part comes first.
TEST(ByParts, MessagesKeepTheirOrder) {
    Assembled code;
    ASSERT_TRUE(parse(code, mixing(rounds)));
    compute_by_parts(code.function(), register_bits, registers);
    code.link();
    Words memory = numbers();
    Words expected = memory;
    mix(expected, rounds);
    code.linked<void(uint32_t*, const uint32_t*)>()(memory.front().data(), memory.front().data());
    EXPECT_EQ(memory, expected);
}

// A store amid the arithmetic and a load behind it of what it wrote: two stretches, with the messages
// between.
TEST(ByParts, AMessageBetweenStandsBetween) {
    const std::string body = mixing(rounds) + "  %back = load <32 x i32>, ptr %q0, align 4\n"
                                              "  %more = add <32 x i32> %back, splat (i32 5)\n"
                                              "  store <32 x i32> %more, ptr %q1, align 4\n";
    Assembled code;
    ASSERT_TRUE(parse(code, body));
    compute_by_parts(code.function(), register_bits, registers);
    code.verify();
    code.link();
    const Words in = numbers();
    Words expected = in;
    mix(expected, rounds);
    for (size_t lane = 0; lane < lanes; ++lane)
        expected[1][lane] = expected[0][lane] + 5;
    Words out{};
    code.linked<void(uint32_t*, const uint32_t*)>()(out.front().data(), in.front().data());
    EXPECT_EQ(out, expected);
}

// Masks come in and go out, constants differ by lane.
TEST(ByParts, MasksAndConstantsOfEachLane) {
    std::string constant = "<";
    for (size_t lane = 0; lane < lanes; ++lane)
        constant += fmt::format("{}i32 {}", lane == 0 ? "" : ", ", lane * lane);
    constant += ">";
    const std::string body = mixing(rounds) +
                             "  %number = load i32, ptr %in, align 4\n"
                             "  %mask = bitcast i32 %number to <32 x i1>\n"
                             "  %odd = trunc <32 x i32> %v61 to <32 x i1>\n"
                             "  %sum = add <32 x i32> %v63, " +
                             constant +
                             "\n  %chosen = select <32 x i1> %mask, <32 x i32> %sum, <32 x i32> %v62\n"
                             "  store <32 x i32> %chosen, ptr %q7, align 4\n"
                             "  %bits = bitcast <32 x i1> %odd to i32\n"
                             "  store i32 %bits, ptr %q8, align 4\n";
    Assembled code;
    ASSERT_TRUE(parse(code, body));
    compute_by_parts(code.function(), register_bits, registers);
    code.verify();
    code.link();
    const Words in = numbers();
    Words expected = in;
    mix(expected, rounds);
    const size_t last = (rounds - 1) % words;
    const uint32_t mask = in[0][0];
    uint32_t odd = 0;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        odd |= expected[last - 2][lane] % 2 << lane;
        expected[7][lane] =
            (mask >> lane) % 2 != 0 ? expected[last][lane] + lane * lane : expected[last - 1][lane];
    }
    expected[8][0] = odd;
    Words out{};
    code.linked<void(uint32_t*, const uint32_t*)>()(out.front().data(), in.front().data());
    EXPECT_EQ(out, expected);
}

TEST(ByParts, WhatFitsOrIsShortStaysWhole) {
    Assembled code;
    ASSERT_TRUE(parse(code, mixing(rounds)));
    compute_by_parts(code.function(), register_bits, 100);
    EXPECT_EQ(code.function().size(), 1);
    ASSERT_TRUE(parse(code, mixing(8)));
    compute_by_parts(code.function(), register_bits, registers);
    EXPECT_EQ(code.function().size(), 1);
    ASSERT_TRUE(parse(code, mixing(rounds)));
    compute_by_parts(code.function(), 32 * 32, registers); // a register holds all lanes
    EXPECT_EQ(code.function().size(), 1);
}

} // namespace
} // namespace visor::jit
