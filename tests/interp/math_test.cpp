#include "fixture.h"

#include <cmath>

namespace visor::alu_test {
namespace {

// Results of the math unit are compared with the host's within two units in the last place, which is inside
// the error that the documentation allows it.
void expect_near(const Values<float>& got, const Values<double>& exact) {
    ASSERT_EQ(got.size(), exact.size());
    for (size_t i = 0; i < got.size(); ++i) {
        const auto expected = static_cast<float>(exact[i]);
        if (std::isfinite(expected) && expected != 0) {
            const float up = std::nextafter(std::nextafter(expected, HUGE_VALF), HUGE_VALF);
            const float down = std::nextafter(std::nextafter(expected, -HUGE_VALF), -HUGE_VALF);
            EXPECT_GE(got[i], down) << i;
            EXPECT_LE(got[i], up) << i;
        } else {
            EXPECT_EQ(got[i], expected) << i;
        }
    }
}

Values<float> unary(const std::string& mnemonic, const Values<float>& in) {
    Alu alu;
    alu.set<float>("F1", in);
    alu.run(mnemonic + lanes_for(in.size()) + "F0 F1");
    return alu.get<float>("F0", in.size());
}

TEST(Math, PowersAndLogarithmsAreOfTwo) {
    expect_near(unary("exp", {0.0F, 1.0F, -1.0F, 0.5F}), {1, 2, 0.5, 1.4142135623730951});
    EXPECT_EQ(unary("exp", {200.0F, -HUGE_VALF}), (Values<float>{HUGE_VALF, 0.0F}));
    expect_near(unary("log", {1.0F, 8.0F, 0.5F, 3.0F}), {0, 3, -1, 1.5849625007211562});
    EXPECT_EQ(unary("log", {0.0F}), Values<float>{-HUGE_VALF});
    EXPECT_TRUE(std::isnan(unary("log", {-1.0F})[0]));
}

TEST(Math, SineAndCosine) {
    expect_near(unary("sin", {0.0F, 0.5F, 1.0F, -1.0F}),
                {0, 0.479425538604203, 0.8414709848078965, -0.8414709848078965});
    expect_near(unary("cos", {0.0F, 0.5F, 1.0F, 3.0F}),
                {1, 0.8775825618903728, 0.5403023058681398, -0.9899924966004454});
    EXPECT_TRUE(std::isnan(unary("sin", {HUGE_VALF})[0]));
}

TEST(Math, RootsAndInverse) {
    EXPECT_EQ(unary("sqrt", {4.0F, 2.0F, 0.0F}), (Values<float>{2.0F, 1.41421356F, 0.0F}));
    EXPECT_TRUE(std::isnan(unary("sqrt", {-1.0F})[0]));
    EXPECT_EQ(unary("sqrtm", {2.0F, 1e-30F}), (Values<float>{1.41421356F, 1e-15F}));
    expect_near(unary("rsqrt", {4.0F, 2.0F}), {0.5, 0.7071067811865475});
    EXPECT_EQ(unary("rsqrt", {0.0F, HUGE_VALF}), (Values<float>{HUGE_VALF, 0.0F}));
    EXPECT_EQ(unary("inv", {2.0F, 3.0F, 0.0F, -HUGE_VALF}),
              (Values<float>{0.5F, 0x1.555556p-2F, HUGE_VALF, -0.0F}));
    Alu alu;
    alu.set<double>("DF1", {2.0, 3.0});
    alu.run("sqrtm (M1, 2) DF0 DF1");
    EXPECT_EQ(alu.get<double>("DF0", 2), (Values<double>{0x1.6a09e667f3bcdp+0, 0x1.bb67ae8584caap+0}));
    alu.run("inv (M1, 2) DF0 DF1");
    EXPECT_EQ(alu.get<double>("DF0", 2), (Values<double>{0.5, 0x1.5555555555555p-2}));
}

TEST(Math, PowerTakesTheMagnitude) {
    Alu alu;
    alu.set<float>("F1", {2.0F, -2.0F, 9.0F, -8.0F});
    alu.set<float>("F2", {10.0F, 3.0F, 0.5F, -1.0F});
    alu.run("pow (M1, 4) F0 F1 F2");
    expect_near(alu.get<float>("F0", 4), {1024, 8, 3, 0.125});
}

TEST(Math, Halves) {
    expect_unary<uint16_t, uint16_t>("exp", "HF0", "HF1", {0x4000, 0xbc00}, {0x4400, 0x3800});
    expect_unary<uint16_t, uint16_t>("log", "HF0", "HF1", {0x4800}, {0x4200});
    expect_unary<uint16_t, uint16_t>("inv", "HF0", "HF1", {0x4000, 0x4200}, {0x3800, 0x3555});
    expect_unary<uint16_t, uint16_t>("sqrt", "HF0", "HF1", {0x4400, 0x4000}, {0x4000, 0x3da8});
    expect_unary<uint16_t, uint16_t>("rsqrt", "HF0", "HF1", {0x4400}, {0x3800});
    expect_unary<uint16_t, uint16_t>("sin", "HF0", "HF1", {0x0000, 0x3800}, {0x0000, 0x37ac});
    expect_unary<uint16_t, uint16_t>("cos", "HF0", "HF1", {0x0000}, {0x3c00});
}

TEST(Math, Saturates) {
    EXPECT_EQ(unary("exp.sat", {1.0F, -1.0F}), (Values<float>{1.0F, 0.5F}));
    EXPECT_EQ(unary("cos.sat", {3.0F}), Values<float>{0.0F});
    EXPECT_EQ(unary("log.sat", {-1.0F}), Values<float>{0.0F}) << "NaN saturates to zero";
}

TEST(Math, NewerFunctions) {
    Alu alu;
    alu.set<float>("F1", {0.0F, 1.0F, -20.0F});
    alu.run("tanh (M1, 4) F0 F1");
    expect_near(alu.get<float>("F0", 3), {0, 0.7615941559557649, -1});
    alu.run("sigm (M1, 4) F0 F1");
    expect_near(alu.get<float>("F0", 3), {0.5, 0.7310585786300049, 2.0611536181902037e-09});
}

TEST(Round, EachInstructionItsDirection) {
    const Values<float> in{2.5F, -2.5F, 3.5F, 0.4F, -0.4F, 8388609.0F};
    EXPECT_EQ(unary("rndd", in), (Values<float>{2, -3, 3, 0, -1, 8388609.0F}));
    EXPECT_EQ(unary("rndu", in), (Values<float>{3, -2, 4, 1, -0.0F, 8388609.0F}));
    EXPECT_EQ(unary("rnde", in), (Values<float>{2, -2, 4, 0, -0.0F, 8388609.0F}));
    EXPECT_EQ(unary("rndz", in), (Values<float>{2, -2, 3, 0, -0.0F, 8388609.0F}));
    EXPECT_TRUE(std::signbit(unary("rndu", {-0.4F})[0]));
    EXPECT_EQ(unary("rndd.sat", {1.5F, -0.5F}), (Values<float>{1.0F, 0.0F}));
}

TEST(Fraction, IsCountedFromTheFloor) {
    EXPECT_EQ(unary("frc", {2.75F, -2.75F, 5.0F, -0.25F}), (Values<float>{0.75F, 0.25F, 0.0F, 0.75F}));
    EXPECT_TRUE(std::isnan(unary("frc", {HUGE_VALF})[0]));
}

} // namespace
} // namespace visor::alu_test
