// What a group's first thread makes for all of them: code is written as LLVM's text, with the stand-ins of
// messages, and run for a group whose threads follow each other. Sums are the host's.
#include "jit/jam.h"

#include "assembled.h"
#include "jit/access.h"
#include "jit/fold.h"
#include "jit/state.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace visor::jit {
namespace {

constexpr size_t lanes = 8;
constexpr size_t row_bytes = lanes * sizeof(uint32_t);
constexpr VectorRegisters registers{.bits = 512, .count = 32}; // sixteen results at a time

struct Thread {
    int rows = 8;
    int apart = 1024;
    const char* on = "splat (i1 true)";
    const char* mask = "-1";
    const char* operation = "add"; // of integers
    const char* behind = "";       // of the sum
    const char* between = "";      // of two rows
    bool flat = false;
    int halves = 1; // sums of their own, one row behind the other
};

std::string message_of(const Thread& thread, int number) {
    if (!thread.flat)
        return fmt::format("  %v{0} = call <8 x i32> @visor.load.surface.8(<8 x i32> %p{0}, <8 x i1> {1}, "
                           "i32 0, ptr %data, i64 %bytes, i64 {2})\n",
                           number, thread.on, thread.mask);
    return fmt::format("  %in{0} = call i1 @visor.admits.8(<8 x i64> %p{0}, <8 x i1> {1}, i32 0, i64 %low, "
                       "i64 %last, i32 {0}, i32 4)\n"
                       "  br i1 %in{0}, label %known{0}, label %met{0}\n"
                       "known{0}:\n"
                       "  %l{0} = call <8 x i32> @visor.load.flat.8(<8 x i64> %p{0}, <8 x i1> {1}, i32 0, "
                       "i32 {0})\n"
                       "  br label %met{0}\n"
                       "met{0}:\n"
                       "  %v{0} = phi <8 x i32> [ %l{0}, %known{0} ], [ zeroinitializer, %{2} ]\n",
                       number, thread.on, number == 0 ? "turn" : fmt::format("met{}", number - 1));
}

// Each thread's lanes are at %x, which goes up by a thread's rows from turn to turn, and adds up `rows` of
// them. Its sums are stored where its State's registers are. Flat rows that are outside count nothing.
std::string code_of(const Thread& thread) {
    const char* const type = thread.flat ? "i64" : "i32";
    std::string text = fmt::format(
        "declare <8 x i32> @visor.load.surface.8(<8 x i32>, <8 x i1>, i32, ptr, i64, i64)\n"
        "declare <8 x i32> @visor.load.flat.8(<8 x i64>, <8 x i1>, i32, i32)\n"
        "declare i1 @visor.admits.8(<8 x i64>, <8 x i1>, i32, i64, i64, i32, i32)\n"
        "declare void @visor.store.surface.8(<8 x i32>, <8 x i1>, i32, ptr, i64, i64, <8 x i32>)\n"
        "define void @f(ptr %states, {0} %x, ptr %data, i64 %bytes, i64 %low, i64 %last, i64 %turns) {{\n"
        "entry:\n"
        "  br label %turn\n"
        "turn:\n"
        "  %k = phi i64 [ 0, %entry ], [ %next, %end ]\n"
        "  %at = phi {0} [ %x, %entry ], [ %at.next, %end ]\n"
        "  %state = phi ptr [ %states, %entry ], [ %state.next, %end ]\n"
        "  %ended = getelementptr inbounds i8, ptr %state, i64 {1}\n"
        "  store i32 0, ptr %ended, !visor.turn !0\n"
        "  %registers = load ptr, ptr %state\n"
        "  %some = icmp ult <8 x i32> zeroinitializer, splat (i32 1)\n"
        "  %first = insertelement <8 x {0}> poison, {0} %at, i64 0\n"
        "  %all = shufflevector <8 x {0}> %first, <8 x {0}> poison, <8 x i32> zeroinitializer\n"
        "  %lanes = add <8 x {0}> %all, <{0} 0, {0} 4, {0} 8, {0} 12, {0} 16, {0} 20, {0} 24, {0} 28>\n",
        type, offsetof(State, ended));
    int number = 0;
    for (int half = 0; half < thread.halves; ++half)
        text += fmt::format("  %half{0} = add <8 x {1}> %lanes, splat ({1} {2})\n", half, type,
                            half * static_cast<int>(row_bytes));
    for (int row = 0; row < thread.rows; ++row) {
        for (int half = 0; half < thread.halves; ++half, ++number) {
            text += fmt::format("  %p{0} = add <8 x {1}> %half{2}, splat ({1} {3})\n", number, type, half,
                                row * thread.apart);
            text += message_of(thread, number);
            text += row == 0 ? fmt::format("  %s{0} = add <8 x i32> %v{0}, zeroinitializer\n", number)
                             : fmt::format("  %s{0} = {1} <8 x i32> %s{2}, %v{0}\n", number, thread.operation,
                                           number - thread.halves);
        }
        if (row == 3)
            text += thread.between;
    }
    for (int half = 0; half < thread.halves; ++half)
        text += fmt::format("  %to{0} = getelementptr inbounds i8, ptr %registers, i64 {1}\n"
                            "  store <8 x i32> %s{2}, ptr %to{0}, align 1\n",
                            half, half * static_cast<int>(row_bytes), number - thread.halves + half);
    text += fmt::format("  %last.sum = add <8 x i32> %s{0}, zeroinitializer\n", number - 1);
    return text + thread.behind +
           fmt::format("  br label %end\n"
                       "end:\n"
                       "  %next = add i64 %k, 1\n"
                       "  %at.next = add {0} %at, {1}\n"
                       "  %state.next = getelementptr inbounds i8, ptr %state, i64 {2}\n"
                       "  %goes.on = icmp ult i64 %next, %turns\n"
                       "  br i1 %goes.on, label %turn, label %out\n"
                       "out:\n  ret void\n}}\n!0 = !{{}}\n",
                       type, thread.halves * static_cast<int>(row_bytes), sizeof(State));
}

// A group whose first thread's rows begin `x` bytes behind the data's begin.
class Group {
public:
    static constexpr size_t threads = 32;

