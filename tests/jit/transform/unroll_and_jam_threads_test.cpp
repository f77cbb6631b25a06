// Unroll and jam: code is written in LLVM IR with memory intrinsics, and run for a group whose threads run
// one after the other. Expected sums are the host's.
#include "jit/transform/unroll_and_jam_threads.h"

#include "assembled.h"
#include "jit/analysis/load_reduction.h"
#include "jit/engine/runtime_abi.h"
#include "jit/memory/lowering.h"

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
    uint32_t displacement = 0;
    const char* mark = "";
    const char* operation = "add"; // of integers
    std::string behind = "";       // of the sum
    std::string between = "";      // of two rows
    bool flat = false;
    bool down = false; // the lowest row comes last
    int halves = 1;    // separate sums of adjacent rows
};

std::string message_of(const Thread& thread, int number) {
    if (!thread.flat)
        return fmt::format("  %v{0} = call <8 x i32> @visor.load.surface.8(<8 x i32> %p{0}, <8 x i1> {1}, "
                           "i32 {2}, ptr %data, i64 %bytes, i64 {3}){4}\n",
                           number, thread.on, thread.displacement, thread.mask, thread.mark);
    return fmt::format(
        "  %in{0} = call i1 @visor.range_check.8(<8 x i64> %p{0}, <8 x i1> {1}, i32 0, i64 %low, "
        "i64 %last, i32 {0}, i32 4)\n"
        "  br i1 %in{0}, label %known{0}, label %met{0}\n"
        "known{0}:\n"
        "  %l{0} = call <8 x i32> @visor.load.flat.8(<8 x i64> %p{0}, <8 x i1> {1}, i32 0, "
        "i32 {0})\n"
        "  br label %met{0}\n"
        "met{0}:\n"
        "  %v{0} = phi <8 x i32> [ %l{0}, %known{0} ], [ zeroinitializer, %{2} ]\n",
        number, thread.on, number == 0 ? "slice" : fmt::format("met{}", number - 1));
}

// Each thread's lanes are at %x, which advances by a thread's rows in each time slice, and adds up `rows` of
// them. Its sums are stored to its State's registers. Flat rows out of bounds count as zero.
std::string code_of(const Thread& thread) {
    const char* const type = thread.flat ? "i64" : "i32";
    std::string text = fmt::format(
        "declare <8 x i32> @visor.load.surface.8(<8 x i32>, <8 x i1>, i32, ptr, i64, i64)\n"
        "declare <8 x i32> @visor.load.flat.8(<8 x i64>, <8 x i1>, i32, i32)\n"
        "declare i1 @visor.range_check.8(<8 x i64>, <8 x i1>, i32, i64, i64, i32, i32)\n"
        "declare void @visor.store.surface.8(<8 x i32>, <8 x i1>, i32, ptr, i64, i64, <8 x i32>)\n"
        "define void @f(ptr %states, {0} %x, ptr %data, i64 %bytes, i64 %low, i64 %last, i64 %slices) {{\n"
        "entry:\n"
        "  br label %slice\n"
        "slice:\n"
        "  %k = phi i64 [ 0, %entry ], [ %next, %end ]\n"
        "  %at = phi {0} [ %x, %entry ], [ %at.next, %end ]\n"
        "  %state = phi ptr [ %states, %entry ], [ %state.next, %end ]\n"
        "  %ended = getelementptr inbounds i8, ptr %state, i64 {1}\n"
        "  store i32 0, ptr %ended, !visor.thread_entry !0\n"
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
                                (thread.down ? thread.rows - 1 - row : row) * thread.apart);
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
                       "  %goes.on = icmp ult i64 %next, %slices\n"
                       "  br i1 %goes.on, label %slice, label %out\n"
                       "out:\n  ret void\n}}\n!0 = !{{}}\n",
                       type, thread.halves * static_cast<int>(row_bytes), sizeof(State));
}

