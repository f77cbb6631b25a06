// What a thread keeps while it waits at a barrier, lanes that are parked included. Expected numbers follow
// from the kernels below.
#include "launched.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

namespace visor::vm {
namespace {

constexpr uint32_t lanes = 16;

constexpr const char* head = R"(.version 4.1
.kernel "barriers"
.decl TO v_type=G type=uq num_elts=1 align=GRF
.decl LANE v_type=G type=uw num_elts=16 align=GRF
.decl A v_type=G type=uq num_elts=16 align=GRF
.decl V v_type=G type=d num_elts=16 align=GRF
.decl X v_type=G type=d num_elts=16 align=GRF
.decl U v_type=G type=uw num_elts=16 align=GRF
.decl W v_type=G type=uw num_elts=16 align=GRF
.decl P1 v_type=P num_elts=16
.decl P2 v_type=P num_elts=32
.decl A0 v_type=A num_elts=16
.input TO offset=64 size=8
.input LANE offset=96 size=32
.kernel_attr SimdSize=16
.kernel_attr SLMSize=1
.kernel_attr NBarrierCnt=1

    add (M1, 16) V(0,0)<1> LANE(0,0)<1;1,0> 0x64:w
    shl (M1, 16) U(0,0)<1> LANE(0,0)<1;1,0> 0x2:uw
    add (M1, 16) W(0,0)<1> (-)U(0,0)<1;1,0> 0x3c:uw
    mov (M1, 16) X(0,0)<1> 0x7:d
    cmp.lt (M1, 16) P1 LANE(0,0)<1;1,0> 0x8:uw
)";
constexpr const char* tail = R"(
    shl (M1, 16) A(0,0)<1> LANE(0,0)<1;1,0> 0x2:uw
    add (M1, 16) A(0,0)<1> A(0,0)<1;1,0> TO(0,0)<0;1,0>
    svm_scatter.4.1 (M1, 8) A.0 X.0
    svm_scatter.4.1 (M3, 8) A.64 X.32
    ret (M1, 1)
)";

// By lane, of three threads that all write the same.
std::array<uint32_t, lanes> result(const std::string& code, EngineKind engine) {
    Context context(*isa::device_named("skl"));
    const launch::Buffer to = context.allocate(uint64_t{4} * lanes, "to").value();
    RunSettings settings;
    settings.engine = engine;
    const RunReport report =
        launched(context, *loaded(context, head + code + tail),
                 {{"TO", to}, {"LANE", launch::InputFiller{machine::Filler::lane}}}, {5, 1, 1}, 3, settings);
    EXPECT_FALSE(report.error) << report.error->text;
    std::array<uint32_t, lanes> out{};
    std::memcpy(out.data(), context.bytes_of(to).data(), sizeof out);
    return out;
}

class Barriers : public ::testing::TestWithParam<EngineKind> {};

// Lanes below 8 wait at L with their addresses while the others set and use theirs.
TEST_P(Barriers, AddressesOfLanesThatWaitAreKept) {
    const auto values = result(R"(
    addr_add (M1, 16) A0(0)<16> &V U(0,0)<1;1,0>
    barrier
    (P1) goto (M1, 16) L
    addr_add (M1, 16) A0(0)<16> &V W(0,0)<1;1,0>
    barrier
    mov (M1, 16) X(0,0)<1> r[A0(0),0]<1,0>:d
    barrier
L:
    barrier
    add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> r[A0(0),0]<1,0>:d
)",
                               GetParam());
    for (uint32_t lane = 0; lane < lanes; ++lane)
        EXPECT_EQ(values[lane], lane < 8 ? 7 + 100 + lane : 2 * (115 - lane)) << lane;
}

// The same elements in both halves of a branch, each with a barrier of its own.
TEST_P(Barriers, AddressesOfBothSidesOfABranch) {
    const auto values = result(R"(
    barrier
    (P1) goto (M1, 16) L
    addr_add (M1, 16) A0(0)<16> &V W(0,0)<1;1,0>
    mov (M1, 16) X(0,0)<1> r[A0(0),0]<1,0>:d
    barrier
    goto (M1, 16) M
L:
    addr_add (M1, 16) A0(0)<16> &V U(0,0)<1;1,0>
    barrier
    mov (M1, 16) X(0,0)<1> r[A0(0),0]<1,0>:d
M:
)",
                               GetParam());
    for (uint32_t lane = 0; lane < lanes; ++lane)
        EXPECT_EQ(values[lane], lane < 8 ? 100 + lane : 115 - lane) << lane;
}

// Bits 16 to 31 of a predicate in a kernel of 16 lanes.
TEST_P(Barriers, TheUpperHalfOfAPredicateIsKept) {
    const auto values = result(R"(
    setp (M1_NM, 32) P2 0x12345678:ud
    barrier
    setp (M1_NM, 16) P2 0xabcd:ud
    barrier
    mov (M1_NM, 1) V(0,0)<1> P2
    mov (M1, 16) X(0,0)<1> V(0,0)<0;1,0>
)",
                               GetParam());
    EXPECT_EQ(values[0], 0x1234abcdU);
    EXPECT_EQ(values[15], 0x1234abcdU);
}

INSTANTIATE_TEST_SUITE_P(Jit, Barriers, ::testing::Values(EngineKind::interpreter, EngineKind::jit),
                         [](const auto& engine) {
                             return engine.param == EngineKind::jit ? "jit" : "interp";
                         });

} // namespace
} // namespace visor::vm
