// Quotients of integers as the compiler computes them for devices without integer division: what the host's
// own division gives, on every level of the CPU.
#include "launched.h"

#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <random>
#include <tuple>

namespace visor::vm {
namespace {

constexpr uint32_t lanes = 16;
using Row = std::array<uint32_t, lanes>;

std::string kernel(const char* type) {
    return fmt::format(".version 4.1\n.kernel \"quotients\"\n"
                       ".decl TO v_type=G type=uq num_elts=1 align=GRF\n"
                       ".decl X v_type=G type={0} num_elts=16 align=GRF\n"
                       ".decl D v_type=G type={0} num_elts=16 align=GRF\n"
                       ".decl QUOTIENT v_type=G type={0} num_elts=16 align=GRF\n"
                       ".decl SINGLE v_type=G type=f num_elts=16 align=GRF\n"
                       ".decl INVERSE v_type=G type=f num_elts=16 align=GRF\n"
                       ".decl NEGATED v_type=G type=df num_elts=16 align=GRF\n"
                       ".decl R v_type=G type=df num_elts=16 align=GRF\n"
                       ".decl DIVIDEND v_type=G type=df num_elts=16 align=GRF\n"
                       ".decl DIVISOR v_type=G type=df num_elts=16 align=GRF\n"
                       ".decl E v_type=G type=df num_elts=16 align=GRF\n"
                       ".decl T v_type=G type=df num_elts=16 align=GRF\n"
                       ".decl Q v_type=G type=df num_elts=16 align=GRF\n"
                       ".input TO offset=32 size=8\n"
                       ".input X offset=64 size=64\n"
                       ".input D offset=128 size=64\n"
                       ".kernel_attr SimdSize=16\n\n"
                       "    or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud\n"
                       "    mov (M1, 16) SINGLE(0,0)<1> D(0,0)<1;1,0>\n"
                       "    inv (M1, 16) INVERSE(0,0)<1> SINGLE(0,0)<1;1,0>\n"
                       "    mov (M1, 16) DIVISOR(0,0)<1> D(0,0)<1;1,0>\n"
                       "    mov (M1, 16) NEGATED(0,0)<1> (-)DIVISOR(0,0)<1;1,0>\n"
                       "    mov (M1, 16) R(0,0)<1> INVERSE(0,0)<1;1,0>\n"
                       "    mov (M1, 16) DIVIDEND(0,0)<1> X(0,0)<1;1,0>\n"
                       "    xor (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x30:ud\n"
                       "    mad (M1, 16) E(0,0)<1> NEGATED(0,0)<1;1,0> R(0,0)<1;1,0> 0x3ff0000000004000:df\n"
                       "    mul (M1, 16) T(0,0)<1> R(0,0)<1;1,0> DIVIDEND(0,0)<1;1,0>\n"
                       "    mad (M1, 16) Q(0,0)<1> T(0,0)<1;1,0> E(0,0)<1;1,0> T(0,0)<1;1,0>\n"
                       "    xor (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x30:ud\n"
                       "    mov (M1, 16) QUOTIENT(0,0)<1> Q(0,0)<1;1,0>\n"
                       "    svm_block_st (4) TO(0,0)<0;1,0> QUOTIENT.0\n"
                       "    ret (M1, 1)\n",
                       type);
}

// Dividends around multiples of the divisor, where an error of the last bit would show, and edges.
std::pair<uint32_t, uint32_t> drawn(std::mt19937& random) {
    constexpr std::array edges{1U, 2U, 3U, 7U, 255U, 0xffffU, 0x10000U, 0x7ffffffeU, 0x7fffffffU};
    const auto any = [&] { return static_cast<uint32_t>(random()); };
    const uint32_t divisor = std::max(1U, any() % 4 == 0 ? edges[any() % edges.size()] : any() >> any() % 32);
    const uint32_t near = any() / divisor * divisor + any() % 3 - 1;
    return {any() % 8 == 0 ? ~(any() % 4) : near, divisor};
}

template <class Integer>
void compare(const char* type, EngineKind engine, uint32_t launches) {
    Context context(*isa::device_named("skl"));
    const auto program = loaded(context, kernel(type));
    const launch::Buffer to = context.allocate(sizeof(Row), "to").value();
    std::mt19937 random(20261201);
    RunSettings settings;
    settings.engine = engine;
    for (uint32_t launch = 0; launch < launches; ++launch) {
        Row dividends{};
        Row divisors{};
        for (uint32_t lane = 0; lane < lanes; ++lane)
            std::tie(dividends[lane], divisors[lane]) = drawn(random);
        const RunReport report = launched(
            context, *program, {{"TO", bytes(to.address)}, {"X", bytes(dividends)}, {"D", bytes(divisors)}},
            {1, 1, 1}, 1, settings);
        ASSERT_FALSE(report.error);
        Row got{};
        std::memcpy(got.data(), context.bytes_of(to).data(), sizeof got);
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            const auto dividend = static_cast<int64_t>(static_cast<Integer>(dividends[lane]));
            const auto divisor = static_cast<int64_t>(static_cast<Integer>(divisors[lane]));
            ASSERT_EQ(static_cast<Integer>(got[lane]), static_cast<Integer>(dividend / divisor))
                << dividend << " / " << divisor;
        }
    }
}

TEST(Quotients, AreTheHostsOnEachLevel) {
    compare<uint32_t>("ud", EngineKind::interpreter, 200);
    for (const char* const level : {"", "avx2", "sse4.2"})
        for (const char* const tier : {"quick", "best"}) {
            setenv("VISOR_JIT_CPU", level, 1);
            setenv("VISOR_JIT_TIER", tier, 1);
            compare<uint32_t>("ud", EngineKind::jit, 500);
            compare<int32_t>("d", EngineKind::jit, 500);
        }
    unsetenv("VISOR_JIT_CPU");
    unsetenv("VISOR_JIT_TIER");
}

} // namespace
} // namespace visor::vm
