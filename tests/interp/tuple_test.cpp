#include "fixture.h"

#include <cmath>

namespace visor::alu_test {
namespace {

using isa::DeviceId;

TEST(Carry, GoesToTheSecondDestination) {
    Alu alu;
    alu.set<uint32_t>("UD2", {UINT32_MAX, 1, 0x80000000, 5});
    alu.set<uint32_t>("UD3", {1, 2, 0x80000000, 6});
    alu.run("addc (M1, 4) UD0 UD1(0,0)<1> UD2 UD3");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 4), (Values<uint32_t>{0, 3, 0, 11}));
    EXPECT_EQ(alu.get<uint32_t>("UD1", 4), (Values<uint32_t>{1, 0, 1, 0}));
    alu.run("subb (M1, 4) UD0 UD1(0,0)<1> UD3 UD2");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 4), (Values<uint32_t>{2, 1, 0, 1}));
    EXPECT_EQ(alu.get<uint32_t>("UD1", 4), (Values<uint32_t>{1, 0, 0, 0}));
}

TEST(Carry, MaskAndOverlap) {
    Alu alu;
    alu.set<uint32_t>("UD1", {UINT32_MAX, UINT32_MAX, 3, 4});
    alu.mask = 0x6;
    alu.run("addc (M1, 4) UD1 UD0(0,0)<1> UD1 0x1:ud");
    const auto off = untouched<uint32_t>();
    EXPECT_EQ(alu.get<uint32_t>("UD1", 4), (Values<uint32_t>{UINT32_MAX, 0, 4, 4}));
    EXPECT_EQ(alu.get<uint32_t>("UD0", 4), (Values<uint32_t>{off, 1, 0, off}));
    // The carry over the sources: both are read first.
    alu.mask = UINT32_MAX;
    alu.set<uint32_t>("UD1", {7, 8, 9, 10, 11});
    alu.run("addc (M1, 4) UD0 UD1(0,1)<1> UD1 UD1");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 4), (Values<uint32_t>{14, 16, 18, 20}));
}

TEST(Overflow, OfThreeSumsGoesToThePredicate) {
    Alu alu(DeviceId::dg2);
    alu.set<int32_t>("D1", {INT32_MAX, 1, INT32_MIN, 0});
    alu.set<int32_t>("D2", {1, 2, -1, 0});
    alu.predicates[1] = 0xffff0000;
    alu.run("(P1) add3.o (M1, 4) D0 D1 D2 0x0:d");
    EXPECT_EQ(alu.get<int32_t>("D0", 4), (Values<int32_t>{INT32_MIN, 3, INT32_MAX, 0}));
    EXPECT_EQ(alu.predicates[1], 0xffff0005U);
    alu.set<uint32_t>("UD1", {UINT32_MAX, UINT32_MAX - 2});
    alu.run("(P2) add3.o (M1, 2) UD0 UD1 0x1:ud 0x1:ud");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 2), (Values<uint32_t>{1, UINT32_MAX}));
    EXPECT_EQ(alu.predicates[2], 1U);
}

TEST(WideMultiplyAdd, HighDwordsStartOnARegister) {
    for (const auto& [device, registers] : {std::pair{DeviceId::skl, 8U}, std::pair{DeviceId::pvc, 16U}}) {
        Alu alu(device);
        alu.set<uint32_t>("UD1", {UINT32_MAX, 3, 0x80000000});
        alu.set<uint32_t>("UD2", {UINT32_MAX, 5, 2});
        alu.set<uint32_t>("UD3", {UINT32_MAX, 7, 0});
        alu.run("madw (M1, 4) UD0 UD1 UD2 UD3");
        // (2^32 - 1)^2 + 2^32 - 1 = 2^64 - 2^32
        EXPECT_EQ(alu.get<uint32_t>("UD0", 3), (Values<uint32_t>{0, 22, 0}));
        EXPECT_EQ(alu.get<uint32_t>("UD0", 3, registers * 4U), (Values<uint32_t>{UINT32_MAX, 0, 1}));
        EXPECT_EQ(alu.get<uint32_t>("UD0", 1, 16), Values<uint32_t>{untouched<uint32_t>()});
    }
}

