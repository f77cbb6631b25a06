// Per-lane row streams: loops are written in LLVM IR with memory intrinsics, and run beside the same in plain
// C++, on memory with an unreadable page at its end.
#include "jit/memory/buffer_rows.h"

#include "assembled.h"
#include "guarded.h"
#include "jit/memory/lowering.h"
#include "prefetched_lines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace visor::jit {
namespace {

constexpr uint32_t most_lanes = 32;
using Lanes = std::array<uint32_t, most_lanes>;

struct Given {
    uint32_t lanes = 16;
    bool flat = false;
    const char* places = "%row"; // row: from lanes' begins, one word per iteration
    const char* on = "%all";     // odd: only lanes of odd numbers in odd iterations, else all
    const char* more = "";       // in each iteration, before the load
    const char* seldom = "";     // in iteration 5, on a cold path
    std::string after = "";      // in each iteration, after the load
    uint32_t register_bits = 512;
    bool eager = false;
    int step = 0;         // bytes between lanes' begins; 0: unknown
    bool records = false; // logs the prefetched lines
};

// The least one is 0.
std::string numbers(uint32_t lanes, int step) {
    std::string text;
    for (int lane = 0; lane < static_cast<int>(lanes); ++lane)
        text += fmt::format("{}i32 {}", lane == 0 ? "" : ", ",
                            step < 0 ? (lane + 1 - static_cast<int>(lanes)) * step : lane * step);
    return "<" + text + ">";
}

// "<16 x i32>" of i32
std::string vector_of(const Given& given, const char* element) {
    return fmt::format("<{} x {}>", given.lanes, element);
}

// Until an iteration knows its row and which lanes are on.
std::string row_code_of(const Given& given) {
    const std::string words = vector_of(given, "i32");
    const std::string wide = vector_of(given, "i64");
    const std::string mask = vector_of(given, "i1");
    std::string text = fmt::format("declare {0} @visor.load.surface.s({0}, {1}, i32, ptr, i64, i64)\n"
                                   "declare {0} @visor.load.flat.f({2}, {1}, i32, i32)\n"
                                   "declare void @visor.store.surface.s({0}, {1}, i32, ptr, i64, i64, {0})\n"
                                   "declare void @visor.store.flat.f({2}, {1}, i32, i32, {0})\n"
                                   "declare i1 @visor.range_check.f({2}, {1}, i32, i64, i64, i32, i32)\n"
                                   "define i32 @f(ptr %state, ptr %data, i64 %bytes, ptr %begins, i32 "
                                   "%iterations, ptr %out, ptr %own) {{\n"
                                   "entry:\n"
                                   "  %begin = load {0}, ptr %begins, align 4\n"
                                   "  %low = ptrtoint ptr %data to i64\n"
                                   "  %end = add i64 %low, %bytes\n"
                                   "  %last = sub i64 %end, 4\n"
                                   "  br label %loop\n"
                                   "loop:\n"
                                   "  %k = phi i32 [ 0, %entry ], [ %k1, %next ]\n"
                                   "  %acc = phi {0} [ zeroinitializer, %entry ], [ %acc1, %next ]\n"
                                   "  %rare = icmp eq i32 %k, 5\n"
                                   "  br i1 %rare, label %seldom, label %often, !prof !0\n"
                                   "seldom:\n"
                                   "{3}"
                                   "  br label %often\n"
                                   "often:\n"
                                   "  %all = icmp uge {0} %begin, zeroinitializer\n",
                                   words, mask, wide, given.seldom);
    const auto splat = [&](const char* name, const char* of) {
        return fmt::format("  %{0}.first = insertelement {1} poison, i32 {2}, i64 0\n"
                           "  %{0} = shufflevector {1} %{0}.first, {1} poison, {1} zeroinitializer\n",
                           name, words, of);
    };
    text +=
        splat("iteration", "%k") +
        fmt::format("  %iteration4 = shl {0} %iteration, splat (i32 2)\n"
                    "  %row = add {0} {1}, %iteration4\n"
                    "  %back = sub {0} {1}, %iteration4\n"
                    "  %odd.iteration = and {0} %iteration, splat (i32 1)\n"
                    "  %even = icmp eq {0} %odd.iteration, zeroinitializer\n"
                    "  %odd.lane = icmp ne {0} {2}, zeroinitializer\n"
                    "  %odd = or {3} %even, %odd.lane\n",
                    words, given.step != 0 ? numbers(given.lanes, given.step) : "%begin", "%lane.bit", mask);
    text.insert(text.find("loop:\n") - std::strlen("  br label %loop\n"),
                fmt::format("  %lane.bit = and {} {}, splat (i32 1)\n", words, numbers(given.lanes, 1)));
    return text;
}

// Loads the row into %v.
std::string load_code_of(const Given& given) {
    const std::string words = vector_of(given, "i32");
    const std::string mask = vector_of(given, "i1");
    if (given.flat)
        return fmt::format("  %far = zext {0} {1} to {2}\n"
                           "  %low.first = insertelement {2} poison, i64 %low, i64 0\n"
                           "  %low.all = shufflevector {2} %low.first, {2} poison, {0} zeroinitializer\n"
                           "  %at = add {2} %far, %low.all\n"
                           "  %ok = call i1 @visor.range_check.f({2} %at, {3} {4}, i32 0, i64 %low, i64 "
                           "%last, i32 0, i32 4)\n"
                           "  br i1 %ok, label %known, label %refused, !prof !1\n"
                           "refused:\n"
                           "  ret i32 1\n"
                           "known:\n"
                           "  %v = call {0} @visor.load.flat.f({2} %at, {3} {4}, i32 0, i32 0)\n",
                           words, given.places, vector_of(given, "i64"), mask, given.on);
    return fmt::format(
        "  %v = call {0} @visor.load.surface.s({0} {1}, {2} {3}, i32 0, ptr %data, i64 %bytes, "
        "i64 -1)\n",
        words, given.places, mask, given.on);
}

// acc = acc * 31 + (on ? what is loaded : 0), iteration after iteration.
std::string code_of(const Given& given) {
    const std::string words = vector_of(given, "i32");
    const std::string mask = vector_of(given, "i1");
    return row_code_of(given) + given.more + load_code_of(given) + given.after +
           fmt::format("  br label %next\n"
                       "next:\n"
                       "  %u = select {1} {2}, {0} %v, {0} zeroinitializer\n"
                       "  %by = mul {0} %acc, splat (i32 31)\n"
                       "  %acc1 = add {0} %by, %u\n"
                       "  %k1 = add i32 %k, 1\n"
                       "  %goes.on = icmp ult i32 %k1, %iterations\n"
                       "  br i1 %goes.on, label %loop, label %done\n"
                       "done:\n"
                       "  store {0} %acc1, ptr %out, align 4\n"
                       "  ret i32 0\n}}\n"
                       "!0 = !{{!\"branch_weights\", i32 1, i32 1000}}\n"
                       "!1 = !{{!\"branch_weights\", i32 1000, i32 1}}\n"
                       "!2 = !{{}}\n",
                       words, mask, given.on);
}

struct Ran {
    bool built = false; // reads lines
    bool refused = false;
    Lanes out{};
    std::vector<int64_t> prefetched; // lines, relative to the memory's begin, in order
};

Ran run(const Given& given, std::span<uint32_t> memory, const Lanes& begins, uint32_t iterations,
        bool expanded = true) {
    Assembled code;
    Ran ran;
    if (!code.parse(code_of(given)))
        return ran;
    buffer_lane_rows(code.function(), given.register_bits, given.eager);
    code.verify();
    for (const llvm::BasicBlock& block : code.function())
        ran.built = ran.built || block.getName().starts_with("refill");
    if (!expanded)
        return ran;
    if (given.records)
        log_prefetches(code.function(), code.function().getArg(6));
    lower_memory_intrinsics(code.function(), false, false);
    code.verify();
    code.link();
    std::array<uint64_t, 64> own{};
    ran.refused =
        code.linked<uint32_t(void*, uint32_t*, uint64_t, const uint32_t*, uint32_t, uint32_t*, void*)>()(
            own.data(), memory.data(), memory.size_bytes(), begins.data(), iterations, ran.out.data(),
            own.data()) != 0;
    const auto begin = static_cast<int64_t>(reinterpret_cast<uintptr_t>(memory.data()));
    for (size_t k = 1; given.records && k <= own.at(0); ++k)
        ran.prefetched.push_back(static_cast<int64_t>(own.at(k)) - begin);
    return ran;
}

bool is_built(const Given& given) {
    return run(given, {}, {}, 0, false).built;
}

// The same; `odd` as above.
Lanes summed(std::span<const uint32_t> memory, const Lanes& begins, uint32_t lanes, uint32_t iterations,
             bool odd = false) {
    Lanes all{};
    for (uint32_t k = 0; k < iterations; ++k)
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            const size_t word = begins[lane] / 4 + k;
            const bool on = !odd || k % 2 == 0 || lane % 2 != 0;
            all[lane] = all[lane] * 31 + (on && word < memory.size() ? memory[word] : 0);
        }
    return all;
}