// A group whose first thread's rows begin at byte `x` of the data.
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
        regions_ = find_load_reductions(function).size();
        if (auto thread_entry = ThreadEntry::of(function))
            unroll_and_jam_threads(function, *thread_entry, registers);
        code_.verify();
        lower_memory_intrinsics(function, false, false);
        code_.verify();
        code_.link();
    }

    [[nodiscard]] size_t regions() const { return regions_; }
    [[nodiscard]] std::vector<uint32_t>& data() { return data_; }
    std::vector<State>& states() { return states_; }
    // Unused results for threads, less two for each used one; at least 0.
    [[nodiscard]] int64_t unused() const { return states_.front().jammed; }

    // `bytes`: where the surface, or the allocation, ends.
    void run(size_t x, size_t slices, size_t bytes = SIZE_MAX) {
        const size_t end = std::min(bytes, data_.size() * sizeof(uint32_t));
        auto* const begin = reinterpret_cast<std::byte*>(data_.data());
        const auto low = reinterpret_cast<uint64_t>(begin);
        if (thread_.flat)
            code_.linked<void(State*, uint64_t, std::byte*, uint64_t, uint64_t, uint64_t, uint64_t)>()(
                states_.data(), low + x, begin, end, low, low + end - sizeof(uint32_t), slices);
        else
            code_.linked<void(State*, uint32_t, std::byte*, uint64_t, uint64_t, uint64_t, uint64_t)>()(
                states_.data(), static_cast<uint32_t>(x), begin, end, 0, 0, slices);
    }

    // Where a thread's sums are.
    [[nodiscard]] std::array<uint32_t, 2 * lanes> kept(size_t thread) const {
        std::array<uint32_t, 2 * lanes> sums{};
        std::memcpy(sums.data(), static_cast<const void*>(states_[thread].registers), sizeof sums);
        return sums;
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
    void expect_sums(size_t x, size_t slices) const {
        for (size_t thread = 0; thread < slices; ++thread)
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
        EXPECT_EQ(group.unused(), 16 - 2 * 5);
        group.run(8192, 16);
        group.expect_sums(8192, 16);
        EXPECT_EQ(group.unused(), 0);
    }
}

TEST(Jam, HalvesOfAThreadAreResultsOfTheirOwn) {
    for (const bool flat : {false, true}) {
        Group group({.flat = flat, .halves = 2});
        EXPECT_EQ(group.regions(), 1U);
        group.run(0, 3);
        group.expect_sums(0, 3);
        EXPECT_EQ(group.unused(), 32 - 2 * 6);
    }
}

TEST(Jam, TheLowestRowNeedNotBeTheFirst) {
    for (const bool flat : {false, true}) {
        Group group({.flat = flat, .down = true});
        EXPECT_EQ(group.regions(), 1U);
        group.run(32, 16, 32 + 7 * 1024 + 16 * row_bytes);
        group.expect_sums(32, 16);
        group.run(32, 1, 32 + 7 * 1024 + 16 * row_bytes);
        EXPECT_EQ(group.unused(), 14);
    }
}

// A thread's registers are not the kernel's memory: the first thread's sum overwrites the second one's first
// row, whose sum is cached already.
TEST(Jam, ResultsAreTakenNotMadeAgain) {
    Group group({});
    std::vector<uint32_t> sums;
    for (size_t lane = 0; lane < lanes; ++lane)
        sums.push_back(group.sum(0, 1, 0, lane));
    group.states()[0].registers = reinterpret_cast<std::byte*>(group.data().data()) + row_bytes;
    group.run(0, 2);
    EXPECT_NE(group.sum(0, 1, 0, 0), sums[0]);
    for (size_t lane = 0; lane < lanes; ++lane)
        EXPECT_EQ(group.kept(1)[lane], sums[lane]) << "lane " << lane;
}

TEST(Jam, WhatOneCallMadeNoOtherTakes) {
    Group group({});
    group.run(0, 1);
    EXPECT_EQ(group.unused(), 14);
    group.states()[0].group_count = 0; // no thread is the first
    group.run(0, 4);
    group.expect_sums(0, 4);
    EXPECT_EQ(group.unused(), 14);
}

TEST(Jam, WhereRowsLeaveTheMemoryEachThreadLooks) {
    for (const bool flat : {false, true}) {
        Group group({.flat = flat});
        constexpr size_t behind = size_t{7} * 1024 + 16 * row_bytes;
        group.run(0, 16, behind);
        EXPECT_EQ(group.unused(), 0);
        group.expect_sums(0, 16);
        group.run(0, 2, behind - 1);
        group.expect_sums(0, 2);
        EXPECT_EQ(group.unused(), 0);
        group.run(0, 1, behind);
        EXPECT_EQ(group.unused(), 14);
    }
}