TEST(WideMultiplyAdd, SignedAndSixteenLanes) {
    Alu alu;
    alu.set<int32_t>("D1", Values<int32_t>(16, -3));
    alu.set<int32_t>("D2", Values<int32_t>(16, 5));
    alu.set<int32_t>("D3", Values<int32_t>(16, 1));
    alu.mask = 0x8001;
    alu.run("madw (M1, 16) D0 D1 D2 D3");
    EXPECT_EQ(alu.get<int32_t>("D0", 2), (Values<int32_t>{-14, untouched<int32_t>()}));
    EXPECT_EQ(alu.get<int32_t>("D0", 2, 56), (Values<int32_t>{untouched<int32_t>(), -14}));
    EXPECT_EQ(alu.get<int32_t>("D0", 2, 64), (Values<int32_t>{-1, untouched<int32_t>()}));
    alu.mask = UINT32_MAX;
    alu.run("madw (M1, 8) D1 D1 D2 D1");
    EXPECT_EQ(alu.get<int32_t>("D1", 9), (Values<int32_t>{-18, -18, -18, -18, -18, -18, -18, -18, -1}));
}

TEST(Dot, GroupsOfFourShareTheirSum) {
    Alu alu;
    alu.set<float>("F1", {1, 2, 3, 4, 5, 6, 7, 8});
    alu.set<float>("F2", {10, 20, 30, 40, 1, 1, 1, 1});
    alu.run("dp4 (M1, 8) F0 F1 F2");
    EXPECT_EQ(alu.get<float>("F0", 8), (Values<float>{300, 300, 300, 300, 26, 26, 26, 26}));
    alu.run("dp3 (M1, 8) F0 F1 F2");
    EXPECT_EQ(alu.get<float>("F0", 8), (Values<float>{140, 140, 140, 140, 18, 18, 18, 18}));
    alu.run("dp2 (M1, 8) F0 F1 F2");
    EXPECT_EQ(alu.get<float>("F0", 8), (Values<float>{50, 50, 50, 50, 11, 11, 11, 11}));
    alu.run("dph (M1, 8) F0 F1 F2");
    EXPECT_EQ(alu.get<float>("F0", 8), (Values<float>{180, 180, 180, 180, 19, 19, 19, 19}));
    alu.mask = 0x12;
    alu.run("dp4.sat (M1, 8) F3 F1 F2");
    const auto off = untouched<float>();
    EXPECT_EQ(alu.get<float>("F3", 8), (Values<float>{off, 1, off, off, 1, off, off, off}));
}

TEST(Line, UsesTheFirstAndTheFourthElement) {
    Alu alu;
    alu.set<float>("F1", {2, 99, 99, 0.5F});
    alu.set<float>("F2", {1, 2, 3, 4});
    alu.run("line (M1, 4) F0 F1(0,0)<0;1,0> F2");
    EXPECT_EQ(alu.get<float>("F0", 4), (Values<float>{2.5F, 4.5F, 6.5F, 8.5F}));
}

TEST(Plane, TurnsOfEight) {
    Alu alu;
    alu.set<float>("F1", {2, 10, 99, 0.5F});
    Values<float> uv(32);
    for (size_t i = 0; i < 8; ++i) {
        uv[i] = static_cast<float>(i);            // u
        uv[8 + i] = 1;                            // v
        uv[16 + i] = 100 + static_cast<float>(i); // u of the upper half
        uv[24 + i] = 2;
    }
    alu.set<float>("F2", uv);
    alu.run("plane (M1, 16) F0 F1(0,0)<0;1,0> F2(0,0)<8;8,1>");
    const auto out = alu.get<float>("F0", 16);
    for (size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(out[i], 2 * static_cast<float>(i) + 10.5F);
        EXPECT_EQ(out[8 + i], 2 * (100 + static_cast<float>(i)) + 20.5F);
    }
}