Lanes rows(uint32_t lanes, uint32_t words, uint32_t first = 0) {
    Lanes begins{};
    for (uint32_t lane = 0; lane < lanes; ++lane)
        begins[lane] = first + lane * words * 4;
    return begins;
}

TEST(LinesAhead, LanesWalkTheirRows) {
    for (const bool flat : {false, true})
        for (const uint32_t lanes : {8U, 16U, 32U})
            for (const uint32_t iterations : {1U, 2U, 15U, 16U, 17U, 40U, 70U}) {
                const Guarded memory(lanes, 70);
                const Ran ran =
                    run({.lanes = lanes, .flat = flat}, memory.words(), rows(lanes, 70), iterations);
                EXPECT_TRUE(ran.built);
                EXPECT_FALSE(ran.refused);
                EXPECT_EQ(ran.out, summed(memory.words(), rows(lanes, 70), lanes, iterations))
                    << flat << ' ' << lanes << ' ' << iterations;
            }
}

TEST(LinesAhead, SoDoThoseWhosePlacesAreKnown) {
    for (const bool flat : {false, true})
        for (const uint32_t register_bits : {128U, 256U, 512U})
            for (const uint32_t lanes : {8U, 16U, 32U})
                for (const uint32_t iterations : {5U, 16U, 40U}) {
                    const Guarded memory(lanes * 16 + 40);
                    const Ran ran =
                        run({.lanes = lanes, .flat = flat, .register_bits = register_bits, .step = 64},
                            memory.words(), rows(lanes, 16), iterations);
                    EXPECT_TRUE(ran.built);
                    EXPECT_FALSE(ran.refused);
                    EXPECT_EQ(ran.out, summed(memory.words(), rows(lanes, 16), lanes, iterations))
                        << flat << ' ' << lanes << ' ' << register_bits;
                }
}

