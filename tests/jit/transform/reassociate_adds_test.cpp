// Sums written as LLVM's text: how many additions are left, and what they are beside sums in C++.
#include "jit/transform/reassociate_adds.h"

#include "assembled.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueSymbolTable.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace visor::jit {
namespace {

using Lanes = std::array<uint32_t, 4>;

struct Sums {
    size_t additions = 0;
    std::vector<Lanes> out; // what was stored, in order
};

constexpr std::array<Lanes, 8> given{{{1, 2, 3, 4},
                                      {10, 20, 30, 40},
                                      {100, 200, 300, 400},
                                      {5, 6, 7, 8},
                                      {50, 60, 70, 80},
                                      {~0U, ~1U, ~2U, ~3U},
                                      {0x80000000, 9, 9, 9},
                                      {11, 12, 13, 14}}};

// Of %a ... %h, those numbers. `=` NAME stores it.
std::string code_of(const std::vector<std::string>& lines) {
    std::string text = "define void @f(ptr %in, ptr %out, i1 %way) {\n";
    for (size_t k = 0; k < given.size(); ++k)
        text += fmt::format("  %in{0} = getelementptr i8, ptr %in, i64 {1}\n"
                            "  %{2} = load <4 x i32>, ptr %in{0}, align 4\n",
                            k, k * sizeof(Lanes), static_cast<char>('a' + k));
    size_t stored = 0;
    for (const std::string& line : lines) {
        if (line.starts_with("=")) {
            text += fmt::format("  %out{0} = getelementptr i8, ptr %out, i64 {1}\n"
                                "  store <4 x i32> %{2}, ptr %out{0}, align 4\n",
                                stored, stored * sizeof(Lanes), line.substr(1));
            ++stored;
        } else if (line.contains(" + ")) { // x = y + z
            const size_t is = line.find(" = ");
            const size_t plus = line.find(" + ");
            text += fmt::format("  %{} = add <4 x i32> {}, {}\n", line.substr(0, is),
                                line.substr(is + 3, plus - is - 3), line.substr(plus + 3));
        } else {
            text += line + "\n";
        }
    }
    return text + "  ret void\n}\n";
}

Sums shared(const std::vector<std::string>& lines) {
    Assembled code;
    Sums sums;
    if (!code.parse(code_of(lines)))
        return sums;
    reassociate_adds(code.function());
    code.verify();
    for (const llvm::Instruction& instruction : llvm::instructions(code.function()))
        sums.additions += instruction.getOpcode() == llvm::Instruction::Add ? 1 : 0;
    code.link();
    sums.out.resize(8);
    code.linked<void(const Lanes*, Lanes*, bool)>()(given.data(), sums.out.data(), true);
    return sums;
}

// By lane; letters of what is given.
Lanes sum_of(std::string_view letters, uint32_t constant = 0) {
    Lanes all{constant, constant, constant, constant};
    for (const char letter : letters)
        for (size_t lane = 0; lane < all.size(); ++lane)
            all[lane] += given[static_cast<size_t>(letter - 'a')][lane];
    return all;
}

TEST(SharedSums, ALongerSumIsMadeOfTheShorter) {
    const Sums sums =
        shared({"x = %a + %b", "y = %x + %c", "=y", "u = %b + %d", "v = %c + %a", "w = %u + %v", "=w"});
    EXPECT_EQ(sums.additions, 3U); // of five
    EXPECT_EQ(sums.out[0], sum_of("abc"));
    EXPECT_EQ(sums.out[1], sum_of("abcd"));
}

// As add3 folds a sum with other users into another sum.
TEST(SharedSums, AFoldedSumIsTakenWhereItIs) {
    const Sums sums =
        shared({"n = %a + %b", "=n", "s = %a + %c", "t = %b + %d", "u = %s + %t", "v = %u + %e", "=v"});
    EXPECT_EQ(sums.additions, 4U); // of five
    EXPECT_EQ(sums.out[0], sum_of("ab"));
    EXPECT_EQ(sums.out[1], sum_of("abcde"));
}

// Both halves of a round of SHA-256, as the compiler has them: 13 additions that are 8.
TEST(SharedSums, WhatTwoSumsHaveInCommonIsOne) {
    const Sums sums = shared({
        "p0 = %a + %b", "p = %p0 + %c",                  // h in two parts, sigma
        "hh = %a + %b", "=hh",                           // h
        "q0 = %hh + %c", "q = %q0 + %d",                 // h, sigma, choice
        "r0 = %p + %d", "r = %r0 + %e",                  // ... word
        "s0 = %q + %e", "s = %s0 + splat (i32 77)",      // ... word, constant
        "t0 = %f + %g", "t = %t0 + %s", "=t",            // the new e
        "u0 = %h + %r", "u = %u0 + splat (i32 77)", "=u" // the new a
    });
    EXPECT_EQ(sums.additions, 8U); // a + b, four more, two of f and g, one of h
    EXPECT_EQ(sums.out[0], sum_of("ab"));
    EXPECT_EQ(sums.out[1], sum_of("abcdefg", 77));
    EXPECT_EQ(sums.out[2], sum_of("abcdeh", 77));
}

TEST(SharedSums, WhatIsAddedTwiceCountsTwice) {
    const Sums sums = shared({"x = %a + %a", "y = %x + %b", "=y", "u = %a + %b", "v = %a + %c", "w = %u + %v",
                              "=w", "z = %a + %c", "k = %z + %b", "=k"});
    EXPECT_EQ(sums.out[0], sum_of("aab"));
    EXPECT_EQ(sums.out[1], sum_of("aabc"));
    EXPECT_EQ(sums.out[2], sum_of("abc"));
    EXPECT_EQ(sums.additions, 4U); // of seven
}

TEST(SharedSums, ConstantsAreTermsLikeOthers) {
    const Sums sums = shared({"x = %a + splat (i32 5)", "y = %x + %b", "=y", "u = %b + splat (i32 5)",
                              "v = %u + %a", "w = %v + splat (i32 9)", "=w"});
    EXPECT_EQ(sums.additions, 3U); // of five
    EXPECT_EQ(sums.out[0], sum_of("ab", 5));
    EXPECT_EQ(sums.out[1], sum_of("ab", 14));
}

TEST(SharedSums, EqualSumsAreOne) {
    const Sums sums =
        shared({"x = %a + %b", "y = %x + %c", "=y", "u = %c + %b", "v = %u + %a", "=v", "k = %v + %d", "=k"});
    EXPECT_EQ(sums.additions, 3U); // of five
    EXPECT_EQ(sums.out[1], sum_of("abc"));
    EXPECT_EQ(sums.out[2], sum_of("abcd"));
}

// A sum on one path does not serve code after the join.
TEST(SharedSums, OnlyWhatIsThereIsTaken) {
    const Sums sums = shared({"  br i1 %way, label %one, label %other", "one:", "x = %a + %b", "y = %x + %c",
                              "=y", "  br label %behind", "other:", "  br label %behind",
                              "behind:", "u = %b + %c", "v = %a + %u", "w = %v + %d", "=w"});
    EXPECT_EQ(sums.additions, 5U);
    EXPECT_EQ(sums.out[0], sum_of("abc"));
    EXPECT_EQ(sums.out[1], sum_of("abcd"));
}

// A sum before a loop is not moved into it, although that would save an addition.
TEST(SharedSums, SumsStayOutOfLoops) {
    Assembled code;
    ASSERT_TRUE(code.parse(
        code_of({"x = %a + %b", "  br label %loop", "loop:", "  %n = phi i32 [ 0, %0 ], [ %next, %loop ]",
                 "  %i = phi <4 x i32> [ zeroinitializer, %0 ], [ %w, %loop ]", "u = %x + %c", "w = %u + %i",
                 "k = %a + %i", "=k", "m = %k + %d", "=m", "o = %a + %d", "t = %o + %i", "=t",
                 "  %next = add i32 %n, 1", "  %more = icmp ult i32 %next, 3",
                 "  br i1 %more, label %loop, label %end", "end:"})));
    reassociate_adds(code.function());
    code.verify();
    for (const llvm::Instruction& instruction : code.function().getEntryBlock())
        if (instruction.getName() == "x") {
            EXPECT_TRUE(instruction.hasOneUse());
        }
    size_t inside = 0;
    for (const llvm::BasicBlock& block : code.function())
        if (block.getName() == "loop")
            for (const llvm::Instruction& instruction : block)
                inside +=
                    instruction.getOpcode() == llvm::Instruction::Add && instruction.getType()->isVectorTy();
    EXPECT_EQ(inside, 4U); // of six: k + d is twice there
}

// Nothing is saved: they stay in the order that the compiler chose.
TEST(SharedSums, OthersStayAsTheyAre) {
    Assembled code;
    const std::string text = code_of({"x = %h + %a", "y = %x + %c", "=y", "u = %d + %b", "=u"});
    ASSERT_TRUE(code.parse(text));
    reassociate_adds(code.function());
    const auto* const y = llvm::cast<llvm::Instruction>(code.function().getValueSymbolTable()->lookup("y"));
    EXPECT_EQ(y->getOperand(0)->getName(), "x");
    EXPECT_EQ(llvm::cast<llvm::Instruction>(y->getOperand(0))->getOperand(0)->getName(), "h");
}

} // namespace
} // namespace visor::jit
