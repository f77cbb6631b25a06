// Widened range checks: code is written in LLVM IR with memory intrinsics, and run on allocations of known
// ends.
#include "jit/transform/widen_range_checks.h"

#include "assembled.h"
#include "jit/ir/memory_intrinsics.h"
#include "jit/memory/lowering.h"

#include <llvm/IR/IRBuilder.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace visor::jit {
namespace {

constexpr int64_t least = std::numeric_limits<int64_t>::min();

struct Message {
    int64_t at = 0; // of the first of four lanes, from %x on
    uint32_t displacement = 0;
    uint32_t bytes = 4;
    const char* on = "splat (i1 true)";
    const char* root = "%x";
    bool narrow = false; // lanes at %x plus 32-bit offsets, which may wrap, all `at` bytes further
    bool seldom = false; // only where %flag is set
    const char* then = "";
};

// The result of each range check, in order, stored as bytes to %out; `sites` has the first address of its
// site and the last begin of a unit.
std::string code_of(const std::vector<Message>& messages) {
    std::string text =
        "declare i1 @visor.range_check.4(<4 x i64>, <4 x i1>, i32, i64, i64, i32, i32)\n"
        "define void @f(i64 %x, i64 %y, ptr %sites, i1 %flag, i4 %bits, ptr %out, ptr %asked) {\n"
        "  %some = bitcast i4 %bits to <4 x i1>\n"
        "  %short = trunc i64 %x to i32\n"
        "  %short.first = insertelement <4 x i32> poison, i32 %short, i64 0\n"
        "  %short.all = shufflevector <4 x i32> %short.first, <4 x i32> poison, <4 x i32> zeroinitializer\n"
        "  %short.lanes = add <4 x i32> %short.all, <i32 0, i32 4, i32 8, i32 12>\n"
        "  %offsets = zext <4 x i32> %short.lanes to <4 x i64>\n";
    for (size_t k = 0; k < messages.size(); ++k) {
        const Message& one = messages[k];
        if (one.seldom)
            text += fmt::format("  br i1 %flag, label %seldom{0}, label %after{0}\nseldom{0}:\n", k);
        text += fmt::format(
            "  %low.at{0} = getelementptr [16 x i8], ptr %sites, i64 {0}\n"
            "  %low{0} = load i64, ptr %low.at{0}, align 8\n"
            "  %last.at{0} = getelementptr i8, ptr %low.at{0}, i64 8\n"
            "  %last{0} = load i64, ptr %last.at{0}, align 8\n"
            "  %base{0} = add i64 {1}, {2}\n"
            "  %first{0} = insertelement <4 x i64> poison, i64 %base{0}, i64 0\n"
            "  %all{0} = shufflevector <4 x i64> %first{0}, <4 x i64> poison, <4 x i32> zeroinitializer\n"
            "  %wide{0} = add <4 x i64> %all{0}, <i64 0, i64 {3}, i64 {4}, i64 {5}>\n"
            "  %far{0} = add <4 x i64> %offsets, splat (i64 {2})\n"
            "  %in{0} = call i1 @visor.range_check.4(<4 x i64> {8}, <4 x i1> {6}, i32 {7}, i64 %low{0}, "
            "i64 %last{0}, i32 {0}, i32 {3})\n"
            "  %byte{0} = zext i1 %in{0} to i8\n"
            "  %out{0} = getelementptr i8, ptr %out, i64 {0}\n"
            "  store i8 %byte{0}, ptr %out{0}, align 1\n",
            k, one.root, one.at, one.bytes, 2 * one.bytes, 3 * one.bytes, one.on, one.displacement,
            (one.narrow ? "%far" : "%wide") + std::to_string(k));
        text += one.then;
        if (one.seldom)
            text += fmt::format("  br label %after{0}\nafter{0}:\n", k);
    }
    return text + "  ret void\n}\n";
}

// An allocation from `low` up to `end`.
struct Allocation {
    uint64_t low = 0;
    uint64_t end = 0;
};

struct Ran {
    std::string in_range; // a digit a message
    uint64_t checks = 0;  // number of checks that ran
    bool operator==(const Ran&) const = default;
};

Ran run(const std::vector<Message>& messages, uint64_t x, Allocation allocation, bool shares = true,
        bool flag = true) {
    Assembled code;
    if (!code.parse(code_of(messages)))
        return {};
    llvm::Function& function = code.function();
    if (shares)
        widen_range_checks(function);
    code.verify();
    std::vector<llvm::CallInst*> calls;
    for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block)
            if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction))
                calls.push_back(call);
    for (llvm::CallInst* const call : calls) {
        llvm::IRBuilder<> ir(call);
        llvm::Value* const count = ir.CreateLoad(ir.getInt64Ty(), function.getArg(6));
        ir.CreateStore(ir.CreateAdd(count, ir.getInt64(1)), function.getArg(6));
    }
    lower_memory_intrinsics(function, false, false);
    code.verify();
    code.link();
    std::vector<std::array<uint64_t, 2>> sites;
    for (const Message& one : messages)
        sites.push_back({allocation.low, allocation.end - one.bytes});
    std::array<char, 16> out{};
    Ran ran;
    code.linked<void(uint64_t, uint64_t, const void*, bool, uint8_t, char*, uint64_t*)>()(
        x, x + 64, sites.data(), flag, 0b0101, out.data(), &ran.checks);
    for (size_t k = 0; k < messages.size(); ++k)
        ran.in_range += out[k] != 0 ? '1' : '0';
    return ran;
}