    explicit Group(const Thread& thread) : thread_(thread) {
        for (size_t k = 0; k < data_.size(); ++k)
            data_[k] = static_cast<uint32_t>(k * k);
        for (size_t k = 0; k < threads; ++k) {
            states_[k].registers = reinterpret_cast<std::byte*>(sums_[k].data());
            states_[k].group = states_.data();
            states_[k].group_count = 16;
        }
        if (!code_.parse(code_of(thread)))
            return;
        llvm::Function& function = code_.function();
        regions_ = find_folds(function).size();
        if (auto turn = Turn::of(function))
            jam_threads(function, *turn, registers);
        code_.verify();
        expand_accesses(function, false, false);
        code_.verify();
        code_.link();
    }

    [[nodiscard]] size_t regions() const { return regions_; }
    [[nodiscard]] std::vector<uint32_t>& data() { return data_; }
    std::vector<State>& states() { return states_; }
    // Results that were made for threads and that none of them took.
    [[nodiscard]] int64_t unused() const { return states_.front().jammed; }

    // `bytes`: where the surface, or the allocation, ends.
    void run(size_t x, size_t turns, size_t bytes = SIZE_MAX) {
        const size_t end = std::min(bytes, data_.size() * sizeof(uint32_t));
        auto* const begin = reinterpret_cast<std::byte*>(data_.data());
        const auto low = reinterpret_cast<uint64_t>(begin);
        if (thread_.flat)
            code_.linked<void(State*, uint64_t, std::byte*, uint64_t, uint64_t, uint64_t, uint64_t)>()(
                states_.data(), low + x, begin, end, low, low + end - sizeof(uint32_t), turns);
        else
            code_.linked<void(State*, uint32_t, std::byte*, uint64_t, uint64_t, uint64_t, uint64_t)>()(
                states_.data(), static_cast<uint32_t>(x), begin, end, 0, 0, turns);
    }

