// DPAS page: D = C + A x B. Matrices of small numbers, packed here as the page draws them (a column of B in a
// column of registers, rows of A one behind the other), multiplied here by three loops; all sums are exact.
#include "fixture.h"
#include "memory_fixture.h"

namespace visor::alu_test {
namespace {

struct Precision {
    const char* name;
    unsigned bits;
    bool is_float;
    int low; // smallest and largest integer of the type, or what is exact in the float
    int high;
};
constexpr std::array precisions{
    Precision{"u2", 2, false, 0, 3},      Precision{"s2", 2, false, -2, 1},
    Precision{"u4", 4, false, 0, 15},     Precision{"s4", 4, false, -8, 7},
    Precision{"u8", 8, false, 0, 255},    Precision{"s8", 8, false, -128, 127},
    Precision{"bf", 16, true, -16, 16},   Precision{"hf", 16, true, -16, 16},
    Precision{"tf32", 32, true, -16, 16}, Precision{"bf8", 8, true, -4, 4},
    Precision{"hf8", 8, true, -4, 4},
};
const Precision& precision(std::string_view name) {
    for (const Precision& one : precisions)
        if (name == one.name)
            return one;
    return precisions[0];
}

// The bits of a small integer in this precision.
uint32_t encoded(const Precision& as, int value) {
    if (!as.is_float)
        return static_cast<uint32_t>(value) & ((1U << as.bits) - 1U);
    const auto single = std::bit_cast<uint32_t>(static_cast<float>(value));
    const std::string_view name = as.name;
    if (name == "tf32")
        return single;
    if (name == "bf")
        return single >> 16U;
    if (value == 0)
        return 0;
    // sign, exponent, mantissa of a power of two times a few bits
    const uint32_t sign = single >> 31U;
    const int exponent = static_cast<int>(single >> 23U & 0xffU) - 127;
    const uint32_t mantissa = single & 0x7fffffU;
    const auto put = [&](unsigned exponent_bits, unsigned mantissa_bits, int bias) {
        return sign << (exponent_bits + mantissa_bits) |
               static_cast<uint32_t>(exponent + bias) << mantissa_bits | mantissa >> (23U - mantissa_bits);
    };
    return name == "hf" ? put(5, 10, 15) : name == "bf8" ? put(5, 2, 15) : put(4, 3, 7);
}

void put_bits(std::vector<uint32_t>& dwords, size_t bit, uint32_t value) {
    dwords.at(bit / 32) |= value << bit % 32;
}

int number_in(const Precision& as, unsigned seed) {
    const int count = as.high - as.low + 1;
    return as.low + static_cast<int>(seed * 2654435761U >> 8U) % count;
}

struct Product {
    unsigned products; // at one depth
    unsigned depth = 8;
    unsigned repeat;
    unsigned lanes;