// Addresses of lanes' next lines are computed by hand: 64 bytes on, or after the last lane's where rows are a
// line each.
TEST(LinesAhead, EachTurnAsksForItsShareOfTheNextLines) {
    for (const bool flat : {false, true})
        for (const uint32_t lanes : {8U, 16U, 32U})
            for (const int step : {64, 100, 202, -100}) {
                const Given given{.lanes = lanes, .flat = flat, .step = step, .records = true};
                const Guarded memory(2000);
                std::vector<int64_t> lines;
                for (int lane = 0; lane < static_cast<int>(lanes); ++lane)
                    lines.push_back((step < 0 ? (lane + 1 - static_cast<int>(lanes)) * step : lane * step) +
                                    (step == 64 ? static_cast<int>(lanes) * 64 : 64));
                EXPECT_EQ(run(given, memory.words(), {}, 16).prefetched, lines)
                    << flat << lanes << ' ' << step;
                lines.resize(lanes == 8 ? 8 : lanes / 16); // few lanes prefetch when they load lines
                EXPECT_EQ(run(given, memory.words(), {}, 1).prefetched, lines)
                    << flat << lanes << ' ' << step;
            }
}

// Rows that begin anywhere, one like another, over each other.
TEST(LinesAhead, RowsMayLieAnywhere) {
    const Guarded memory(300);
    Lanes begins{};
    for (uint32_t lane = 0; lane < 16; ++lane)
        begins[lane] = lane * lane * 37 % 200 * 4;
    const Ran ran = run({}, memory.words(), begins, 60);
    EXPECT_EQ(ran.out, summed(memory.words(), begins, 16, 60));
}

