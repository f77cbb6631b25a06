// Rows of threads to come: code is written as LLVM's text, with the memory intrinsics of messages.
#include "jit/transform/streaming_prefetch.h"

#include "assembled.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace visor::jit {
namespace {

struct Rows {
    int step = 4;       // bytes from lane to lane, of which there are sixteen
    int third = 0;      // how much further the third lane is
    int further = 4;    // bytes from one of two loads to the other
    int sums = 200;     // beside them
    bool flat = false;  // flat messages, with range checks
    bool loop = false;  // they are in a loop, after another message
    bool store = false; // a row that all lanes store, too
    bool some = false;  // or those of %on
    bool eager = false;
};

std::string lanes(int step, int third) {
    std::string text = "<";
    for (int k = 0; k < 16; ++k)
        text += fmt::format("{}i32 {}", k == 0 ? "" : ", ", k * step + (k == 2 ? third : 0));
    return text + ">";
}

std::string code_of(const Rows& rows) {
    const auto load = [&](int k) {
        const std::string place =
            fmt::format("  %p{0} = add <16 x i32> %lanes, splat (i32 {1})\n", k, k * rows.further);
        if (rows.flat)
            return place +
                   fmt::format(
                       "  %w{0} = zext <16 x i32> %p{0} to <16 x i64>\n"
                       "  %a{0} = call i1 @visor.range_check(<16 x i64> %w{0}, <16 x i1> splat (i1 1), "
                       "i32 0, i64 0, i64 %bytes, i32 {0}, i32 4)\n",
                       k);
        return place +
               fmt::format("  %v{0} = call <16 x i32> @visor.load.surface(<16 x i32> %p{0}, <16 x i1> splat "
                           "(i1 1), i32 0, ptr %data, i64 %bytes, i64 -1)\n",
                           k);
    };
    std::string text =
        "declare <16 x i32> @visor.load.surface(<16 x i32>, <16 x i1>, i32, ptr, i64, i64)\n"
        "declare void @visor.store.surface(<16 x i32>, <16 x i1>, i32, ptr, i64, i64, <16 x i32>)\n"
        "declare void @visor.store.flat(<16 x i64>, <16 x i1>, i32, i32, <16 x i32>)\n"
        "declare i1 @visor.range_check(<16 x i64>, <16 x i1>, i32, i64, i64, i32, i32)\n"
        "define void @f(i32 %x, ptr %data, ptr %to, i64 %bytes, <16 x i1> %on) {\n"
        "  %first = insertelement <16 x i32> poison, i32 %x, i64 0\n"
        "  %all = shufflevector <16 x i32> %first, <16 x i32> poison, <16 x i32> zeroinitializer\n";
    text += "  %lanes = add <16 x i32> %all, " + lanes(rows.step, rows.third) + "\n";
    for (int k = 0; k < rows.sums; ++k)
        text += fmt::format("  %s{} = add i32 %x, {}\n", k, k);
    if (rows.loop)
        text += "  %near = call <16 x i32> @visor.load.surface(<16 x i32> zeroinitializer, <16 x i1> %on, "
                "i32 0, ptr "
                "%to, i64 %bytes, i64 -1)\n"
                "  %n = add <16 x i32> %lanes, %near\n"
                "  %o = call <16 x i32> @visor.load.surface(<16 x i32> %lanes, <16 x i1> %on, i32 0, ptr "
                "%to, i64 "
                "%bytes, i64 -1)\n  br label %loop\nloop:\n";
    text += load(0) + load(1);
    if (rows.store || rows.some)
        text += fmt::format(
            "  call void @visor.store.surface(<16 x i32> %lanes, <16 x i1> {}, i32 0, ptr %to, i64 "
            "%bytes, i64 -1, <16 x i32> %lanes)\n",
            rows.some ? "%on" : "splat (i1 1)");
    if (rows.loop)
        text += "  %more = icmp ne i32 %x, 0\n  br i1 %more, label %loop, label %end\nend:\n";
    return text + "  ret void\n}\n";
}

// Bytes from where the lowest lane is.
std::vector<int64_t> prefetched(const Rows& rows) {
    std::vector<int64_t> found;
    Assembled code;
    if (!code.parse(code_of(rows))) {
        ADD_FAILURE() << code_of(rows);
        return found;
    }
    prefetch_streams(code.function(), rows.eager);
    code.verify();
    for (const llvm::Instruction& instruction : llvm::instructions(code.function()))
        if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
            call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::prefetch) {
            llvm::APInt offset(64, 0);
            call->getArgOperand(0)->stripAndAccumulateConstantOffsets(code.module().getDataLayout(), offset,
                                                                      true);
            found.push_back(offset.getSExtValue());
        }
    return found;
}

using Places = std::vector<int64_t>;

TEST(RowsAhead, AreAskedForOnce) {
    EXPECT_EQ(prefetched({}), Places{2048});
    EXPECT_EQ(prefetched({.flat = true}), Places{2048});
    EXPECT_EQ(prefetched({.step = 8}), (Places{2048, 2112}));
    EXPECT_EQ(prefetched({.further = -4}), Places{2048});
    EXPECT_EQ(prefetched({.sums = 0, .eager = true}), Places{2048});
    EXPECT_EQ(prefetched({.some = true}), (Places{2048, 2048})); // and where lanes store
}

TEST(RowsAhead, NothingElseIs) {
    EXPECT_EQ(prefetched({.sums = 0}), Places{});        // the CPU sees it in time
    EXPECT_EQ(prefetched({.step = 32}), Places{});       // no row
    EXPECT_EQ(prefetched({.third = 4}), Places{});       // likewise
    EXPECT_EQ(prefetched({.further = 4096}), Places{});  // two distant streams
    EXPECT_EQ(prefetched({.store = true}), Places{});    // it may be non-temporal
    EXPECT_EQ(prefetched({.loop = true}), Places{2048}); // what is in front of the loop
}

} // namespace
} // namespace visor::jit
