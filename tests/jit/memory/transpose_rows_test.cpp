// Loops of sixteen iterations whose lanes read a line each: written in LLVM IR in the translator's form, and
// run beside the same in plain C++, on memory with an unreadable page at its end.
#include "jit/memory/buffer_rows.h"

#include "assembled.h"
#include "guarded.h"
#include "jit/memory/lowering.h"
#include "prefetched_lines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace visor::jit {
namespace {

constexpr uint32_t most_lanes = 32;
constexpr uint32_t units = 16; // of a line
constexpr uint64_t each = 7;   // instructions per iteration
using Lanes = std::array<uint32_t, most_lanes>;

struct Given {
    uint32_t lanes = 32;
    uint32_t iterations = units;
    int step = 64;         // bytes from a lane's row to the next one's
    uint32_t first = 0;    // where the first one begins, in bytes from what the code is given
    uint32_t start = 0;    // iterations count from it
    const char* more = ""; // in each iteration, after the load
    const char* next = "add i32 %k, 1";
    const char* seldom = ""; // in iteration 5, on a cold path, after the load
    bool carried = false;    // each iteration also adds what the one before loaded
};

std::string numbers(const Given& given) {
    std::string text;
    for (uint32_t lane = 0; lane < given.lanes; ++lane)
        text += fmt::format("{}i32 {}", lane == 0 ? "" : ", ",
                            static_cast<int>(given.first) + static_cast<int>(lane) * given.step);
    return "<" + text + ">";
}

std::string words_of(const Given& given) {
    return fmt::format("<{} x i32>", given.lanes);
}

std::string mask_of(const Given& given) {
    return fmt::format("<{} x i1>", given.lanes);
}

// Until the row is loaded, into %v.
std::string load_code_of(const Given& given) {
    const std::string wide = fmt::format("<{} x i64>", given.lanes);
    return fmt::format(
        "declare {0} @visor.load.flat.f({1}, {2}, i32, i32)\n"
        "declare i1 @visor.range_check.f({1}, {2}, i32, i64, i64, i32, i32)\n"
        "define i32 @f(ptr %data, i64 %bytes, i64 %before, ptr %stop, i64 %fuel, ptr %out, ptr %asked, ptr "
        "%notes) {{\n"
        "entry:\n"
        "  %low = ptrtoint ptr %data to i64\n"
        "  %end = add i64 %low, %bytes\n"
        "  %last = sub i64 %end, 4\n"
        "  %base = sub i64 %low, %before\n"
        "  br label %loop\n"
        "loop:\n"
        "  %k = phi i32 [ {4}, %entry ], [ %k1, %again ], [ %k1, %attention ]\n"
        "  %counter = phi i64 [ 100, %entry ], [ %counter2, %again ], [ %counter2, %attention ]\n"
        "  %acc = phi {0} [ zeroinitializer, %entry ], [ %acc1, %again ], [ %acc1, %attention ]\n"
        "  %prev = phi {0} [ zeroinitializer, %entry ], [ %v, %again ], [ %v, %attention ]\n"
        "  %counter1 = add i64 %counter, 4\n"
        "  %k.first = insertelement {0} poison, i32 %k, i64 0\n"
        "  %k.all = shufflevector {0} %k.first, {0} poison, {0} zeroinitializer\n"
        "  %k4 = shl {0} %k.all, splat (i32 2)\n"
        "  %row = add {0} {3}, %k4\n"
        "  %far = zext {0} %row to {1}\n"
        "  %base.first = insertelement {1} poison, i64 %base, i64 0\n"
        "  %base.all = shufflevector {1} %base.first, {1} poison, {0} zeroinitializer\n"
        "  %at = add {1} %far, %base.all\n"
        "  %ok = call i1 @visor.range_check.f({1} %at, {2} splat (i1 true), i32 0, i64 %low, i64 %last, i32 "
        "0, "
        "i32 4)\n"
        "  br i1 %ok, label %known, label %refused, !prof !1\n"
        "refused:\n"
        "  %iteration = add i32 %k, 1\n"
        "  ret i32 %iteration\n"
        "known:\n"
        "  %v = call {0} @visor.load.flat.f({1} %at, {2} splat (i1 true), i32 0, i32 0)\n"
        "{5}",
        words_of(given), wide, mask_of(given), numbers(given), given.start, given.more);
}

// From there on: the sum, whether the loop goes on, and what a thread that is asked to stop does.
std::string sum_code_of(const Given& given) {
    return fmt::format("  %rare = icmp eq i32 %k, 5\n"
                       "  br i1 %rare, label %seldom, label %often, !prof !0\n"
                       "seldom:\n"
                       "{1}"
                       "  br label %often\n"
                       "often:\n"
                       "  %by = mul {0} %acc, splat (i32 31)\n"
                       "  %both = add {0} %v, {2}\n"
                       "  %acc1 = add {0} %by, %both\n"
                       "  %k1 = {3}\n"
                       "  %counter2 = add i64 %counter1, 3\n"
                       "  %lanes.first = insertelement {0} poison, i32 %k1, i64 0\n"
                       "  %lanes.all = shufflevector {0} %lanes.first, {0} poison, {0} zeroinitializer\n"
                       "  %lanes.done = icmp uge {0} %lanes.all, splat (i32 {4})\n"
                       "  %bits = bitcast {5} %lanes.done to i{6}\n"
                       "  %leaves = trunc i{6} %bits to i1\n"
                       "  br i1 %leaves, label %done, label %again\n"
                       "again:\n"
                       "  %flag = load volatile i8, ptr %stop, align 1\n"
                       "  %stopped = icmp ne i8 %flag, 0\n"
                       "  %spent = icmp uge i64 %counter2, %fuel\n"
                       "  %asks = or i1 %stopped, %spent\n"
                       "  br i1 %asks, label %attention, label %loop, !prof !0, !visor.poll !2\n"
                       "attention:\n"
                       "  %times = load i32, ptr %asked, align 4\n"
                       "  %more = add i32 %times, 1\n"
                       "  store i32 %more, ptr %asked, align 4\n"
                       "  %wants.on = icmp ult i32 %more, 1000\n"
                       "  br i1 %wants.on, label %loop, label %done\n"
                       "done:\n"
                       "  %result = phi {0} [ %acc1, %often ], [ %acc1, %attention ]\n"
                       "  store {0} %result, ptr %out, align 4\n"
                       "  ret i32 0\n}}\n"
                       "!0 = !{{!\"branch_weights\", i32 1, i32 1000}}\n"
                       "!1 = !{{!\"branch_weights\", i32 1000, i32 1}}\n"
                       "!2 = !{{}}\n",
                       words_of(given), given.seldom, given.carried ? "%prev" : "zeroinitializer", given.next,
                       given.iterations, mask_of(given), given.lanes);
}

// acc = acc * 31 + what is loaded, iteration after iteration. Returns 0, or one plus the iteration with a
// lane out of bounds.
std::string code_of(const Given& given) {
    return load_code_of(given) + sum_code_of(given);
}

struct Ran {
    bool unrolled = false;
    uint32_t refused = 0;
    uint32_t polls = 0;         // stops at the poll's slow path
    std::vector<int64_t> lines; // prefetched, relative to the memory's begin
    Lanes out{};
};

struct Told {
    bool stop = false;
    uint64_t fuel = UINT64_MAX;
    uint64_t before = 0; // what the code is given lies so many bytes before the memory
};

Ran run(const Given& given, std::span<uint32_t> memory, const Told& told = {}) {
    Assembled code;
    Ran ran;
    if (!code.parse(code_of(given)))
        return ran;
    buffer_lane_rows(code.function(), 512);
    code.verify();
    for (const llvm::BasicBlock& block : code.function())
        ran.unrolled = ran.unrolled || block.getName() == "unroll.check";
    if (memory.empty())
        return ran;
    log_prefetches(code.function(), code.function().getArg(7));
    lower_memory_intrinsics(code.function(), false, false);
    code.verify();
    code.link();
    std::array<uint64_t, 64> notes{};
    const auto stop = static_cast<uint8_t>(told.stop);
    ran.refused =
        code.linked<uint32_t(uint32_t*, uint64_t, uint64_t, const uint8_t*, uint64_t, uint32_t*, uint32_t*,
                             uint64_t*)>()(memory.data(), memory.size_bytes(), told.before, &stop, told.fuel,
                                           ran.out.data(), &ran.polls, notes.data());
    for (size_t k = 1; k <= notes[0]; ++k)
        ran.lines.push_back(static_cast<int64_t>(notes.at(k) - reinterpret_cast<uintptr_t>(memory.data())));
    return ran;
}

bool is_unrolled(const Given& given) {
    return run(given, {}).unrolled;
}

Lanes walked(std::span<const uint32_t> memory, const Given& given) {
    Lanes all{};
    Lanes before{};
    for (uint32_t k = given.start; k < given.iterations; ++k)
        for (uint32_t lane = 0; lane < given.lanes; ++lane) {
            const uint32_t now = memory[given.first / 4 + lane * static_cast<uint32_t>(given.step) / 4 + k];
            all[lane] = all[lane] * 31 + now + (given.carried ? before[lane] : 0);
            before[lane] = now;
        }
    return all;
}

TEST(LinesAtOnce, LanesReadALineEach) {
    for (const uint32_t lanes : {16U, 32U})
        for (const int step : {64, 68, 100}) {
            const Given given{.lanes = lanes, .step = step};
            const Guarded memory((lanes - 1) * static_cast<uint32_t>(step) / 4 + units); // to the last word
            const Ran ran = run(given, memory.words());
            EXPECT_TRUE(ran.unrolled) << lanes << ' ' << step;
            EXPECT_EQ(ran.refused, 0U);
            EXPECT_EQ(ran.polls, 0U);
            EXPECT_EQ(ran.out, walked(memory.words(), given)) << lanes << ' ' << step;
        }
}

TEST(LinesAtOnce, WhatATurnLoadedTheNextOneMayUse) {
    const Given given{.carried = true};
    const Guarded memory(given.lanes, units);
    for (const bool stop : {false, true}) {
        const Ran ran = run(given, memory.words(), {.stop = stop});
        EXPECT_TRUE(ran.unrolled);
        EXPECT_EQ(ran.out, walked(memory.words(), given)) << stop;
    }
}

// By hand: a thread's lines follow the last one's where a row is a line; else rows continue.
TEST(LinesAtOnce, TheNextLinesAreAskedForBehindThem) {
    for (const uint32_t lanes : {16U, 32U})
        for (const int step : {64, 100}) {
            const Guarded memory(1000);
            std::vector<int64_t> expected;
            for (int64_t lane = 0; lane < lanes; ++lane)
                expected.push_back(lane * step + (step == 64 ? int64_t{lanes} * 64 : 64));
            EXPECT_EQ(run({.lanes = lanes, .step = step}, memory.words()).lines, expected)
                << lanes << ' ' << step;
        }
}

// A block that branches to the loop twice, as a switch of two cases may.
TEST(LinesAtOnce, TwoWaysFromOneBlockAreNone) {
    std::string text = code_of({});
    const auto replace = [&](const std::string& what, const std::string& by) {
        for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
            text.replace(at, what.size(), by);
    };
    replace("  br label %loop\nloop:", "  br i1 true, label %loop, label %loop\nloop:");
    replace("[ 0, %entry ]", "[ 0, %entry ], [ 0, %entry ]");
    replace("[ 100, %entry ]", "[ 100, %entry ], [ 100, %entry ]");
    replace("[ zeroinitializer, %entry ]", "[ zeroinitializer, %entry ], [ zeroinitializer, %entry ]");
    Assembled code;
    ASSERT_TRUE(code.parse(text));
    buffer_lane_rows(code.function(), 512);
    code.verify();
    for (const llvm::BasicBlock& block : code.function())
        EXPECT_NE(block.getName(), "unroll.check");
}

TEST(LinesAtOnce, OtherLoopsStayAsTheyAre) {
    EXPECT_FALSE(is_unrolled({.iterations = 15}));
    EXPECT_FALSE(is_unrolled({.iterations = 17}));
    EXPECT_FALSE(is_unrolled({.lanes = 8}));
    EXPECT_FALSE(is_unrolled({.step = 4}));                          // lanes share lines
    EXPECT_FALSE(is_unrolled({.next = "add i32 %k, 2"}));            // half as many iterations
    EXPECT_FALSE(is_unrolled({.more = "  fence seq_cst\n"}));        // another thread may wait
    EXPECT_FALSE(is_unrolled({.more = "  store i8 1, ptr %out\n"})); // perhaps to where it reads
    EXPECT_FALSE(is_unrolled({.seldom = "  store i8 1, ptr %out\n"}));
}

// From 30 to 46, 120 bytes into each row.
TEST(LinesAtOnce, TurnsMayBeCountedFromAnyNumber) {
    const Given given{.iterations = 46, .step = 200, .start = 30};
    const Guarded memory((given.lanes - 1) * 50 + 46);
    const Ran ran = run(given, memory.words());
    EXPECT_TRUE(ran.unrolled);
    EXPECT_EQ(ran.refused, 0U);
    EXPECT_EQ(ran.out, walked(memory.words(), given));
}

// With a stop request, the poll reports after each iteration but the last, as before.
TEST(LinesAtOnce, WhoIsToStopIsAskedInEachTurn) {
    const Given given;
    const Guarded memory(given.lanes, units);
    const Ran ran = run(given, memory.words(), {.stop = true});
    EXPECT_TRUE(ran.unrolled);
    EXPECT_EQ(ran.polls, units - 1);
    EXPECT_EQ(ran.out, walked(memory.words(), given));
}

// After iteration k the thread has run 100 + 7 k instructions.
TEST(LinesAtOnce, FuelLastsAsLongAsEver) {
    const Given given;
    const Guarded memory(given.lanes, units);
    for (uint64_t iteration = 1; iteration <= units; ++iteration)
        for (const uint64_t more : {0U, 1U}) {
            const Ran ran = run(given, memory.words(), {.fuel = 100 + each * iteration + more});
            const uint64_t first = iteration + more; // that finds it spent
            EXPECT_EQ(ran.polls, first < units ? units - first : 0) << iteration << ' ' << more;
            EXPECT_EQ(ran.out, walked(memory.words(), given));
        }
}

// The last lane's line exceeds the memory: the iteration that would read there is refused.
TEST(LinesAtOnce, WhoReadsTooFarIsRefusedInHisTurn) {
    const Given given;
    for (const uint32_t missing : {1U, 5U, 16U}) {
        const Guarded memory(size_t{given.lanes} * units - missing);
        const Ran ran = run(given, memory.words());
        EXPECT_TRUE(ran.unrolled);
        EXPECT_EQ(ran.refused, units - missing + 1) << missing;
    }
}

// 32-bit offsets that wrap in iteration 3: lanes are elsewhere from then on, before the memory.
TEST(LinesAtOnce, OffsetsMayWrapBetweenTurns) {
    const Given given{.first = 0xfffffff4U - 31 * 64};
    const Guarded memory(given.lanes, units);
    const Ran ran = run(given, memory.words(), {.before = given.first});
    EXPECT_TRUE(ran.unrolled);
    EXPECT_EQ(ran.refused, 4U);
}

} // namespace
} // namespace visor::jit
