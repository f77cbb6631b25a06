// Launches of one kernel one after the other, which begin with the threads that the last one left: what it
// wrote there, or knew of memory, must be gone. Expected numbers follow from the kernel.
#include "launched.h"

#include <array>

namespace visor::vm {
namespace {

// Adds the input N to variable V, which holds zeros when a thread begins; stores V.
std::string kernel(bool in_memory) { // since an address register leads there
    const char* const to = in_memory ? "    addr_add (M1_NM, 1) A0(0)<1> &V 0x0:uw\n"
                                       "    add (M1_NM, 8) r[A0(0),0]<1>:ud"
                                     : "    add (M1_NM, 8) V(0,0)<1>";
    return std::string(R"(.version 4.1
.kernel "launches"
.decl TO v_type=G type=uq num_elts=1 align=GRF
.decl N v_type=G type=ud num_elts=1 align=GRF
.decl V v_type=G type=ud num_elts=16 align=GRF
.decl A0 v_type=A num_elts=1
.input TO offset=64 size=8
.input N offset=96 size=4
.kernel_attr SimdSize=16

)") + to + R"( V(0,0)<1;1,0> N(0,0)<0;1,0>
    svm_block_st (4) TO(0,0)<0;1,0> V.0
    ret (M1, 1)
)";
}

struct Way {
    bool in_memory;
    uint32_t workers;
};

class Launches : public ::testing::TestWithParam<Way> {
protected:
    launch::Buffer allocate() {
        const launch::Buffer buffer = context_.allocate(64, "to").value();
        std::memset(context_.bytes_of(buffer).data(), 0xee, 64);
        return buffer;
    }
    RunReport run(const launch::InputBytes& to, uint32_t n, uint32_t threads = 2,
                  EngineKind engine = EngineKind::jit) {
        RunSettings settings;
        settings.engine = engine;
        settings.options.workers = GetParam().workers;
        return launched(context_, *program_, {{"TO", to}, {"N", bytes(n)}}, {3, 1, 1}, threads, settings);
    }
    std::array<uint32_t, 16> content(const launch::Buffer& buffer) {
        std::array<uint32_t, 16> out{};
        std::memcpy(out.data(), context_.bytes_of(buffer).data(), sizeof out);
        return out;
    }

    Context context_{*isa::device_named("skl")};
    std::shared_ptr<const Program> program_ = loaded(context_, kernel(GetParam().in_memory));
};

constexpr std::array<uint32_t, 16> eight_of(uint32_t n) {
    return {n, n, n, n, n, n, n, n};
}

TEST_P(Launches, EachFindsZerosAndItsOwnInputs) {
    const launch::Buffer to = allocate();
    for (const uint32_t n : {5U, 7U, 7U, 100U}) {
        EXPECT_FALSE(run(bytes(to.address), n).error);
        EXPECT_EQ(content(to), eight_of(n));
    }
}

TEST_P(Launches, WithMoreThreadsOrFewer) {
    const launch::Buffer to = allocate();
    for (const uint32_t threads : {2U, 5U, 1U, 2U}) {
        EXPECT_FALSE(run(bytes(to.address), threads, threads).error);
        EXPECT_EQ(content(to), eight_of(threads));
    }
}

TEST_P(Launches, OnBothEnginesInTurn) {
    const launch::Buffer to = allocate();
    uint32_t n = 1;
    for (const EngineKind engine : {EngineKind::jit, EngineKind::interpreter, EngineKind::interpreter,
                                    EngineKind::jit, EngineKind::jit}) {
        EXPECT_FALSE(run(bytes(to.address), ++n, 2, engine).error);
        EXPECT_EQ(content(to), eight_of(n));
    }
}

TEST_P(Launches, FreedMemoryIsNobodys) {
    const launch::Buffer first = allocate();
    EXPECT_FALSE(run(bytes(first.address), 1).error);
    context_.memory().free(first.address);
    const RunReport report = run(bytes(first.address), 2);
    EXPECT_EQ(report.fault.kind, machine::FaultKind::out_of_bounds);
    const launch::Buffer second = allocate(); // after a fault
    EXPECT_FALSE(run(bytes(second.address), 3).error);
    EXPECT_EQ(content(second), eight_of(3));
}

INSTANTIATE_TEST_SUITE_P(Jit, Launches,
                         ::testing::Values(Way{false, 1}, Way{false, 3}, Way{true, 1}, Way{true, 3}));

} // namespace
} // namespace visor::vm