TEST(Interpolate, BlendsTheSecondAndThird) {
    Alu alu;
    alu.set<float>("F1", {0, 1, 0.25F, 0.5F});
    alu.set<float>("F2", {10, 10, 8, 2});
    alu.set<float>("F3", {20, 20, 4, 4});
    alu.run("lrp (M1, 4) F0 F1 F2 F3");
    EXPECT_EQ(alu.get<float>("F0", 4), (Values<float>{20, 10, 5, 3}));
    alu.run("lrp (M1, 4) F0 F1(0,3)<0;1,0> F2 F3");
    EXPECT_EQ(alu.get<float>("F0", 4), (Values<float>{15, 15, 6, 3}));
    alu.run("lrp.sat (M1, 4) F0 F1 F2 F3");
    EXPECT_EQ(alu.get<float>("F0", 4), (Values<float>{1, 1, 1, 1}));
}

TEST(Differences, EvenLanesHoldThePairsSum) {
    Alu alu;
    alu.set<uint8_t>("UB1", {10, 20, 255, 0});
    alu.set<uint8_t>("UB2", {15, 5, 0, 255});
    alu.run("sad2 (M1, 4) UW0 UB1 UB2");
    const auto off = untouched<uint16_t>();
    EXPECT_EQ(alu.get<uint16_t>("UW0", 4), (Values<uint16_t>{20, off, 510, off}));
    alu.set<int8_t>("B1", {-128, 1});
    alu.set<int8_t>("B2", {127, 3});
    alu.set<int16_t>("W1", {1000, 0});
    alu.run("sad2add (M1, 2) W0 B1 B2 W1");
    EXPECT_EQ(alu.get<int16_t>("W0", 1), Values<int16_t>{1257});
    alu.mask = 0x4;
    alu.set<uint16_t>("UW0", {1, 2, 3, 4});
    alu.run("sad2 (M1, 4) UW0 UB1 UB2");
    EXPECT_EQ(alu.get<uint16_t>("UW0", 4), (Values<uint16_t>{1, 2, 510, 4}));
}

TEST(Macro, InverseTellsSpecialResults) {
    Alu alu;
    alu.set<float>("F1", {1, 6, 0, 1});
    alu.set<float>("F2", {4, 3, 5, 0});
    alu.run("invm (M1, 4) F0 P1 F1 F2");
    EXPECT_EQ(alu.get<float>("F0", 4), (Values<float>{0.25F, 2, 0, HUGE_VALF}));
    EXPECT_EQ(alu.predicates[1], 0xcU);
    alu.set<double>("DF1", {4, 0});
    alu.run("rsqtm (M1, 2) DF0 P2 DF1");
    EXPECT_EQ(alu.get<double>("DF0", 2), (Values<double>{0.5, HUGE_VAL}));
    EXPECT_EQ(alu.predicates[2], 0x2U);
}

TEST(Stochastic, AddsRandomBitsAndCuts) {
    Alu alu(DeviceId::pvc);
    alu.set<float>("F1", {1.0F + 0x1p-11F, 1.0F + 0x1p-11F, -1.0F, 65504.0F});
    alu.set<uint16_t>("UW1", {0x0fff, 0x1000, 0x1fff, 0x1fff});
    alu.mask = 0;
    alu.run("srnd (M1_NM, 4) HF0 F1 UW1");
    EXPECT_EQ(alu.get<uint16_t>("HF0", 4), (Values<uint16_t>{0x3c00, 0x3c01, 0xbc00, 0x7bff}));
    alu.set<uint16_t>("HF1", {0x3c80, 0x3c80});
    alu.set<uint8_t>("UB1", {0x7f, 0x80});
    alu.run("srnd (M1_NM, 2) UB0 HF1 UB1");
    EXPECT_EQ(alu.get<uint8_t>("UB0", 2), (Values<uint8_t>{0x3c, 0x3d}));
}

} // namespace
} // namespace visor::alu_test
