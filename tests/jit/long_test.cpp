// A kernel of 40,000 instructions has machine code, and leaves what the host computes of the same steps.
#include "launched.h"

#include <array>
#include <fmt/format.h>

namespace visor::vm {
namespace {

constexpr uint32_t steps = 40'000;
constexpr uint32_t variables = 8;
constexpr uint32_t lanes = 16;
using Registers = std::array<std::array<uint32_t, lanes>, variables>;

struct Step {
    const char* mnemonic;
    uint32_t to, first, second;
    uint32_t (*apply)(uint32_t, uint32_t);
};

Step step(uint32_t number) {
    const uint32_t drawn = number * 2654435761U >> 16U;
    const uint32_t to = drawn % variables;
    const uint32_t first = drawn / 8 % variables;
    const uint32_t second = drawn / 64 % variables;
    if (number % 3 == 0)
        return {"xor", to, first, second, [](uint32_t a, uint32_t b) { return a ^ b; }};
    return {"add", to, first, second, [](uint32_t a, uint32_t b) { return a + b; }};
}

std::string kernel() {
    std::string text = ".version 4.1\n.kernel \"long\"\n.decl TO v_type=G type=uq num_elts=1 align=GRF\n"
                       ".decl A v_type=G type=uq num_elts=1 align=GRF\n"
                       ".input TO offset=32 size=8\n";
    for (uint32_t v = 0; v < variables; ++v)
        text +=
            fmt::format(".decl V{0} v_type=G type=ud num_elts=16 align=GRF\n.input V{0} offset={1} size=64\n",
                        v, 64 + 64 * v);
    text += ".kernel_attr SimdSize=16\n\n";
    for (uint32_t k = 0; k < steps; ++k) {
        const Step one = step(k);
        text += fmt::format("    {} (M1, 16) V{}(0,0)<1> V{}(0,0)<1;1,0> V{}(0,0)<1;1,0>\n", one.mnemonic,
                            one.to, one.first, one.second);
    }
    for (uint32_t v = 0; v < variables; ++v)
        text += fmt::format("    add (M1_NM, 1) A(0,0)<1> TO(0,0)<0;1,0> 0x{:x}:ud\n"
                            "    svm_block_st (4) A(0,0)<0;1,0> V{}.0\n",
                            64 * v, v);
    return text + "    ret (M1, 1)\n";
}

TEST(Long, FortyThousandInstructions) {
    Context context(*isa::device_named("skl"));
    const auto program = loaded(context, kernel());
    const launch::Buffer to = context.allocate(sizeof(Registers), "to").value();
    Registers registers{};
    std::vector<launch::HandInput> inputs{{"TO", bytes(to.address)}};
    for (uint32_t v = 0; v < variables; ++v) {
        for (uint32_t lane = 0; lane < lanes; ++lane)
            registers[v][lane] = (v * lanes + lane) * 2654435761U;
        inputs.push_back({fmt::format("V{}", v), bytes(registers[v])});
    }
    RunSettings settings;
    settings.engine = EngineKind::jit;
    const RunReport report = launched(context, *program, inputs, {1, 1, 1}, 1, settings);
    EXPECT_FALSE(report.error);
    for (uint32_t k = 0; k < steps; ++k) {
        const Step one = step(k);
        for (uint32_t lane = 0; lane < lanes; ++lane)
            registers[one.to][lane] = one.apply(registers[one.first][lane], registers[one.second][lane]);
    }
    Registers got{};
    std::memcpy(got.data(), context.bytes_of(to).data(), sizeof got);
    EXPECT_EQ(got, registers);
}

} // namespace
} // namespace visor::vm
