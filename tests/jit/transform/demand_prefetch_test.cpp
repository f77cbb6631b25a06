// What is read ahead for a group: code is written as LLVM's text, with the memory intrinsics of messages.
#include "jit/transform/demand_prefetch.h"

#include "assembled.h"
#include "jit/engine/runtime_abi.h"
#include "jit/ir/prefetch.h"
#include "jit/memory/lowering.h"
#include "prefetched_lines.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace visor::jit {
namespace {

constexpr const char* load = "@visor.load.surface.4x32.4x32.4x1.0x32.0x0.0x64.0x64";

struct Reads {
    int count = 8;
    int apart = 1024;
    const char* mask = "%mask";
    bool thread_entry = true; // groups come to barriers
    const char* lanes = "<i32 0, i32 4, i32 8, i32 12>";
};

std::string rows(int count, int apart, const char* mask) {
    std::string text;
    for (int k = 0; k < count; ++k)
        text +=
            fmt::format("  %p{0} = add <4 x i32> %lanes, splat (i32 {1})\n"
                        "  %v{0} = call <4 x i32> {2}(<4 x i32> %p{0}, <4 x i1> <i1 1, i1 1, i1 1, i1 1>, "
                        "i32 0, ptr %data, i64 %bytes, i64 {3})\n",
                        k, k * apart, load, mask);
    return text;
}

// Rows of four lanes at %x, %x + apart ...
std::string code_of(const Reads& reads) {
    std::string text = fmt::format(
        "declare <4 x i32> {}(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)\n"
        "define void @f(ptr %state, i32 %x, ptr %data, i64 %bytes, i64 %mask) {{\n"
        "  %ended = getelementptr inbounds i8, ptr %state, i64 {}\n"
        "  store i32 0, ptr %ended{}\n"
        "  %first = insertelement <4 x i32> poison, i32 %x, i64 0\n"
        "  %all = shufflevector <4 x i32> %first, <4 x i32> poison, <4 x i32> zeroinitializer\n"
        "  %lanes = add <4 x i32> %all, {}\n",
        load, offsetof(State, ended), reads.thread_entry ? ", !visor.thread_entry !0" : "", reads.lanes);
    return text + rows(reads.count, reads.apart, reads.mask) + "  ret void\n}\n!0 = !{}\n";
}

size_t loads(const Reads& reads) {
    Assembled code;
    if (!code.parse(code_of(reads)))
        return 0;
    llvm::Function& function = code.function();
    if (auto thread_entry = ThreadEntry::of(function))
        prefetch_for_group(function, *thread_entry);
    code.verify();
    size_t count = 0;
    for (const llvm::BasicBlock& block : function)
        for (const llvm::Instruction& instruction : block)
            count += instruction.isVolatile() ? 1 : 0;
    return count;
}

TEST(Touch, RowsFarApartAreReadAhead) {
    EXPECT_EQ(loads({}), 1U);
    EXPECT_EQ(loads({.count = 64}), 1U);
    EXPECT_EQ(loads({.mask = "-1"}), 1U); // a surface that the code names
}

TEST(Touch, NothingElseIs) {
    EXPECT_EQ(loads({.count = 7}), 0U);
    EXPECT_EQ(loads({.apart = 16}), 0U);                             // in order already
    EXPECT_EQ(loads({.apart = 1 << 20}), 0U);                        // too far
    EXPECT_EQ(loads({.mask = "-268435457"}), 0U);                    // shared local memory
    EXPECT_EQ(loads({.thread_entry = false}), 0U);                   // no groups
    EXPECT_EQ(loads({.lanes = "zeroinitializer"}), 0U);              // one address for all lanes
    EXPECT_EQ(loads({.lanes = "<i32 0, i32 2, i32 0, i32 2>"}), 0U); // hardly more
}

// Rows as above, in %slices time slices, each with its own thread's state.
std::string code_of_group() {
    return fmt::format(
        "declare <4 x i32> {0}(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)\n"
        "define void @f(ptr %states, i32 %x, ptr %data, i64 %bytes, i64 %mask, i64 %slices, ptr %log) {{\n"
        "entry:\n"
        "  %first = insertelement <4 x i32> poison, i32 %x, i64 0\n"
        "  %all = shufflevector <4 x i32> %first, <4 x i32> poison, <4 x i32> zeroinitializer\n"
        "  %lanes = add <4 x i32> %all, <i32 0, i32 4, i32 8, i32 12>\n"
        "  br label %slice\n"
        "slice:\n"
        "  %k = phi i64 [ 0, %entry ], [ %next, %slice ]\n"
        "  %state = getelementptr inbounds [{1} x i8], ptr %states, i64 %k\n"
        "  %ended = getelementptr inbounds i8, ptr %state, i64 {2}\n"
        "  store i32 0, ptr %ended, !visor.thread_entry !0\n"
        "{3}"
        "  %next = add i64 %k, 1\n"
        "  %goes.on = icmp ult i64 %next, %slices\n"
        "  br i1 %goes.on, label %slice, label %done\n"
        "done:\n"
        "  ret void\n}}\n!0 = !{{}}\n",
        load, sizeof(State), offsetof(State, ended), rows(8, 1024, "%mask"));
}

class Groups : public testing::Test {
protected:
    static constexpr size_t threads = 64;

