// Splat elements of loaded vectors: code is written as LLVM's text and run; results were computed by hand.
#include "jit/target/broadcast_loads.h"

#include "assembled.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <gtest/gtest.h>

#include <array>

namespace visor::jit {
namespace {

using Eight = std::array<uint32_t, 8>;

struct Ran {
    Eight found{};
    size_t vectors = 0; // that are loaded
    bool operator==(const Ran&) const = default;
};

// With numbers 10, 20, 30, 40, of which the second path reads half.
Ran run(const std::string& body, bool first = true) {
    Ran ran;
    Assembled code;
    if (!code.parse("define void @f(ptr %numbers, ptr %found, i1 %first) {\nentry:\n" + body + "}\n"))
        return ran;
    form_broadcast_loads(code.function());
    code.verify();
    for (const llvm::Instruction& instruction : llvm::instructions(code.function()))
        ran.vectors += llvm::isa<llvm::LoadInst>(instruction) && instruction.getType()->isVectorTy() ? 1 : 0;
    code.link();
    constexpr std::array<uint32_t, 4> numbers{10, 20, 30, 40};
    code.linked<void(const uint32_t*, uint32_t*, bool)>()(numbers.data(), ran.found.data(), first);
    return ran;
}

constexpr const char* load = "  %all = load <4 x i32>, ptr %numbers, align 4\n";
constexpr const char* sum = "  %sum = add <8 x i32> %a, %b\n"
                            "  store <8 x i32> %sum, ptr %found, align 4\n"
                            "  ret void\n";
std::string filled(const char* name, int element, const char* from = "%all") {
    const std::string index = "i32 " + std::to_string(element);
    std::string order = index;
    for (int k = 1; k < 8; ++k)
        order += ", " + index;
    return "  " + std::string(name) + " = shufflevector <4 x i32> " + from +
           ", <4 x i32> poison, <8 x i32> <" + order + ">\n";
}
Eight all(uint32_t number) {
    Eight eight{};
    eight.fill(number);
    return eight;
}

TEST(Broadcast, ElementsAreLoadedEachByItself) {
    EXPECT_EQ(run(load + filled("%a", 1) + filled("%b", 3) + sum), (Ran{all(60), 0}));
}

TEST(Broadcast, AsOtherTypesAndOutOfTheVectorToo) {
    EXPECT_EQ(run(load + filled("%a", 2) +
                  "  %real = bitcast <4 x i32> %all to <4 x float>\n"
                  "  %one = extractelement <4 x float> %real, i64 0\n"
                  "  %bits = bitcast float %one to i32\n"
                  "  %b = insertelement <8 x i32> zeroinitializer, i32 %bits, i64 5\n" +
                  sum),
              (Ran{Eight{30, 30, 30, 30, 30, 40, 30, 30}, 0}));
}

TEST(Broadcast, AVectorThatIsWantedAsSuchStays) {
    EXPECT_EQ(run(load + filled("%a", 1) +
                  "  %b = shufflevector <4 x i32> %all, <4 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, "
                  "i32 3, i32 0, i32 1, i32 2, i32 3>\n" +
                  sum),
              (Ran{Eight{30, 40, 50, 60, 30, 40, 50, 60}, 1}));
}

TEST(Broadcast, ElementsThatFillNothingStay) {
    EXPECT_EQ(run(std::string(load) + "  %one = extractelement <4 x i32> %all, i64 2\n"
                                      "  store i32 %one, ptr %found, align 4\n  ret void\n"),
              (Ran{Eight{30}, 1}));
}

// Partly out-of-bounds rows take another path.
TEST(Broadcast, WhereOneOfTwoWaysLoads) {
    const std::string body =
        "  br i1 %first, label %whole, label %partly\n"
        "whole:\n" +
        std::string(load) +
        "  br label %done\n"
        "partly:\n"
        "  %half = load <2 x i32>, ptr %numbers, align 4\n"
        "  %longer = shufflevector <2 x i32> %half, <2 x i32> zeroinitializer, <4 x i32> "
        "<i32 0, i32 1, i32 2, i32 3>\n"
        "  br label %done\n"
        "done:\n"
        "  %both = phi <4 x i32> [ %all, %whole ], [ %longer, %partly ]\n" +
        filled("%a", 0, "%both") + filled("%b", 3, "%both") + sum;
    EXPECT_EQ(run(body, true), (Ran{all(50), 1})); // the half
    EXPECT_EQ(run(body, false).found, all(10));
}

TEST(Broadcast, OneBlockMayLeadThereTwice) {
    const std::string body =
        "  %n = zext i1 %first to i32\n"
        "  switch i32 %n, label %done [ i32 0, label %done\n i32 1, label %other ]\n"
        "other:\n" +
        std::string(load) +
        "  br label %done\n"
        "done:\n"
        "  %both = phi <4 x i32> [ zeroinitializer, %entry ], [ zeroinitializer, %entry ], "
        "[ %all, %other ]\n" +
        filled("%a", 1, "%both") + filled("%b", 2, "%both") + sum;
    EXPECT_EQ(run(body, true), (Ran{all(50), 0}));
    EXPECT_EQ(run(body, false).found, all(0));
}

} // namespace
} // namespace visor::jit
