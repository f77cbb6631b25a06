#include "jit/transform/recognize_i64_compare.h"

#include "assembled.h"

#include <llvm/IR/Instructions.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>

namespace visor::jit {
namespace {

constexpr uint64_t high_one = uint64_t{1} << 32U;

// Compares %x, whole, with what has the halves %low and %high.
std::string comparing(const std::string& body) {
    return "define i1 @f(i64 %x, i32 %low, i32 %high) {\n"
           "  %x_low = trunc i64 %x to i32\n"
           "  %shifted = lshr i64 %x, 32\n"
           "  %x_high = trunc i64 %shifted to i32\n" +
           body + "  ret i1 %v\n}\n";
}

// Whether it became one comparison, which says what `expected` does.
void expect(const std::string& body, const std::function<bool(uint64_t, uint64_t)>& expected,
            bool whole = true) {
    Assembled code;
    ASSERT_TRUE(code.parse(comparing(body))) << body;
    recognize_i64_compares(code.function());
    code.verify();
    const auto* const result = llvm::dyn_cast<llvm::ICmpInst>(
        llvm::cast<llvm::ReturnInst>(code.function().back().getTerminator())->getReturnValue());
    EXPECT_EQ(result != nullptr && result->getOperand(0)->getType()->isIntegerTy(64), whole) << body;
    code.link();
    auto* const run = code.linked<bool(uint64_t, uint32_t, uint32_t)>();
    const std::array<uint64_t, 8> numbers{
        0, 1, UINT32_MAX, high_one, high_one + 1, 2 * high_one - 1, uint64_t{1} << 63U, UINT64_MAX};
    for (const uint64_t a : numbers)
        for (const uint64_t b : numbers)
            EXPECT_EQ(run(a, static_cast<uint32_t>(b), static_cast<uint32_t>(b >> 32U)), expected(a, b))
                << body << a << ' ' << b;
}

TEST(WideCompare, Equal) {
    for (const char* const order : {"%l, %h", "%h, %l"})
        expect(fmt::format("  %l = icmp eq i32 %x_low, %low\n"
                           "  %h = icmp eq i32 %high, %x_high\n"
                           "  %v = and i1 {}\n",
                           order),
               std::equal_to<>());
}

std::string ordered(const char* predicate, const char* same, const char* inner, const char* outer) {
    return fmt::format("  %l = icmp {0} i32 %x_low, %low\n"
                       "  %h = icmp {0} i32 %x_high, %high\n"
                       "  %s = icmp {1} i32 %x_high, %high\n"
                       "  %i = {2} i1 %s, %l\n"
                       "  %v = {3} i1 %h, %i\n",
                       predicate, same, inner, outer);
}

TEST(WideCompare, Less) {
    expect(ordered("ult", "eq", "and", "or"), std::less<>());
    expect(ordered("ugt", "eq", "and", "or"), std::greater<>());
}

TEST(WideCompare, AtMost) {
    expect(ordered("ule", "ne", "or", "and"), std::less_equal<>());
    expect(ordered("uge", "ne", "or", "and"), std::greater_equal<>());
}

// The low halves may be equal where the high ones decide.
TEST(WideCompare, AtMostOfLowHalvesAlone) {
    expect("  %l = icmp ule i32 %x_low, %low\n"
           "  %h = icmp ult i32 %x_high, %high\n"
           "  %s = icmp eq i32 %x_high, %high\n"
           "  %i = and i1 %s, %l\n"
           "  %v = or i1 %h, %i\n",
           std::less_equal<>());
}

TEST(WideCompare, TheOtherNumberFirst) {
    expect("  %l = icmp ult i32 %low, %x_low\n"
           "  %h = icmp ult i32 %high, %x_high\n"
           "  %s = icmp eq i32 %high, %x_high\n"
           "  %i = and i1 %l, %s\n"
           "  %v = or i1 %i, %h\n",
           std::greater<>());
}

// Near misses: signed halves, halves of different numbers, another combination.
TEST(WideCompare, OthersStay) {
    expect(
        ordered("slt", "eq", "and", "or"),
        [](uint64_t a, uint64_t b) {
            const auto low = [](uint64_t x) { return static_cast<int32_t>(x); };
            const auto high = [](uint64_t x) { return static_cast<int32_t>(x >> 32U); };
            return high(a) < high(b) || (high(a) == high(b) && low(a) < low(b));
        },
        false);
    expect(
        "  %l = icmp eq i32 %x_low, %high\n"
        "  %h = icmp eq i32 %x_low, %low\n"
        "  %v = and i1 %l, %h\n",
        [](uint64_t a, uint64_t b) {
            return static_cast<uint32_t>(a) == b >> 32U &&
                   static_cast<uint32_t>(a) == static_cast<uint32_t>(b);
        },
        false);
    expect(
        ordered("ult", "eq", "or", "and"),
        [](uint64_t a, uint64_t b) {
            return a >> 32U < b >> 32U &&
                   (a >> 32U == b >> 32U || static_cast<uint32_t>(a) < static_cast<uint32_t>(b));
        },
        false);
}

} // namespace
} // namespace visor::jit
