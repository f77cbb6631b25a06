// Indirect results under predicates. Expected numbers follow from the kernel.
#include "launched.h"

#include <array>

namespace visor::vm {
namespace {

// V is 1 in all lanes, 2 in lane 3 by way of an address, then half of it. A1 leads out of V; it is used by
// the lanes where N is 77 alone.
constexpr const char* kernel = R"(.version 4.1
.kernel "indirect"
.decl TO v_type=G type=uq num_elts=1 align=GRF
.decl N v_type=G type=ud num_elts=1 align=GRF
.decl V v_type=G type=f num_elts=8 align=GRF
.decl A0 v_type=A num_elts=1
.decl A1 v_type=A num_elts=1
.decl P1 v_type=P num_elts=8
.decl P2 v_type=P num_elts=8
.decl P3 v_type=P num_elts=8
.input TO offset=64 size=8
.input N offset=96 size=4
.kernel_attr SimdSize=8

    mov (M1_NM, 8) V(0,0)<1> 0x3f800000:f
    addr_add (M1_NM, 1) A0(0)<1> &V 0x0:uw
    addr_add (M1_NM, 1) A1(0)<1> &V 0x7000:uw
    setp (M1_NM, 8) P1 0x8:ud
    (P1) mov (M1, 8) r[A0(0),0]<1>:f 0x40000000:f
    setp (M1_NM, 8) P2 0x0:ud
    (P2) mov (M1, 8) r[A1(0),0]<1>:f 0x40000000:f
    cmp.eq (M1_NM, 8) P3 N(0,0)<0;1,0> 0x4d:ud
    (P3) add (M1, 8) r[A1(0),0]<1>:f V(0,0)<1;1,0> 0x40000000:f
    mul (M1_NM, 8) V(0,0)<1> V(0,0)<1;1,0> 0x3f000000:f
    svm_block_st (2) TO(0,0)<0;1,0> V.0
    ret (M1, 1)
)";

class Indirect : public ::testing::TestWithParam<EngineKind> {
protected:
    RunReport run(uint32_t n) {
        RunSettings settings;
        settings.engine = GetParam();
        return launched(context_, *program_, {{"TO", bytes(to_.address)}, {"N", bytes(n)}}, {1, 1, 1}, 1,
                        settings);
    }

    Context context_{*isa::device_named("skl")};
    std::shared_ptr<const Program> program_ = loaded(context_, kernel);
    launch::Buffer to_ = context_.allocate(32, "to").value();
};

// The interpreter executes nothing for the JIT: neither where no lane is active, nor the arithmetic behind a
// result that is somewhere in V.
TEST_P(Indirect, AddressesOfInactiveLanesMayBeAnything) {
    const RunReport report = run(1);
    EXPECT_FALSE(report.error);
    EXPECT_EQ(report.engine_story.find("left to the interpreter"), std::string::npos) << report.engine_story;
    std::array<float, 8> out{};
    std::memcpy(out.data(), context_.bytes_of(to_).data(), sizeof out);
    EXPECT_EQ(out, (std::array<float, 8>{0.5F, 0.5F, 0.5F, 1.0F, 0.5F, 0.5F, 0.5F, 0.5F}));
}

TEST_P(Indirect, AnActiveLaneOutsideFaults) {
    const RunReport report = run(77);
    EXPECT_EQ(report.fault.kind, machine::FaultKind::bad_register);
}

INSTANTIATE_TEST_SUITE_P(Engines, Indirect, ::testing::Values(EngineKind::interpreter, EngineKind::jit));

} // namespace
} // namespace visor::vm