Ran of(const char* in_range, uint64_t checks) {
    return {.in_range = in_range, .checks = checks};
}

const std::vector<Message> rows{{.at = 0}, {.at = 1024}, {.at = 2048}, {.at = 3072}};

TEST(SharedAdmission, TheFirstMessageAsksForAll) {
    EXPECT_EQ(run(rows, 4096, {4096, 8192}), of("1111", 0));
    EXPECT_EQ(run(rows, 4096, {4096, 8192}, false), of("1111", 4));
    EXPECT_EQ(run(rows, 4096, {4096, 4096 + 3072 + 16}), of("1111", 0)); // just fits
}

TEST(SharedAdmission, WhereNotAllAreInsideEachAsks) {
    EXPECT_EQ(run(rows, 4096, {4096, 4096 + 3072 + 15}), of("1110", 4));
    EXPECT_EQ(run(rows, 4096, {4097, 8192}), of("0111", 4));
    EXPECT_EQ(run(rows, 4096, {8192, 12288}), of("0000", 4));
    EXPECT_EQ(run(rows, 4096, {0, 4096}), of("0000", 4));
}

TEST(SharedAdmission, ASiteThatHasNothingAdmitsNothing) {
    EXPECT_EQ(run(rows, 4096, {1, 4}), of("0000", 4)); // as sites begin
    EXPECT_EQ(run(rows, 1, {1, 4}), of("0000", 4));
    EXPECT_EQ(run(rows, 0, {1, 4}), of("0000", 4));
}

// As after the first check's runtime call.
TEST(SharedAdmission, WhereTheFirstOnesSiteHasGrownOthersNeedNotAsk) {
    std::vector<Message> messages = rows;
    messages[0].then = "  %grown = add i64 %last0, 3072\n"
                       "  store i64 %grown, ptr %last.at0, align 8\n";
    EXPECT_EQ(run(messages, 4096, {4096, 4096 + 16}), of("1111", 1));
    EXPECT_EQ(run(messages, 4096, {4096, 4096 + 15}), of("0000", 4)); // not as far as the last row
    EXPECT_EQ(run(messages, 4096, {4096, 8192}), of("1111", 0));
    messages[2].seldom = true;
    EXPECT_EQ(run(messages, 4096, {4096, 4096 + 16}, true, false), of("1101", 1));
    // The second one may be skipped: the third and fourth use the state from before the first check.
    messages[1].seldom = true;
    EXPECT_EQ(run(messages, 4096, {4096, 4096 + 16}), of("1100", 3));
    EXPECT_EQ(run(messages, 4096, {4096, 4096 + 16}, true, false), of("1000", 2));
}