// No line beyond the end of memory is read; reads outside of a surface give zero.
TEST(LinesAhead, NothingIsReadPastTheEnd) {
    for (const uint32_t words : {8U, 15U, 16U, 17U, 31U, 100U}) {
        const Guarded memory(words);
        const Ran ran = run({}, memory.words(), rows(16, 2), 70);
        EXPECT_EQ(ran.out, summed(memory.words(), rows(16, 2), 16, 70)) << words;
        const Ran known = run({.step = 64}, memory.words(), rows(16, 16), 70);
        EXPECT_EQ(known.out, summed(memory.words(), rows(16, 16), 16, 70)) << words;
    }
    const Guarded memory(16, 20);
    EXPECT_FALSE(run({.flat = true}, memory.words(), rows(16, 20), 20).refused);
    EXPECT_TRUE(run({.flat = true}, memory.words(), rows(16, 20), 21).refused);
}

// Lanes that were inactive when lines were loaded have none; inactive lanes may have any address.
TEST(LinesAhead, LanesGoOnAndOff) {
    for (const bool flat : {false, true})
        for (const bool eager : {false, true}) {
            const Guarded memory(16, 50);
            const Ran ran =
                run({.flat = flat, .on = "%odd", .eager = eager}, memory.words(), rows(16, 50), 50);
            EXPECT_TRUE(ran.built);
            EXPECT_EQ(ran.out, summed(memory.words(), rows(16, 50), 16, 50, true)) << flat << eager;
        }
}

// A lane that repeats an address loads again, never from the buffer.
TEST(LinesAhead, OtherWalksAreAsBefore) {
    const Guarded memory(16, 50);
    const Lanes begins = rows(16, 50);
    EXPECT_FALSE(is_built({.places = "%begin"}));
    const Ran same = run({.places = "%begin", .eager = true}, memory.words(), begins, 40);
    EXPECT_TRUE(same.built);
    for (uint32_t lane = 0; lane < 16; ++lane) {
        uint32_t expected = 0;
        for (uint32_t k = 0; k < 40; ++k)
            expected = expected * 31 + memory.words()[begins[lane] / 4];
        EXPECT_EQ(same.out[lane], expected);
    }
    EXPECT_FALSE(is_built({.places = "%back"}));
    Lanes ends = begins;
    for (uint32_t lane = 0; lane < 16; ++lane)
        ends[lane] += 49 * 4;
    const Ran back = run({.places = "%back", .eager = true}, memory.words(), ends, 40);
    for (uint32_t lane = 0; lane < 16; ++lane) {
        uint32_t expected = 0;
        for (uint32_t k = 0; k < 40; ++k)
            expected = expected * 31 + memory.words()[ends[lane] / 4 - k];
        EXPECT_EQ(back.out[lane], expected);
    }
}

