// RSQRT on the JIT, whose code has a short way for most numbers: within one unit in the last place of 1 /
// sqrt(x) in double precision (ruling 40), and the same however many lanes there are and however the code was
// made.
#include "launched.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>

namespace visor::vm {
namespace {

constexpr uint32_t by_thread = 32;

// Every thread 32 roots, so many at a time.
std::string kernel(uint32_t lanes) {
    std::string roots;
    for (uint32_t first = 0; first < by_thread; first += lanes)
        roots += fmt::format("    rsqrt (M1_NM, {0}) R({1},{2})<1> X({1},{2}){3}\n", lanes, first / 8,
                             first % 8, lanes == 1 ? "<0;1,0>" : "<1;1,0>");
    return R"(.version 4.1
.kernel "roots"
.decl FROM v_type=G type=uq num_elts=1 align=GRF
.decl TO v_type=G type=uq num_elts=1 align=GRF
.decl AT v_type=G type=ud num_elts=1 align=GRF
.decl X v_type=G type=f num_elts=32 align=GRF
.decl R v_type=G type=f num_elts=32 align=GRF
.input FROM offset=64 size=8
.input TO offset=72 size=8
.kernel_attr SimdSize=16

    shl (M1_NM, 1) AT(0,0)<1> %group_id_x(0,0)<0;1,0> 0x7:ud
    add (M1_NM, 1) FROM(0,0)<1> FROM(0,0)<0;1,0> AT(0,0)<0;1,0>
    add (M1_NM, 1) TO(0,0)<1> TO(0,0)<0;1,0> AT(0,0)<0;1,0>
    svm_block_ld (8) FROM(0,0)<0;1,0> X.0
)" + roots +
           R"(
    svm_block_st (8) TO(0,0)<0;1,0> R.0
    ret (M1, 1)
)";
}

// Of all normal exponents, and close to where each begins and ends.
std::vector<float> numbers() {
    constexpr uint32_t exponents = 254;
    std::vector<float> out;
    for (uint32_t exponent = 1; exponent <= exponents; ++exponent)
        for (uint32_t k = 0; k < 512; ++k) {
            const uint32_t mantissa = k < 64    ? k
                                      : k < 128 ? 0x7fffff - (k - 64)
                                                : (k - 128) * 21841 % 0x800000;
            const uint32_t bits = exponent << 23U | mantissa;
            float value = 0;
            std::memcpy(&value, &bits, sizeof value);
            out.push_back(value);
        }
    return out;
}

std::vector<float> roots(const std::vector<float>& of, uint32_t lanes) {
    const size_t bytes_of_all = of.size() * sizeof(float);
    Context context(*isa::device_named("skl"));
    const launch::Buffer from = context.allocate(bytes_of_all, "from").value();
    const launch::Buffer to = context.allocate(bytes_of_all, "to").value();
    std::memcpy(context.bytes_of(from).data(), of.data(), bytes_of_all);
    RunSettings settings;
    settings.engine = EngineKind::jit;
    const auto groups = static_cast<uint32_t>(of.size() / by_thread);
    const RunReport report = launched(context, *loaded(context, kernel(lanes)), {{"FROM", from}, {"TO", to}},
                                      {groups, 1, 1}, 1, settings);
    EXPECT_FALSE(report.error);
    std::vector<float> out(of.size());
    std::memcpy(out.data(), context.bytes_of(to).data(), bytes_of_all);
    return out;
}

struct Variant {
    const char* cpu; // "": the host
    const char* tier;
};

class Roots : public ::testing::TestWithParam<Variant> {
protected:
    Roots() {
        setenv("VISOR_JIT_CPU", GetParam().cpu, 1);
        setenv("VISOR_JIT_TIER", GetParam().tier, 1);
    }
    ~Roots() override {
        unsetenv("VISOR_JIT_CPU");
        unsetenv("VISOR_JIT_TIER");
    }
};

TEST_P(Roots, WithinOneUnit) {
    const std::vector<float> of = numbers();
    for (const uint32_t lanes : {1U, 4U, 8U, 16U, 32U}) {
        const std::vector<float> got = roots(of, lanes);
        for (size_t i = 0; i < of.size(); ++i) {
            const double exact = 1 / std::sqrt(static_cast<double>(of[i]));
            const double unit = std::ldexp(1.0, std::ilogb(exact) - 23);
            ASSERT_LE(std::abs(got[i] - exact), unit) << of[i] << " in " << lanes << " lanes";
        }
    }
}

TEST_P(Roots, OfNoUsualNumbers) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::vector<float> of(by_thread, 4);
    std::copy_n(std::array{0.0F, -0.0F, infinity, -infinity, -1.0F, std::nanf("")}.begin(), 6,
                of.begin() + 3);
    for (const uint32_t lanes : {1U, 4U, 8U, 16U, 32U}) {
        const std::vector<float> got = roots(of, lanes);
        EXPECT_EQ(got[2], 0.5F);
        EXPECT_EQ(got[3], infinity);
        EXPECT_EQ(got[4], -infinity);
        EXPECT_EQ(got[5], 0);
        for (size_t i = 6; i < 9; ++i)
            EXPECT_TRUE(std::isnan(got[i])) << i;
        EXPECT_EQ(got[9], 0.5F);
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, Roots,
                         ::testing::Values(Variant{"", "best"}, Variant{"", "quick"}, Variant{"avx2", "best"},
                                           Variant{"avx2", "quick"}, Variant{"sse4.2", "best"}),
                         [](const auto& one) {
                             const std::string_view cpu = one.param.cpu;
                             return fmt::format("{}_{}", cpu.empty() ? "host" : cpu.substr(0, 4),
                                                one.param.tier);
                         });

TEST(RootsOfOneProcessor, AreTheSameInEachTierAndNumberOfLanes) {
    const std::vector<float> of = numbers();
    std::vector<std::vector<float>> all;
    for (const char* const tier : {"quick", "best"}) {
        setenv("VISOR_JIT_TIER", tier, 1);
        for (const uint32_t lanes : {1U, 4U, 8U, 16U, 32U})
            all.push_back(roots(of, lanes));
    }
    unsetenv("VISOR_JIT_TIER");
    for (const std::vector<float>& one : all)
        EXPECT_EQ(one, all.front());
}

} // namespace
} // namespace visor::vm