    void SetUp() override {
        ASSERT_TRUE(code_.parse(code_of_group()));
        auto thread_entry = ThreadEntry::of(code_.function());
        ASSERT_TRUE(thread_entry.has_value());
        prefetch_for_group(code_.function(), *thread_entry);
        code_.verify();
        log_prefetches(code_.function(), code_.function().getArg(6));
        lower_memory_intrinsics(code_.function(), false, false);
        code_.verify();
        code_.link();
        for (State& state : states_) {
            state.group = states_.data();
            state.group_count = threads;
        }
    }

    // The prefetched lines, relative to the data's begin, of a group that begins at `x`, in so many time
    // slices.
    std::vector<ptrdiff_t> prefetched(uint32_t x, uint64_t slices) {
        std::vector<std::byte*> log(1 + 6 * threads);
        uint64_t count = 0;
        code_.linked<void(State*, uint32_t, std::byte*, uint64_t, uint64_t, uint64_t, std::byte**)>()(
            states_.data(), x, data_.data(), data_.size(), UINT64_MAX, slices, log.data());
        std::memcpy(&count, static_cast<const void*>(log.data()), sizeof count);
        std::vector<ptrdiff_t> places;
        for (size_t k = 1; k <= count; ++k)
            places.push_back(log[k] - data_.data());
        return places;
    }

    static std::vector<ptrdiff_t> lines(ptrdiff_t from, size_t count) {
        std::vector<ptrdiff_t> places;
        for (size_t k = 0; k < count; ++k)
            places.push_back(from + static_cast<ptrdiff_t>(k) * line_bytes);
        return places;
    }

    Assembled code_;
    std::vector<State> states_ = std::vector<State>(threads);
    std::vector<std::byte> data_ = std::vector<std::byte>(size_t{1} << 20U);
};

// Rows of 7,184 bytes; consecutive groups are 8,192 bytes apart.
TEST_F(Groups, NextOnesLinesAreAskedForBetweenTurns) {
    EXPECT_EQ(prefetched(0, 4), lines(0, 0)); // nothing is known yet
    EXPECT_EQ(prefetched(8192, 4), lines(16384, 18));
    EXPECT_EQ(prefetched(16384, 1), lines(0, 0)); // no time slice after the first one
    EXPECT_EQ(prefetched(24576, 2), lines(32768, 6));
}

TEST_F(Groups, NoMoreThanAStretchIs) {
    (void)prefetched(0, 1);
    EXPECT_EQ(prefetched(8192, threads), lines(16384, size_t{18} * 6)); // 6,912 bytes
}

TEST_F(Groups, ThoseThatDoNotFollowAreNotAskedFor) {
    (void)prefetched(8192, 1);
    EXPECT_EQ(prefetched(8224, 4), lines(0, 0));  // nearly the same lines
    EXPECT_EQ(prefetched(0, 4), lines(0, 0));     // back
    EXPECT_EQ(prefetched(65536, 4), lines(0, 0)); // far
    EXPECT_EQ(prefetched(65536, 4), lines(0, 0)); // there again
    EXPECT_EQ(prefetched(65536 + 7184, 4), lines(65536 + 2 * 7184, 18));
}

// From half of a stream to one and a half.
TEST_F(Groups, HowFarAwayTheyAre) {
    (void)prefetched(0, 1);
    EXPECT_EQ(prefetched(3591, 2), lines(0, 0));
    EXPECT_EQ(prefetched(3591 + 3592, 2), lines(3591 + 2 * 3592, 6));
    EXPECT_EQ(prefetched(7183 + 10776, 2), lines(7183 + 2 * 10776, 6));
    EXPECT_EQ(prefetched(17959 + 10777, 2), lines(0, 0));
}

} // namespace
} // namespace visor::jit