// Iteration 5 stores what iteration 6 reads.
TEST(LinesAhead, WhatWasWrittenMeanwhileIsSeen) {
    const Guarded memory(16, 50);
    const Ran ran = run({.seldom = "  %p = getelementptr i8, ptr %data, i64 24\n"
                                   "  store i32 12345, ptr %p, align 4\n"},
                        memory.words(), rows(16, 50), 30);
    EXPECT_TRUE(ran.built);
    EXPECT_EQ(memory.words()[6], 12345U);
    EXPECT_EQ(ran.out, summed(memory.words(), rows(16, 50), 16, 30));
}

// Each iteration loads its word of each row, and then lane by lane stores lane + 100 times its number where
// the row's word lies, and `distance` bytes on.
struct Stored {
    Lanes sums{};
    std::vector<uint32_t> memory;
};
Stored stored(std::span<const uint32_t> memory, uint32_t lanes, uint32_t words, uint32_t iterations,
              int distance) {
    Stored all{.sums = {}, .memory = {memory.begin(), memory.end()}};
    for (uint32_t k = 0; k < iterations; ++k) {
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            const size_t word = lane * words + k;
            all.sums[lane] = all.sums[lane] * 31 + (word < memory.size() ? all.memory[word] : 0);
        }
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            const int64_t word = int64_t{lane} * words + k + distance / 4;
            if (word >= 0 && word < static_cast<int64_t>(memory.size()))
                all.memory[static_cast<size_t>(word)] = lane + 100 * k;
        }
    }
    return all;
}

std::string store_of(const Given& given, int distance, const char* data) {
    const std::string words = vector_of(given, "i32");
    return fmt::format(
        "  %hundred = mul {0} %iteration, splat (i32 100)\n"
        "  %stored = add {0} %hundred, {1}\n"
        "  %target = add {0} %row, splat (i32 {2})\n"
        "  call void @visor.store.surface.s({0} %target, {3} %all, i32 0, ptr {4}, i64 %bytes, i64 -1, {0} "
        "%stored)\n",
        words, numbers(given.lanes, 1), distance, vector_of(given, "i1"), data);
}

TEST(LinesAhead, LoopsThatMayWriteAreLeftAlone) {
    EXPECT_TRUE(is_built({}));
    EXPECT_FALSE(is_built({.more = "  store i32 1, ptr %data, align 4\n"}));
    EXPECT_FALSE(is_built({.more = "  fence seq_cst\n"}));
    EXPECT_FALSE(is_built({.seldom = "  fence syncscope(\"singlethread\") seq_cst\n"}));
    EXPECT_FALSE(is_built({.more = "  %x = atomicrmw add ptr %data, i32 1 monotonic\n"}));
    EXPECT_FALSE(is_built({.seldom = "  %x = atomicrmw add ptr %data, i32 1 monotonic\n"}));
    EXPECT_FALSE(is_built({.more = "  %g = load ptr, ptr %own, align 8\n  call void %g()\n"}));
    EXPECT_TRUE(is_built({.seldom = "  %g = load ptr, ptr %own, align 8\n  call void %g()\n"}));
    const std::string store =
        "  call void @visor.store.surface.s(<16 x i32> %row, <16 x i1> %all, i32 0, ptr %own, i64 "
        "%bytes, i64 -1, <16 x i32> %row)";
    EXPECT_TRUE(is_built({.more = (store + "\n").c_str()}));  // may be known to lie elsewhere
    const Given into_rows{.after = store_of({}, 0, "%data")}; // nothing is known of the lanes' rows
    EXPECT_FALSE(is_built(into_rows));
    EXPECT_TRUE(is_built({.more = (store + ", !visor.scratch !2\n").c_str()}));
}

// What the machine keeps of a thread is no kernel's memory.
TEST(LinesAhead, TheMachinesOwnMemoryIsNotTheKernels) {
    EXPECT_TRUE(is_built({.more = "  store i32 1, ptr %state, align 4\n"}));
    EXPECT_TRUE(is_built({.more = "  %r = load ptr, ptr %state, align 8\n"
                                  "  %q = getelementptr i8, ptr %r, i32 %k\n"
                                  "  store i32 1, ptr %q, align 4\n"}));
    EXPECT_FALSE(is_built({.more = "  %r = load ptr, ptr %state, align 8\n"
                                   "  %q = load ptr, ptr %r, align 8\n"
                                   "  store i32 1, ptr %q, align 4\n"}));
    EXPECT_FALSE(is_built({.more = "  %q = inttoptr i64 %low to ptr\n"
                                   "  store i32 1, ptr %q, align 4\n"}));
}