TEST(Jam, SmallGroupsAndGroupsOverEachOther) {
    Group small({});
    small.states()[0].group_count = 15;
    small.run(0, 15);
    small.expect_sums(0, 15);
    small.run(0, 1);
    EXPECT_EQ(small.unused(), 0); // 14 with cached results
    Group near({.apart = 480});   // sixteen rows are 512 bytes
    EXPECT_EQ(near.regions(), 1U);
    near.run(0, 16);
    near.expect_sums(0, 16);
    near.run(0, 1);
    EXPECT_EQ(near.unused(), 0);
}

// Caching stops after a while if results stay unused.
TEST(Jam, WhatNobodyTakesIsNotMadeForEver) {
    Group group({});
    for (int k = 0; k < 100; ++k)
        group.run(0, 1);
    EXPECT_EQ(group.unused(), 19 * 14); // the first number over 256
    group.run(64, 8);
    group.expect_sums(64, 8);
    EXPECT_EQ(group.unused(), 19 * 14);
}

// Each thread writes its sum to the next one's second row.
TEST(Jam, NothingServesBehindAStore) {
    Group group({.behind =
                     "  %behind = add <8 x i32> %lanes, splat (i32 1056)\n"
                     "  call void @visor.store.surface.8(<8 x i32> %behind, <8 x i1> splat (i1 true), i32 0, "
                     "ptr %data, i64 %bytes, i64 -1, <8 x i32> %last.sum)\n"});
    EXPECT_EQ(group.regions(), 1U);
    const std::vector<uint32_t> data = group.data();
    group.run(0, 3);
    uint32_t sum = 0;
    for (size_t thread = 0; thread < 3; ++thread) {
        for (size_t k = 0; k < 8; ++k)
            sum += k == 1 && thread != 0 ? 0 : data[k * 256 + thread * lanes];
        EXPECT_EQ(group.kept(thread)[0], sum) << "thread " << thread;
    }
}

// Stores to shared local memory, and a fence of the compiler's own, are no others' affair; a fence is.
TEST(Jam, WhatKeepsAnOrderWithOthers) {
    const auto unused = [](const char* behind) {
        Group group({.behind = behind});
        group.run(0, 8);
        group.expect_sums(0, 8);
        return group.unused();
    };
    EXPECT_EQ(unused(""), 0);
    EXPECT_EQ(unused("  fence syncscope(\"singlethread\") seq_cst\n"), 0);
    EXPECT_EQ(unused("  fence seq_cst\n"), 14);
    EXPECT_EQ(unused("  %old = atomicrmw add ptr %data, i32 0 seq_cst\n"), 14);
    EXPECT_EQ(unused("  call void @visor.store.surface.8(<8 x i32> %lanes, <8 x i1> splat (i1 true), i32 0, "
                     "ptr %registers, i64 0, i64 -268435457, <8 x i32> %last.sum)\n"),
              0);
}

TEST(Jam, NothingElseIsMadeForAll) {
    const auto regions = [](const Thread& thread) { return Group(thread).regions(); };
    EXPECT_EQ(regions({.rows = 7}), 0U);
    EXPECT_EQ(regions({.on = "%some"}), 0U);
    EXPECT_EQ(regions({.mask = "-268435457"}), 0U); // shared local memory
    EXPECT_EQ(regions({.apart = 32}), 0U);          // a thread's rows are adjacent
    EXPECT_EQ(regions({.apart = 4}), 0U);
    EXPECT_EQ(regions({.operation = "udiv"}), 0U); // which may stop at a zero
    EXPECT_EQ(regions({.mask = "%bytes"}), 0U);    // any surface
    EXPECT_EQ(regions({.displacement = 4}), 0U);   // does not wrap with the lanes
    EXPECT_EQ(regions({.mark = ", !visor.scratch !0"}), 0U);
    EXPECT_EQ(regions({.between = "  fence seq_cst\n"}), 0U);
    EXPECT_EQ(regions({.between = "  %look = extractelement <8 x i32> %v2, i32 0\n"
                                  "  store i32 %look, ptr %registers\n"}),
              0U);
}

// A row with other users does not belong to a result alone; unrelated arithmetic does not matter.
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
    EXPECT_EQ(group.unused(), 16 - 2 * 3);
}

