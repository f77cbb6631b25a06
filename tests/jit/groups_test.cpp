// Groups that generated code goes on with by itself: what each has done, where one faults or comes to the end
// of its fuel, and what has been counted until then. Expected numbers follow from the kernels below.
#include "launched.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace visor::vm {
namespace {

constexpr std::array<uint32_t, 3> groups{70, 3, 2}; // more in a row than the code takes at once
constexpr uint32_t all_groups = 420;
constexpr uint32_t threads = 3;
constexpr uint32_t adds = threads * 16; // to each group's place

// Each lane adds one to its group's place; before that, `meets` in lanes of group (37, 1, 0).
std::string kernel(const std::string& meets) {
    return R"(.version 4.1
.kernel "groups"
.decl PLACES v_type=G type=uq num_elts=1 align=GRF
.decl A v_type=G type=uq num_elts=16 align=GRF
.decl N v_type=G type=ud num_elts=16 align=GRF
.decl Y v_type=G type=ud num_elts=16 align=GRF
.decl P1 v_type=P num_elts=16
.input PLACES offset=64 size=8
.kernel_attr SimdSize=16

    mul (M1_NM, 16) N(0,0)<1> %group_id_z(0,0)<0;1,0> 0x3:ud
    add (M1_NM, 16) N(0,0)<1> N(0,0)<1;1,0> %group_id_y(0,0)<0;1,0>
    mul (M1_NM, 16) N(0,0)<1> N(0,0)<1;1,0> 0x46:ud
    add (M1_NM, 16) N(0,0)<1> N(0,0)<1;1,0> %group_id_x(0,0)<0;1,0>
    cmp.eq (M1_NM, 16) P1 N(0,0)<1;1,0> 0x6b:ud
    shl (M1_NM, 16) N(0,0)<1> N(0,0)<1;1,0> 0x2:ud
    add (M1_NM, 16) A(0,0)<1> N(0,0)<1;1,0> PLACES(0,0)<0;1,0>
    mov (M1_NM, 16) Y(0,0)<1> 0x1:ud
)" + meets +
           R"(
    svm_atomic.add (M1, 8) A.0 %null.0 Y.0 %null.0
    svm_atomic.add (M3, 8) A.64 %null.0 Y.32 %null.0
    ret (M1, 1)
)";
}
constexpr uint32_t chosen = 107; // 0x6b: (37, 1, 0)

class Groups : public ::testing::TestWithParam<uint32_t> {
protected:
    Groups()
        : context_(*isa::device_named("skl")),
          places_(context_.allocate(uint64_t{4} * all_groups, "p").value()) {
        std::ranges::fill(context_.bytes_of(places_), std::byte{0});
    }

    RunReport run(const std::string& text, machine::RunOptions options) {
        RunSettings settings;
        settings.engine = EngineKind::jit;
        settings.options = options;
        settings.options.workers = GetParam();
        return launched(context_, *loaded(context_, text), {{"PLACES", places_}}, groups, threads, settings);
    }
    [[nodiscard]] std::vector<uint32_t> places() {
        std::vector<uint32_t> out(all_groups);
        std::memcpy(out.data(), context_.bytes_of(places_).data(), 4 * out.size());
        return out;
    }

private:
    Context context_;
    launch::Buffer places_;
};

constexpr uint64_t by_thread = 11; // instructions

TEST_P(Groups, EachRunsOnce) {
    const RunReport report = run(kernel(""), {});
    EXPECT_FALSE(report.error);
    EXPECT_EQ(places(), std::vector<uint32_t>(all_groups, adds));
    EXPECT_EQ(report.work_groups, all_groups);
    EXPECT_EQ(report.instructions, by_thread * threads * all_groups);
}

TEST_P(Groups, ARangeFromTheMiddleOfARow) {
    machine::RunOptions options;
    options.first_group = 60; // the end of a row, all of the next, and one of the third
    options.group_count = 81;
    const RunReport report = run(kernel(""), options);
    std::vector<uint32_t> want(all_groups, 0);
    std::fill_n(want.begin() + 60, 81, adds);
    EXPECT_EQ(places(), want);
    EXPECT_EQ(report.work_groups, 81U);
    EXPECT_EQ(report.instructions, by_thread * threads * 81);
}

// Threads of a group meet before they add; their group has shared local memory.
const std::string meets = "    barrier\n";
std::string with_memory(std::string text) {
    const std::string attribute = ".kernel_attr SimdSize=16\n";
    return text.insert(text.find(attribute), ".kernel_attr SLMSize=1\n.kernel_attr NBarrierCnt=1\n");
}

TEST_P(Groups, ThatMeetRunOnce) {
    const RunReport report = run(with_memory(kernel(meets)), {});
    EXPECT_FALSE(report.error);
    EXPECT_EQ(places(), std::vector<uint32_t>(all_groups, adds));
    EXPECT_EQ(report.work_groups, all_groups);
    EXPECT_EQ(report.instructions, (by_thread + 1) * threads * all_groups);
}

TEST_P(Groups, OneFaultsWhereItsThreadsHaveMet) {
    const RunReport report =
        run(with_memory(kernel(meets + "    (P1) mov (M1_NM, 16) A(0,0)<1> 0x10:uq\n" + meets)), {});
    EXPECT_EQ(report.fault.kind, machine::FaultKind::out_of_bounds);
    EXPECT_EQ(report.fault.group, (std::array<uint32_t, 3>{37, 1, 0}));
    EXPECT_EQ(places()[chosen], 0U);
    if (GetParam() != 1)
        return;
    EXPECT_EQ(report.work_groups, chosen);
    std::vector<uint32_t> want(all_groups, 0);
    std::fill_n(want.begin(), chosen, adds);
    EXPECT_EQ(places(), want);
}

// Its lanes' addresses are nobody's.
TEST_P(Groups, OneFaults) {
    const RunReport report = run(kernel("    (P1) mov (M1_NM, 16) A(0,0)<1> 0x10:uq\n"), {});
    EXPECT_EQ(report.fault.kind, machine::FaultKind::out_of_bounds);
    EXPECT_EQ(report.fault.group, (std::array<uint32_t, 3>{37, 1, 0}));
    EXPECT_EQ(report.fault.thread, 0U);
    const std::vector<uint32_t> seen = places();
    EXPECT_EQ(seen[chosen], 0U);
    if (GetParam() != 1)
        return;
    EXPECT_EQ(report.work_groups, chosen);
    std::vector<uint32_t> want(all_groups, 0);
    std::fill_n(want.begin(), chosen, adds);
    EXPECT_EQ(seen, want);
}

TEST_P(Groups, OneSpendsItsFuel) {
    machine::RunOptions options;
    options.fuel = 1000;
    const RunReport report = run(kernel("again:\n    (P1) goto (M1, 16) again\n"), options);
    EXPECT_EQ(report.fault.kind, machine::FaultKind::fuel);
    EXPECT_EQ(report.fault.group, (std::array<uint32_t, 3>{37, 1, 0}));
    if (GetParam() != 1)
        return;
    EXPECT_EQ(report.work_groups, chosen);
    // The branch is one more; in the group's first thread it was the last thousandth one or the next.
    EXPECT_NEAR(static_cast<double>(report.instructions), (by_thread + 1) * threads * chosen + 1000, 1);
    std::vector<uint32_t> want(all_groups, 0);
    std::fill_n(want.begin(), chosen, adds);
    EXPECT_EQ(places(), want);
}

INSTANTIATE_TEST_SUITE_P(Workers, Groups, ::testing::Values(1U, 3U));

} // namespace
} // namespace visor::vm