// What a lane stores is seen by whoever loads it later: behind it, in its line, in other lanes' lines.
TEST(LinesAhead, StoresIntoTheRowsAreSeen) {
    for (const uint32_t lanes : {8U, 16U})
        for (const uint32_t words : {16U, 48U, 100U})
            for (const int distance : {-192, -68, -64, -60, -4, 0, 4, 60, 64, 192, 400}) {
                Given given{.lanes = lanes, .register_bits = words == 48 ? 512U : 256U};
                given.step = static_cast<int>(words * 4);
                given.after = store_of(given, distance, "%data");
                const Guarded memory(lanes * words + 60);
                const Stored expected = stored(memory.words(), lanes, words, 40, distance);
                const Ran ran = run(given, memory.words(), {}, 40);
                EXPECT_TRUE(ran.built);
                EXPECT_EQ(ran.out, expected.sums) << lanes << ' ' << words << ' ' << distance;
                EXPECT_TRUE(std::ranges::equal(memory.words(), expected.memory)) << distance;
            }
}

TEST(LinesAhead, FlatStoresIntoTheRowsAreSeen) {
    for (const uint32_t words : {16U, 100U}) {
        Given given{.flat = true, .register_bits = 256, .step = static_cast<int>(words * 4)};
        given.after =
            "  %hundred = mul <16 x i32> %iteration, splat (i32 100)\n"
            "  %stored = add <16 x i32> %hundred, " +
            numbers(16, 1) +
            "\n  call void @visor.store.flat.f(<16 x i64> %at, <16 x i1> %all, i32 0, i32 0, <16 x i32> "
            "%stored)\n";
        const Guarded memory(16 * words + 60);
        const Stored expected = stored(memory.words(), 16, words, 40, 0);
        const Ran ran = run(given, memory.words(), {}, 40);
        EXPECT_TRUE(ran.built);
        EXPECT_EQ(ran.out, expected.sums) << words;
        EXPECT_TRUE(std::ranges::equal(memory.words(), expected.memory));
    }
}

// Another surface may be the same memory, or begin anywhere in it.
TEST(LinesAhead, StoresToASurfaceThatIsTheSameMemoryAreSeen) {
    for (const int distance : {-4, 0, 4, 100})
        for (const int step : {0, 400}) {
            Given given{.register_bits = 256, .step = step};
            given.after = fmt::format("  %other = getelementptr i8, ptr %data, i64 {}\n", distance) +
                          store_of(given, 0, "%other");
            const Guarded memory(16 * 100 + 100); // the other surface ends as many bytes later
            std::ranges::fill(memory.words().last(100), 0);
            const Stored expected = stored(memory.words().first(1600), 16, 100, 40, distance);
            const Ran ran = run(given, memory.words().first(1600), rows(16, 100), 40);
            EXPECT_TRUE(ran.built);
            EXPECT_EQ(ran.out, expected.sums) << distance << ' ' << step;
        }
}

// Rows of lanes that lie side by side are loaded better otherwise.
TEST(LinesAhead, NearLanesAreLeftAlone) {
    Assembled code;
    std::string text = code_of({.step = 64});
    const std::string far = numbers(16, 64);
    text.replace(text.find(far), far.size(), numbers(16, 4));
    ASSERT_TRUE(code.parse(text));
    buffer_lane_rows(code.function(), 512);
    for (const llvm::BasicBlock& block : code.function())
        EXPECT_FALSE(block.getName().starts_with("refill"));
}

} // namespace
} // namespace visor::jit
