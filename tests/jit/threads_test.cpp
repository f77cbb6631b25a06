// The JIT on many CPU threads: contexts of their own at the same time, and global atomics of one launch.
// Under the thread sanitizer it looks at the engine, not at generated code, which has no marks for it: of
// atomics it is the results that are looked at.
#include "vm/vm.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

namespace visor::vm {
namespace {

constexpr uint32_t lanes = 16;

std::string head(const char* name) {
    return fmt::format(".version 4.1\n.kernel \"{}\"\n"
                       ".decl BASE v_type=G type=uq num_elts=1 align=GRF\n"
                       ".decl PLACES v_type=G type=uq num_elts=1 align=GRF\n"
                       ".decl A v_type=G type=uq num_elts=16 align=GRF\n"
                       ".decl B v_type=G type=uq num_elts=16 align=GRF\n"
                       ".decl X v_type=G type=ud num_elts=16 align=GRF\n"
                       ".decl Y v_type=G type=ud num_elts=16 align=GRF\n"
                       ".decl N v_type=G type=ud num_elts=16 align=GRF\n"
                       ".decl LANE v_type=G type=uw num_elts=16 align=GRF\n"
                       ".decl P1 v_type=P num_elts=16\n"
                       ".input BASE offset=64 size=8\n.input PLACES offset=128 size=8\n"
                       ".input LANE offset=192 size=32\n.kernel_attr SimdSize=16\n\n",
                       name);
}

struct Session {
    explicit Session(const char* device) : context(*isa::device_named(device)) {}

    void load(const std::string& text, const char* device) {
        LoadOptions options;
        options.device = device;
        std::string warnings;
        auto loaded = context.load("threads.visaasm", text, options, warnings);
        ASSERT_TRUE(loaded) << loaded.error().text;
        program = std::move(*loaded);
    }
    launch::Buffer buffer(uint64_t dwords) {
        const auto made = context.allocate(4 * dwords, "b").value();
        std::ranges::fill(context.bytes_of(made), std::byte{0});
        return made;
    }
    [[nodiscard]] std::vector<uint32_t> dwords(const launch::Buffer& from) {
        std::vector<uint32_t> out(from.bytes / 4);
        std::memcpy(out.data(), context.bytes_of(from).data(), from.bytes);
        return out;
    }
    // "" or what went wrong.
    std::string run(const launch::Buffer& base, const launch::Buffer& places, uint32_t groups,
                    uint32_t workers) {
        const std::vector<launch::HandInput> inputs{
            {"BASE", base}, {"PLACES", places}, {"LANE", launch::InputFiller{machine::Filler::lane}}};
        RunSettings settings;
        settings.engine = EngineKind::jit;
        settings.options.workers = workers;
        launch::HandGeometry geometry;
        geometry.in_threads = true;
        geometry.groups = {groups, 1, 1};
        const auto report = context.run(*program, "", inputs, {}, geometry, settings);
        if (!report)
            return report.error().text;
        if (report->error)
            return report->error->text;
        rose = report->engine_story.find("faster code since") != std::string::npos;
        return report->native ? "" : "not the JIT: " + report->engine_story;
    }