    [[nodiscard]] unsigned inner() const { return products * depth; }
};

class Dpas : public testing::TestWithParam<std::tuple<const char*, const char*, isa::DeviceId>> {};

TEST_P(Dpas, IsTheProductOfMatrices) {
    const auto& [first_name, second_name, device] = GetParam();
    const Precision& b = precision(first_name);
    const Precision& a = precision(second_name);
    for (unsigned repeat = 1; repeat <= 4; ++repeat) {
        const Product shape{b.is_float                      ? 32 / b.bits
                            : std::max(a.bits, b.bits) == 8 ? 4U
                                                            : 8U,
                            8, repeat, device == isa::DeviceId::pvc ? 16U : 8U};
        std::vector<uint32_t> weights(64);
        std::vector<uint32_t> activations(64);
        std::vector<std::vector<int>> of_a(repeat, std::vector<int>(shape.inner()));
        std::vector<std::vector<int>> of_b(shape.inner(), std::vector<int>(shape.lanes));
        if (shape.inner() * b.bits / 32 * shape.lanes > 64 || repeat * shape.inner() * a.bits > 64 * 32)
            continue; // wider than this test's variables
        for (unsigned k = 0; k < shape.inner(); ++k) {
            for (unsigned n = 0; n < shape.lanes; ++n) {
                of_b[k][n] = number_in(b, 1000 + k * 16 + n);
                const size_t dword = size_t{k / (32 / b.bits)} * shape.lanes + n;
                put_bits(weights, dword * 32 + k % (32 / b.bits) * b.bits, encoded(b, of_b[k][n]));
            }
            for (unsigned m = 0; m < repeat; ++m) {
                of_a[m][k] = number_in(a, 7 + k * 8 + m);
                put_bits(activations, (size_t{m} * shape.inner() + k) * a.bits, encoded(a, of_a[m][k]));
            }
        }
        Alu alu(device);
        alu.set<uint32_t>("UD1", weights);
        alu.set<uint32_t>("UD2", activations);
        std::vector<int32_t> start(64);
        std::vector<float> float_start(64);
        for (size_t i = 0; i < start.size(); ++i)
            float_start[i] = static_cast<float>(start[i] = static_cast<int32_t>(i) - 20);
        alu.set<int32_t>("D3", start);
        alu.set<float>("F3", float_start);
        const std::string sum = b.is_float ? "F" : "D";
        alu.run("dpas." + std::string(first_name) + "." + second_name + ".8." + std::to_string(repeat) +
                " (M1, " + std::to_string(shape.lanes) + ") " + sum + "0.0 " + sum + "3.0 UD1.0 UD2(0,0)");
        for (unsigned m = 0; m < repeat; ++m) {
            for (unsigned n = 0; n < shape.lanes; ++n) {
                const unsigned cell = m * shape.lanes + n;
                int expected = start[cell];
                for (unsigned k = 0; k < shape.inner(); ++k)
                    expected += of_a[m][k] * of_b[k][n];
                const int got = b.is_float ? static_cast<int>(alu.get<float>("F0", 1, cell * 4)[0])
                                           : alu.get<int32_t>("D0", 1, cell * 4)[0];
                EXPECT_EQ(got, expected)
                    << first_name << " x " << second_name << " row " << m << " column " << n;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Integers, Dpas,
                         testing::Combine(testing::Values("u2", "s2", "u4", "s4", "u8", "s8"),
                                          testing::Values("u2", "s2", "u4", "s4", "u8", "s8"),
                                          testing::Values(isa::DeviceId::dg2)));
INSTANTIATE_TEST_SUITE_P(Floats, Dpas,
                         testing::Values(std::tuple{"bf", "bf", isa::DeviceId::dg2},
                                         std::tuple{"hf", "hf", isa::DeviceId::dg2},
                                         std::tuple{"tf32", "tf32", isa::DeviceId::dg2},
                                         std::tuple{"bf8", "bf8", isa::DeviceId::dg2},
                                         std::tuple{"hf8", "hf8", isa::DeviceId::dg2},
                                         std::tuple{"bf8", "hf8", isa::DeviceId::dg2}));
INSTANTIATE_TEST_SUITE_P(Wide, Dpas,
                         testing::Values(std::tuple{"s2", "s8", isa::DeviceId::pvc},
                                         std::tuple{"u4", "u4", isa::DeviceId::pvc}));

TEST(Dpas, ANullStartIsZeroAndHalvesAreRoundedOnce) {
    Alu alu(isa::DeviceId::dg2);
    alu.set<uint16_t>("HF1", Values<uint16_t>(64, 0x3c00)); // B: ones, 4 depths of 2 and 8 lanes
    alu.set<uint16_t>("HF2", Values<uint16_t>(64, 0x3c00)); // A
    alu.run("dpas.hf.hf.4.1 (M1, 8) F0.0 %null.0 HF1.0 HF2(0,0)");
    EXPECT_EQ(alu.get<float>("F0", 8), Values<float>(8, 8.0F));
}

TEST(Dpas, WhatTheTableOfTypesDoesNotHave) {
    const Alu alu(isa::DeviceId::dg2);
    EXPECT_FALSE(alu.executes("dpas.hf.bf.8.1 (M1, 8) F0.0 F0.0 UD1.0 UD2(0,0)"));
    EXPECT_FALSE(alu.executes("dpas.s8.hf.8.1 (M1, 8) F0.0 F0.0 UD1.0 UD2(0,0)"));
    EXPECT_FALSE(alu.executes("dpas.s8.s8.8.1 (M1, 8) F0.0 F0.0 UD1.0 UD2(0,0)"));
    EXPECT_FALSE(alu.executes("dpas.hf.hf.8.1 (M1, 8) BF0.0 F0.0 UD1.0 UD2(0,0)"));
    EXPECT_FALSE(alu.executes("dpas.bf.bf.8.1 (M1, 8) F0.0 HF0.0 UD1.0 UD2(0,0)"));
    EXPECT_FALSE(alu.executes("dpas.tf32.tf32.8.1 (M1, 8) HF0.0 F0.0 UD1.0 UD2(0,0)"));
    EXPECT_FALSE(alu.executes("dpas.s8.s8.8.1 (M1, 8) UQ0.0 D0.0 UD1.0 UD2(0,0)"));
}

// Text has depths of 1, 2, 4, 8 and up to eight rows; a binary may say anything.
TEST(Dpas, DepthsAndRowsThatTheInstructionDoesNotHave) {
    constexpr uint64_t u8 = 7;
    const auto executes = [](uint64_t depth, uint64_t repeat) {
        interp::Bench bench(isa::DeviceId::dg2);
        const uint32_t all = bench.variable(isa::Type::ud, 1024);
        bench.instruction(0x83, -1, interp::lanes(8),
                          {interp::raw_operand(all), interp::raw_operand(all), interp::raw_operand(all),
                           interp::general(all), interp::code(u8 | u8 << 8U | depth << 16U | repeat << 24U)});
        bench.start();
        return bench.handler() != nullptr;
    };
    EXPECT_TRUE(executes(8, 8));
    for (const uint64_t depth : {0U, 3U, 9U, 16U, 255U})
        EXPECT_FALSE(executes(depth, 1)) << depth;
    for (const uint64_t repeat : {0U, 9U, 16U, 255U})
        EXPECT_FALSE(executes(8, repeat)) << repeat;
}

} // namespace
} // namespace visor::alu_test