    // Of one lane.
    [[nodiscard]] uint32_t sum(size_t x, size_t thread, size_t half, size_t lane) const {
        const auto apart = static_cast<size_t>(thread_.apart);
        const size_t row = thread * static_cast<size_t>(thread_.halves) + half;
        uint32_t sum = 0;
        for (size_t k = 0; k < static_cast<size_t>(thread_.rows); ++k)
            sum += data_[(x + row * row_bytes + k * apart) / sizeof(uint32_t) + lane];
        return sum;
    }
    void expect_sums(size_t x, size_t turns) const {
        for (size_t thread = 0; thread < turns; ++thread)
            for (size_t half = 0; half < static_cast<size_t>(thread_.halves); ++half)
                for (size_t lane = 0; lane < lanes; ++lane)
                    EXPECT_EQ(sums_[thread][half * lanes + lane], sum(x, thread, half, lane))
                        << "thread " << thread << ", half " << half << ", lane " << lane;
    }

private:
    Thread thread_;
    Assembled code_;
    size_t regions_ = 0;
    std::vector<uint32_t> data_ = std::vector<uint32_t>(size_t{1} << 16U);
    std::vector<State> states_ = std::vector<State>(threads);
    std::vector<std::array<uint32_t, 2 * lanes>> sums_ =
        std::vector<std::array<uint32_t, 2 * lanes>>(threads);
};

TEST(Jam, TheFirstThreadMakesAllSums) {
    for (const bool flat : {false, true}) {
        Group group({.flat = flat});
        EXPECT_EQ(group.regions(), 1U);
        group.run(64, 5);
        group.expect_sums(64, 5);
        EXPECT_EQ(group.unused(), 11);
        group.run(8192, 16);
        group.expect_sums(8192, 16);
        EXPECT_EQ(group.unused(), 11);
    }
}

TEST(Jam, HalvesOfAThreadAreResultsOfTheirOwn) {
    for (const bool flat : {false, true}) {
        Group group({.flat = flat, .halves = 2});
        EXPECT_EQ(group.regions(), 1U);
        group.run(0, 3);
        group.expect_sums(0, 3);
        EXPECT_EQ(group.unused(), 26);
    }
}

// What changes behind the first thread's turn is not seen: it is a race.
TEST(Jam, ResultsAreTakenNotMadeAgain) {
    Group group({});
    group.run(0, 1);
    const int64_t before = group.unused();
    EXPECT_EQ(before, 15);
    group.states()[0].group_count = 0; // nobody leads
    group.run(0, 4);
    group.expect_sums(0, 4);
    EXPECT_EQ(group.unused(), before); // what one call made no other takes
}

TEST(Jam, WhereRowsLeaveTheMemoryEachThreadLooks) {
    for (const bool flat : {false, true}) {
        Group group({.flat = flat});
        constexpr size_t behind = 7 * 1024 + 16 * row_bytes;
        group.run(0, 16, behind);
        EXPECT_EQ(group.unused(), 0);
        group.expect_sums(0, 16);
        group.run(0, 2, behind - 1);
        group.expect_sums(0, 2);
        EXPECT_EQ(group.unused(), 0);
        group.run(0, 1, behind);
        EXPECT_EQ(group.unused(), 15);
    }
}

TEST(Jam, SmallGroupsAndGroupsOverEachOther) {
    Group small({});
    small.states()[0].group_count = 15;
    small.run(0, 15);
    small.expect_sums(0, 15);
    EXPECT_EQ(small.unused(), 0);
    Group near({.apart = 480}); // sixteen rows are 512 bytes
    EXPECT_EQ(near.regions(), 1U);
    near.run(0, 16);
    near.expect_sums(0, 16);
    EXPECT_EQ(near.unused(), 0);
}

// Where nobody takes what is made, no more is made after a while.
TEST(Jam, WhatNobodyTakesIsNotMadeForEver) {
    Group group({});
    for (int k = 0; k < 100; ++k)
        group.run(0, 1);
    EXPECT_EQ(group.unused(), 18 * 15);
    group.run(64, 8);
    group.expect_sums(64, 8);
    EXPECT_EQ(group.unused(), 18 * 15);
}

// Each thread writes to the next one's second row.
TEST(Jam, NothingServesBehindAStore) {
    const std::string store =
        "  %behind = add <8 x i32> %lanes, splat (i32 1056)\n"
        "  call void @visor.store.surface.8(<8 x i32> %behind, <8 x i1> splat (i1 true), i32 0, ptr %data, "
        "i64 %bytes, i64 -1, <8 x i32> %last.sum)\n";
    Group group({.behind = store.c_str()});
    EXPECT_EQ(group.regions(), 1U);
    std::vector<uint32_t> last(lanes);
    for (size_t thread = 0; thread < 16; ++thread) {
        Group alone({.behind = store.c_str()});
        alone.run(0, thread + 1);
        alone.expect_sums(0, 1);
    }
    const std::vector<uint32_t> data = group.data();
    group.run(0, 3);
    uint32_t first = 0;
    for (size_t k = 0; k < 8; ++k)
        first += data[k * 256];
    uint32_t second = first;
    for (size_t k = 0; k < 8; ++k)
        second += k == 1 ? 0 : data[k * 256 + lanes];
    uint32_t third = second;
    for (size_t k = 0; k < 8; ++k)
        third += k == 1 ? 0 : data[k * 256 + 2 * lanes];
    const auto sum_of = [&](size_t thread) {
        uint32_t sum = 0;
        std::memcpy(&sum, static_cast<const void*>(group.states()[thread].registers), sizeof sum);
        return sum;
    };
    EXPECT_EQ(sum_of(0), first);
    EXPECT_EQ(sum_of(1), second);
    EXPECT_EQ(sum_of(2), third);
}

// Stores to shared local memory, and a fence of the compiler's own, are no others' affair; a fence is.
TEST(Jam, WhatKeepsAnOrderWithOthers) {
    const auto unused = [](const char* behind) {
        Group group({.behind = behind});
        group.run(0, 16);
        group.expect_sums(0, 16);
        return group.unused();
    };
    EXPECT_EQ(unused(""), 0);
    EXPECT_EQ(unused("  fence syncscope(\"singlethread\") seq_cst\n"), 0);
    EXPECT_EQ(unused("  fence seq_cst\n"), 15);
    EXPECT_EQ(unused("  %old = atomicrmw add ptr %data, i32 0 seq_cst\n"), 15);
    EXPECT_EQ(unused("  call void @visor.store.surface.8(<8 x i32> %lanes, <8 x i1> splat (i1 true), i32 0, "
                     "ptr %registers, i64 0, i64 -268435457, <8 x i32> %last.sum)\n"),
              0);
}

TEST(Jam, NothingElseIsMadeForAll) {
    const auto regions = [](const Thread& thread) { return Group(thread).regions(); };
    EXPECT_EQ(regions({.rows = 7}), 0U);
    EXPECT_EQ(regions({.on = "%some"}), 0U);
    EXPECT_EQ(regions({.mask = "-268435457"}), 0U); // shared local memory
    EXPECT_EQ(regions({.apart = 32}), 0U);          // a thread's rows lie one behind the other
    EXPECT_EQ(regions({.apart = 4}), 0U);
    EXPECT_EQ(regions({.operation = "udiv"}), 0U); // which may stop at a zero
    EXPECT_EQ(regions({.between = "  fence seq_cst\n"}), 0U);
    EXPECT_EQ(regions({.between = "  %look = extractelement <8 x i32> %v2, i32 0\n"
                                  "  store i32 %look, ptr %registers\n"}),
              0U);
}

// A row that others look at, too, is no part of a result alone; arithmetic that stands between is none of it.
TEST(Jam, WhatOthersLookAt) {
    const auto regions = [](const Thread& thread) { return Group(thread).regions(); };
    EXPECT_EQ(regions({.behind = "  store <8 x i32> %v2, ptr %registers, align 1\n"}), 0U);
    const Thread counted{.behind = "  store i64 %counted, ptr %registers, align 1\n",
                         .between = "  %counted = add i64 %k, 5\n"};
    Group group(counted);
    EXPECT_EQ(group.regions(), 1U);
    group.run(0, 3);
    uint64_t count = 0;
    std::memcpy(&count, static_cast<const void*>(group.states()[2].registers), sizeof count);
    EXPECT_EQ(count, 7U);
    EXPECT_EQ(group.unused(), 13);
}

} // namespace
} // namespace visor::jit