    Context context;
    std::shared_ptr<const Program> program;
    bool rose = false; // in a run so far: to better code than it began with
};

// Each item adds 1 to a counter and notes at the place that it got that it was there; then come the greatest
// and the least of the items' numbers, and a bit for each lane.
std::string counting() {
    return head("counting") + R"(
    mul (M1_NM, 16) N(0,0)<1> %group_id_x(0,0)<0;1,0> 0x10:ud
    add (M1_NM, 16) N(0,0)<1> N(0,0)<1;1,0> LANE(0,0)<1;1,0>
    mov (M1_NM, 16) A(0,0)<1> BASE(0,0)<0;1,0>
    mov (M1, 16) Y(0,0)<1> 0x1:ud
    svm_atomic.inc (M1, 8) A.0 X.0 %null.0 %null.0
    svm_atomic.add (M3, 8) A.64 X.32 Y.32 %null.0
    shl (M1, 16) B(0,0)<1> X(0,0)<1;1,0> 0x2:ud
    add (M1, 16) B(0,0)<1> B(0,0)<1;1,0> PLACES(0,0)<0;1,0>
    svm_atomic.add (M1, 8) B.0 %null.0 Y.0 %null.0
    svm_atomic.add (M3, 8) B.64 %null.0 Y.32 %null.0
    add (M1, 16) A(0,0)<1> A(0,0)<1;1,0> 0x4:ud
    svm_atomic.max (M1, 8) A.0 %null.0 N.0 %null.0
    svm_atomic.max (M3, 8) A.64 %null.0 N.32 %null.0
    add (M1, 16) A(0,0)<1> A(0,0)<1;1,0> 0x4:ud
    not (M1, 16) N(0,0)<1> N(0,0)<1;1,0>
    svm_atomic.max (M1, 8) A.0 %null.0 N.0 %null.0
    svm_atomic.max (M3, 8) A.64 %null.0 N.32 %null.0
    add (M1, 16) A(0,0)<1> A(0,0)<1;1,0> 0x4:ud
    shl (M1, 16) Y(0,0)<1> Y(0,0)<1;1,0> LANE(0,0)<1;1,0>
    svm_atomic.or (M1, 8) A.0 %null.0 Y.0 %null.0
    svm_atomic.or (M3, 8) A.64 %null.0 Y.32 %null.0
    ret (M1, 1)
)";
}

TEST(JitThreads, AtomicsOfAllWorkersCount) {
    constexpr uint32_t groups = 512;
    constexpr uint32_t items = groups * lanes;
    Session session("skl");
    ASSERT_NO_FATAL_FAILURE(session.load(counting(), "skl"));
    for (int round = 0; round < 4; ++round) {
        const launch::Buffer base = session.buffer(4);
        const launch::Buffer places = session.buffer(items);
        ASSERT_EQ(session.run(base, places, groups, 8), "");
        const std::vector<uint32_t> want{items, items - 1, UINT32_MAX, 0xffff};
        EXPECT_EQ(session.dwords(base), want);
        EXPECT_EQ(session.dwords(places), std::vector<uint32_t>(items, 1)) << "every place is got once";
    }
}

// Compare and exchange in a loop: each lane adds its number and one when nobody came in between.
std::string exchanging() {
    return head("exchanging") + R"(
    mov (M1_NM, 16) A(0,0)<1> BASE(0,0)<0;1,0>
    mov (M1, 16) Y(0,0)<1> 0x0:ud
again:
    add (M1, 16) N(0,0)<1> Y(0,0)<1;1,0> LANE(0,0)<1;1,0>
    add (M1, 16) N(0,0)<1> N(0,0)<1;1,0> 0x1:ud
    svm_atomic.cmpxchg (M1, 8) A.0 X.0 N.0 Y.0
    svm_atomic.cmpxchg (M3, 8) A.64 X.32 N.32 Y.32
    cmp.ne (M1, 16) P1 X(0,0)<1;1,0> Y(0,0)<1;1,0>
    mov (M1, 16) Y(0,0)<1> X(0,0)<1;1,0>
    (P1) goto (M1, 16) again
    ret (M1, 1)
)";
}

TEST(JitThreads, ExchangesLoseNothing) {
    constexpr uint32_t groups = 64;
    Session session("skl");
    ASSERT_NO_FATAL_FAILURE(session.load(exchanging(), "skl"));
    const launch::Buffer base = session.buffer(1);
    ASSERT_EQ(session.run(base, base, groups, 8), "");
    EXPECT_EQ(session.dwords(base).front(), groups * (lanes * (lanes + 1) / 2));
}