// The first one need not be the lowest.
TEST(SharedAdmission, TheOrderSaysNothing) {
    const std::vector<Message> down{{.at = 0}, {.at = -1024}, {.at = 512}, {.at = -2048}};
    EXPECT_EQ(run(down, 4096, {2048, 4096 + 512 + 16}), of("1111", 0));
    EXPECT_EQ(run(down, 4096, {2049, 8192}), of("1110", 4));
    EXPECT_EQ(run(down, 4096, {2048, 4096 + 512 + 15}), of("1101", 4));
}

TEST(SharedAdmission, UnitsAndDisplacementsCount) {
    const std::vector<Message> wide{{.at = 0}, {.at = 64, .bytes = 8}, {.at = 32, .displacement = 100}};
    EXPECT_EQ(run(wide, 4096, {4096, 4096 + 148}), of("111", 0));
    EXPECT_EQ(run(wide, 4096, {4096, 4096 + 147}), of("110", 3));
    const std::vector<Message> last{{.at = 0, .bytes = 8}, {.at = 4}, {.at = 20}};
    EXPECT_EQ(run(last, 4096, {4096, 4096 + 36}), of("111", 0));
    EXPECT_EQ(run(last, 4096, {4096, 4096 + 35}), of("110", 3));
}

// Addresses wrap; an allocation never does.
TEST(SharedAdmission, PlacesThatWrapAreOutside) {
    EXPECT_EQ(run(rows, UINT64_MAX - 2047, {4096, UINT64_MAX - 15}), of("1100", 4));
    EXPECT_EQ(run(rows, UINT64_MAX - 2047, {4096, UINT64_MAX - 15}, false), of("1100", 4));
    const std::vector<Message> back{{.at = 0}, {.at = -1024}, {.at = -512}};
    EXPECT_EQ(run(back, 512, {64, UINT64_MAX - 63}), of("110", 3));
    const std::vector<Message> far{{.at = 0}, {.at = least}, {.at = 16}, {.at = 32}};
    EXPECT_EQ(run(far, 4096, {4096, 8192}), of("1011", 1)); // needs a check of its own
}

TEST(SharedAdmission, PlacesThatMayWrapAreNotShared) {
    std::vector<Message> narrow = rows;
    for (Message& one : narrow)
        one.narrow = true;
    EXPECT_EQ(run(narrow, 4096, {4096, 8192}), of("1111", 4));
    // Lanes 2 and 3 are at the row's own `at`, and 4 after it.
    constexpr uint64_t wraps = uint64_t{1} << 32U;
    EXPECT_EQ(run(narrow, wraps - 8, {wraps / 2, wraps * 2}), of("0000", 4));
}

TEST(SharedAdmission, NothingElseIsShared) {
    EXPECT_EQ(run({{.at = 0}, {.at = 64}}, 4096, {4096, 8192}), of("11", 2)); // two
    EXPECT_EQ(run({{.at = 0}, {.at = 16}, {.at = 32, .root = "%y"}}, 4096, {4096, 8192}), of("111", 3));
    EXPECT_EQ(run({{.at = 0}, {.at = 16}, {.at = 32, .on = "%some"}}, 4096, {4096, 8192}), of("111", 3));
    // The first one may not have come.
    const std::vector<Message> seldom{{.at = 0, .seldom = true}, {.at = 16}, {.at = 32}, {.at = 48}};
    EXPECT_EQ(run(seldom, 4096, {4096, 8192}), of("1111", 4));
    EXPECT_EQ(run(seldom, 4096, {4096, 8192}, true, false), of("0111", 3));
}

TEST(SharedAdmission, WhoComesSeldomIsServedToo) {
    const std::vector<Message> seldom{{.at = 0}, {.at = 16, .seldom = true}, {.at = 32}};
    EXPECT_EQ(run(seldom, 4096, {4096, 8192}), of("111", 0));
    EXPECT_EQ(run(seldom, 4096, {4096, 8192}, true, false), of("101", 0));
    EXPECT_EQ(run(seldom, 4096, {4096, 4096 + 31}), of("100", 3)); // the second one's last byte is outside
}

} // namespace
} // namespace visor::jit