// Rows as above, at separate addresses, whose sum is stored after the first one.
std::string second_rows(const char* places, int count) {
    std::string text;
    for (int k = 0; k < count; ++k)
        text += fmt::format("  %q{0} = add <8 x i32> {1}, splat (i32 {2})\n"
                            "  %w{0} = call <8 x i32> @visor.load.surface.8(<8 x i32> %q{0}, <8 x i1> splat "
                            "(i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)\n"
                            "  %t{0} = add <8 x i32> {3}, %w{0}\n",
                            k, places, k * 1024, k == 0 ? "zeroinitializer" : fmt::format("%t{}", k - 1));
    return text + fmt::format("  %to.second = getelementptr inbounds i8, ptr %registers, i64 32\n"
                              "  store <8 x i32> %t{}, ptr %to.second, align 1\n",
                              count - 1);
}

// Their addresses are computed among the first rows, with all operands.
const std::string lanes_between = "  %y = trunc i64 %slices to i32\n"
                                  "  %y.bytes = shl i32 %y, 12\n"
                                  "  %y.first = insertelement <8 x i32> poison, i32 %y.bytes, i64 0\n"
                                  "  %ys = shufflevector <8 x i32> %y.first, <8 x i32> poison, <8 x i32> "
                                  "zeroinitializer\n"
                                  "  %b = add <8 x i32> %lanes, %ys\n";

TEST(Jam, TwoRegionsOfWhichOneMakesTheOthersPlaces) {
    Group group({.behind = second_rows("%b", 8), .between = lanes_between});
    EXPECT_EQ(group.regions(), 2U);
    group.run(64, 3);
    group.expect_sums(64, 3);
    for (size_t thread = 0; thread < 3; ++thread)
        EXPECT_EQ(group.kept(thread)[lanes + 1], group.sum(64 + 3 * 4096, thread, 0, 1));
    EXPECT_EQ(group.unused(), 2 * (16 - 2 * 3));
}

TEST(Jam, PlacesThatAreMadeInsideAreThereBehind) {
    Group group({.behind = second_rows("%b", 1), .between = lanes_between});
    EXPECT_EQ(group.regions(), 1U);
    group.run(0, 4);
    group.expect_sums(0, 4);
    for (size_t thread = 0; thread < 4; ++thread)
        EXPECT_EQ(group.kept(thread)[lanes], group.data()[size_t{4} * 1024 + thread * lanes]);
}

// As many sums as there are rows, each with users. Traversing all operands of each would take minutes, longer
// than the test's limit.
TEST(Jam, SumsOfSums) {
    std::string text =
        "declare <8 x i32> @visor.load.surface.8(<8 x i32>, <8 x i1>, i32, ptr, i64, i64)\n"
        "define void @f(ptr %state, i32 %x, ptr %data, i64 %bytes, ptr %out) {\n"
        "entry:\n  br label %slice\nslice:\n"
        "  %first = insertelement <8 x i32> poison, i32 %x, i64 0\n"
        "  %all = shufflevector <8 x i32> %first, <8 x i32> poison, <8 x i32> zeroinitializer\n"
        "  %lanes = add <8 x i32> %all, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, "
        "i32 28>\n  %s0 = add <8 x i32> %all, zeroinitializer\n";
    constexpr int count = 20'000;
    for (int k = 1; k <= count; ++k)
        text += fmt::format("  %p{0} = add <8 x i32> %lanes, splat (i32 {1})\n"
                            "  %v{0} = call <8 x i32> @visor.load.surface.8(<8 x i32> %p{0}, <8 x i1> splat "
                            "(i1 true), i32 0, ptr %data, i64 %bytes, i64 -1)\n"
                            "  %s{0} = add <8 x i32> {2}, %v{0}\n"
                            "  %e{0} = extractelement <8 x i32> %s{0}, i32 0\n",
                            k, k * 1024, k == 1 ? "zeroinitializer" : fmt::format("%s{}", k - 1));
    text += "  store i32 %e1, ptr %out\n  ret void\n}\n";
    Assembled code;
    ASSERT_TRUE(code.parse(text));
    EXPECT_EQ(find_load_reductions(code.function()).size(), 0U);
}

} // namespace
} // namespace visor::jit