// 3 * (group + lane), `rounds` times over. `mark`: of a text that no cache knows yet.
std::string working(uint32_t mark = 0) {
    return head("working") + fmt::format("    mov (M1, 16) X(0,0)<1> {:#x}:ud\n", mark) + R"(
    add (M1_NM, 16) N(0,0)<1> %group_id_x(0,0)<0;1,0> LANE(0,0)<1;1,0>
    mov (M1, 16) X(0,0)<1> 0x0:ud
    mov (M1, 16) Y(0,0)<1> 0x0:ud
again:
    mad (M1, 16) X(0,0)<1> N(0,0)<1;1,0> 0x3:ud X(0,0)<1;1,0>
    add (M1, 16) Y(0,0)<1> Y(0,0)<1;1,0> 0x1:ud
    cmp.lt (M1, 16) P1 Y(0,0)<1;1,0> LANE(0,0)<1;1,0>
    (P1) goto (M1, 16) again
    mul (M1_NM, 16) A(0,0)<1> %group_id_x(0,0)<0;1,0> 0x40:ud
    shl (M1_NM, 16) B(0,0)<1> LANE(0,0)<1;1,0> 0x2:ud
    add (M1_NM, 16) A(0,0)<1> A(0,0)<1;1,0> B(0,0)<1;1,0>
    add (M1_NM, 16) A(0,0)<1> A(0,0)<1;1,0> BASE(0,0)<0;1,0>
    svm_scatter.4.1 (M1, 16) A.0 X.0
    ret (M1, 1)
)";
}

std::string work(const char* device, uint32_t number) {
    Session session(device);
    session.load(working(), device);
    if (session.program == nullptr)
        return "not loaded";
    for (uint32_t round = 0; round < 6; ++round) {
        const uint32_t groups = 8 + number;
        const launch::Buffer base = session.buffer(uint64_t{groups} * lanes);
        std::string problem = session.run(base, base, groups, 1 + round % 3);
        if (!problem.empty())
            return problem;
        const auto found = session.dwords(base);
        for (uint32_t i = 0; i < found.size(); ++i) {
            const uint32_t lane = i % lanes;
            if (found[i] != 3 * (i / lanes + lane) * std::max(1U, lane))
                return fmt::format("context {}: item {} is {}", number, i, found[i]);
        }
    }
    return "";
}

// Four workers go over to better code while they run, each between groups of its own.
TEST(JitThreads, WorkersGoOverToBetterCode) {
    constexpr uint32_t groups = 40'000;
    Session session("skl");
    const auto now = std::chrono::steady_clock::now();
    const auto mark = static_cast<uint32_t>(now.time_since_epoch().count());
    ASSERT_NO_FATAL_FAILURE(session.load(working(mark), "skl"));
    const launch::Buffer base = session.buffer(uint64_t{groups} * lanes);
    for (int after = 0; after < 3;) { // launches that began with the better code
        ASSERT_LT(std::chrono::steady_clock::now() - now, std::chrono::seconds(120));
        after += session.rose ? 1 : 0;
        std::ranges::fill(session.context.bytes_of(base), std::byte{0});
        ASSERT_EQ(session.run(base, base, groups, 4), "");
        const auto found = session.dwords(base);
        for (uint32_t i = 0; i < found.size(); ++i) {
            const uint32_t lane = i % lanes;
            ASSERT_EQ(found[i], 3 * (i / lanes + lane) * std::max(1U, lane)) << "item " << i;
        }
    }
}

TEST(JitThreads, EightContextsAtOnce) {
    constexpr std::array devices{"skl", "pvc", "skl", "icllp", "tgllp", "dg2", "pvc", "skl"};
    std::array<std::string, devices.size()> problems;
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < devices.size(); ++i)
        threads.emplace_back([&, i] { problems.at(i) = work(devices.at(i), i); });
    for (std::thread& thread : threads)
        thread.join();
    for (const std::string& problem : problems)
        EXPECT_EQ(problem, "");
}

} // namespace
} // namespace visor::vm
