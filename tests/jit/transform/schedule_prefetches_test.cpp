// Blocks that prefetch and compute, written in LLVM IR.
#include "jit/transform/schedule_prefetches.h"

#include "assembled.h"

#include <llvm/IR/IntrinsicInst.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace visor::jit {
namespace {

// Adds one to %x, so many times, after the prefetches; the address of the last one depends on a sum.
std::string code_of(int fetches, int sums, bool last_is_late = false) {
    std::string text = "define i32 @f(i32 %x, ptr %data) {\n";
    for (int k = 0; k < fetches; ++k)
        text += fmt::format("  %p{0} = getelementptr i8, ptr %data, i64 {1}\n"
                            "  call void @llvm.prefetch.p0(ptr %p{0}, i32 0, i32 3, i32 1)\n",
                            k, 64 * k);
    for (int k = 0; k < sums; ++k)
        text += fmt::format("  %s{} = add i32 {}, 1\n", k, k == 0 ? "%x" : fmt::format("%s{}", k - 1));
    if (last_is_late)
        text += fmt::format("  %last = getelementptr i8, ptr %data, i32 %s{}\n"
                            "  call void @llvm.prefetch.p0(ptr %last, i32 0, i32 3, i32 1)\n",
                            sums - 1);
    return text +
           fmt::format("  ret i32 %s{}\n}}\ndeclare void @llvm.prefetch.p0(ptr, i32, i32, i32)\n", sums - 1);
}

// The sums before each fetch.
std::vector<size_t> places(const std::string& text, size_t& labels) {
    Assembled code;
    std::vector<size_t> found;
    labels = 0;
    if (!code.parse(text))
        return found;
    schedule_prefetches(code.function());
    code.verify();
    size_t sums = 0;
    for (const llvm::Instruction& instruction : code.function().getEntryBlock()) {
        sums += llvm::isa<llvm::BinaryOperator>(instruction) ? 1 : 0;
        const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::prefetch)
            found.push_back(sums);
        else if (call != nullptr)
            ++labels;
    }
    code.link();
    EXPECT_EQ(code.linked<uint32_t(uint32_t, const void*)>()(5, nullptr), 5 + sums);
    return found;
}

// 17 others begin with the addresses of 15 fetches: of 1,814 those in the middle of nine parts.
TEST(SpreadFetches, AFewAtATime) {
    size_t labels = 0;
    const std::vector<size_t> found = places(code_of(16, 1799), labels);
    ASSERT_EQ(found.size(), 16U);
    EXPECT_EQ(labels, 8U);
    for (size_t k = 0; k < found.size(); ++k) {
        const size_t other = (k / 2 + 1) * 1814 / 9; // 15 addresses lie before the first sum
        EXPECT_EQ(found[k], other + 1 - 15) << k;
    }
}

TEST(SpreadFetches, FewFetchesAndShortBlocksStay) {
    size_t labels = 0;
    EXPECT_EQ(places(code_of(15, 2000), labels), std::vector<size_t>(15, 0));
    EXPECT_EQ(labels, 0U);
    EXPECT_EQ(places(code_of(16, 900), labels), std::vector<size_t>(16, 0));
    EXPECT_EQ(labels, 0U);
}

TEST(SpreadFetches, WhoAsksLateStaysLate) {
    size_t labels = 0;
    const std::vector<size_t> found = places(code_of(16, 1800, true), labels);
    ASSERT_EQ(found.size(), 17U);
    EXPECT_EQ(found.back(), 1800U);
    EXPECT_LT(found.front(), 300U);
}

} // namespace
} // namespace visor::jit
