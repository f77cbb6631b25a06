#include "fixture.h"

#include <cmath>

namespace visor::alu_test {
namespace {

using isa::DeviceId;

TEST(Move, IntegersTruncateAndExtend) {
    expect_unary<int64_t, int32_t>("mov", "Q0", "D1", {-1, INT32_MAX}, {-1, INT32_MAX});
    expect_unary<int64_t, uint32_t>("mov", "Q0", "UD1", {UINT32_MAX}, {4294967295});
    expect_unary<int32_t, uint8_t>("mov", "D0", "UB1", {255}, {255});
    expect_unary<int32_t, int8_t>("mov", "D0", "B1", {-1}, {-1});
    expect_unary<uint16_t, int32_t>("mov", "UW0", "D1", {70000, -1}, {4464, 65535});
    expect_unary<int8_t, int32_t>("mov", "B0", "D1", {200, -129}, {-56, 127});
    expect_unary<uint32_t, int64_t>("mov", "UD0", "Q1", {-1, 0x1'0000'0002}, {UINT32_MAX, 2});
    expect_unary<uint32_t, int32_t>("mov", "UD0", "D1", {-1}, {UINT32_MAX});
    expect_unary<int16_t, uint8_t>("mov", "W0", "UB1", {0x80}, {128});
    expect_unary<uint64_t, int16_t>("mov", "UQ0", "W1", {-2}, {0xfffffffffffffffe});
}

TEST(Move, IntegersSaturate) {
    expect_unary<uint8_t, int32_t>("mov.sat", "UB0", "D1", {300, -1, 77}, {255, 0, 77});
    expect_unary<int16_t, int32_t>("mov.sat", "W0", "D1", {40000, -40000}, {32767, -32768});
    expect_unary<int32_t, uint32_t>("mov.sat", "D0", "UD1", {UINT32_MAX, 7}, {INT32_MAX, 7});
    expect_unary<uint32_t, int64_t>("mov.sat", "UD0", "Q1", {-1, 0x1'0000'0000}, {0, UINT32_MAX});
    expect_unary<int64_t, uint64_t>("mov.sat", "Q0", "UQ1", {UINT64_MAX}, {INT64_MAX});
}

TEST(Move, FloatsToIntegersTruncateAndClamp) {
    const float nan = std::nanf("");
    expect_unary<int32_t, float>("mov", "D0", "F1", {1.9F, -1.9F, 3e9F, -3e9F, nan, HUGE_VALF},
                                 {1, -1, INT32_MAX, INT32_MIN, 0, INT32_MAX});
    expect_unary<uint32_t, float>("mov", "UD0", "F1", {1.9F, -1.9F, 3e9F, 5e9F, nan},
                                  {1, 0, 3000000000, UINT32_MAX, 0});
    expect_unary<int8_t, float>("mov", "B0", "F1", {127.9F, 128.0F, -128.9F, -200.0F},
                                {127, 127, -128, -128});
    expect_unary<uint16_t, float>("mov", "UW0", "F1", {65535.5F, 70000.0F, -1.0F}, {65535, 65535, 0});
    expect_unary<int64_t, double>("mov", "Q0", "DF1", {1e300, -2.5, 9007199254740993.0},
                                  {INT64_MAX, -2, 9007199254740992});
    expect_unary<uint64_t, float>("mov", "UQ0", "F1", {1e19F, -1.0F}, {9999999980506447872U, 0});
    expect_unary<int16_t, uint16_t>("mov", "W0", "HF1", {0x7bff, 0xc100, 0x7e00}, {32767, -2, 0});
}

TEST(Move, IntegersToFloatsRoundToEven) {
    expect_unary<float, int32_t>("mov", "F0", "D1", {-3, 16777217, 16777219},
                                 {-3.0F, 16777216.0F, 16777220.0F});
    expect_unary<float, uint32_t>("mov", "F0", "UD1", {UINT32_MAX}, {4294967296.0F});
    expect_unary<double, int64_t>("mov", "DF0", "Q1", {(int64_t{1} << 53) + 1, -7},
                                  {9007199254740992.0, -7.0});
    expect_unary<float, uint64_t>("mov", "F0", "UQ1", {UINT64_MAX}, {18446744073709551616.0F});
    expect_unary<uint16_t, int32_t>("mov", "HF0", "D1", {1, 2049, 65520, -70000},
                                    {0x3c00, 0x6800, 0x7c00, 0xfc00});
    expect_unary<uint16_t, int16_t>("mov", "BF0", "W1", {257, -1}, {0x4380, 0xbf80});
    expect_unary<float, uint8_t>("mov", "F0", "UB1", {255}, {255.0F});
    expect_unary<float, int32_t>("mov.sat", "F0", "D1", {5, -5, 1, 0}, {1.0F, 0.0F, 1.0F, 0.0F});
    Alu alu;
    alu.set<uint64_t>("UQ1", {UINT64_MAX});
    alu.run("mov (M1, 1) F0 (-)UQ1");
    EXPECT_EQ(alu.get<float>("F0", 1), Values<float>{-18446744073709551616.0F});
}

TEST(Move, FloatsToFloats) {
    expect_unary<uint16_t, float>("mov", "HF0", "F1", {1.0F, 65520.0F, 0x1p-24F, 1.0F + 0x1p-11F},
                                  {0x3c00, 0x7c00, 0x0001, 0x3c00});
    expect_unary<float, uint16_t>("mov", "F0", "HF1", {0x3c00, 0x0001, 0xfc00}, {1.0F, 0x1p-24F, -HUGE_VALF});
    expect_unary<double, float>("mov", "DF0", "F1", {0.1F}, {static_cast<double>(0.1F)});
    expect_unary<float, double>("mov", "F0", "DF1", {0.1, 1e300}, {0.1F, HUGE_VALF});
    expect_unary<uint16_t, double>("mov", "HF0", "DF1", {1.0 + 0x1p-11 + 0x1p-40}, {0x3c01});
    expect_unary<uint16_t, float>("mov", "BF0", "F1", {1.0F, 3.140625F}, {0x3f80, 0x4049});
    expect_unary<float, uint16_t>("mov", "F0", "BF1", {0x4049}, {3.140625F});
    expect_unary<float, float>("mov.sat", "F0", "F1", {2.0F, -1.0F, 0.5F, std::nanf("")},
                               {1.0F, 0.0F, 0.5F, 0.0F});
    expect_unary<uint16_t, float>("mov.sat", "HF0", "F1", {2.0F, -1.0F, 0.5F}, {0x3c00, 0x0000, 0x3800});
}

TEST(Move, SameTypeKeepsEveryBit) {
    Alu alu;
    alu.cr0 = 0; // denormals would be flushed by arithmetic
    alu.set<uint32_t>("F1", {0x00000001, 0x7f800001, 0x80000001});
    alu.run("mov (M1, 4) F0 F1");
    EXPECT_EQ(alu.get<uint32_t>("F0", 3), (Values<uint32_t>{0x00000001, 0x7f800001, 0x80000001}));
}

TEST(Move, PredicateAsAnInteger) {
    Alu alu;
    alu.predicates[1] = 0x1234abcd;
    alu.run("mov (M1, 1) UD0(0,0)<1> P1");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 2), (Values<uint32_t>{0x1234abcd, untouched<uint32_t>()}));
    alu.run("mov (M1, 1) UW0(0,0)<1> P1");
    EXPECT_EQ(alu.get<uint16_t>("UW0", 1), Values<uint16_t>{0xabcd});
}

TEST(Select, ThePredicateChoosesAndTheMaskDisables) {
    Alu alu;
    alu.set<int32_t>("D1", {1, 2, 3, 4});
    alu.set<int32_t>("D2", {-1, -2, -3, -4});
    alu.predicates[1] = 0x5;
    alu.mask = 0x7;
    alu.run("(P1) sel (M1, 4) D0 D1 D2");
    EXPECT_EQ(alu.get<int32_t>("D0", 4), (Values<int32_t>{1, -2, 3, untouched<int32_t>()}));
    alu.run("(!P1) sel (M1, 4) D0 D1 D2");
    EXPECT_EQ(alu.get<int32_t>("D0", 3), (Values<int32_t>{-1, 2, -3}));
    alu.run("(P1.any) sel (M1, 4) D0 D1 D2");
    EXPECT_EQ(alu.get<int32_t>("D0", 3), (Values<int32_t>{1, 2, 3}));
    alu.run("(P1) sel (M1, 2) D1(0,1)<1> D1 D2");
    EXPECT_EQ(alu.get<int32_t>("D1", 4), (Values<int32_t>{1, 1, -2, 4})) << "over a source";
}

TEST(Select, ConvertsAndModifies) {
    Alu alu;
    alu.predicates[1] = 0x1;
    alu.set<int16_t>("W1", {-5, -6});
    alu.set<uint32_t>("UD2", {7, UINT32_MAX});
    alu.run("(P1) sel (M1, 2) Q0 W1 UD2");
    EXPECT_EQ(alu.get<int64_t>("Q0", 2), (Values<int64_t>{-5, 4294967295}));
    alu.run("(P1) sel.sat (M1, 2) UB0 W1 UD2");
    EXPECT_EQ(alu.get<uint8_t>("UB0", 2), (Values<uint8_t>{0, 255}));
    alu.set<float>("F1", {1.5F, 2.5F});
    alu.run("(P1) sel (M1, 2) F0 (-)F1 0x0:f");
    EXPECT_EQ(alu.get<float>("F0", 2), (Values<float>{-1.5F, 0.0F}));
    alu.run("(P1) sel.sat (M1, 2) F0 F1 (-)F1");
    EXPECT_EQ(alu.get<float>("F0", 2), (Values<float>{1.0F, 0.0F}));
    alu.run("(P1) sel (M1, 2) HF0 F1 F1");
    EXPECT_EQ(alu.get<uint16_t>("HF0", 2), (Values<uint16_t>{0x3e00, 0x4100}));
    alu.set<double>("DF1", {1.5, 2.5});
    alu.run("(P1) sel (M1, 2) DF0 DF1 (-)DF1");
    EXPECT_EQ(alu.get<double>("DF0", 2), (Values<double>{1.5, -2.5}));
}

TEST(SetPredicate, ScalarGivesItsBits) {
    Alu alu;
    alu.mask = 0;
    alu.predicates[1] = 0xffff0000;
    alu.run("setp (M1_NM, 16) P1 0xa5c3:uw");
    EXPECT_EQ(alu.predicates[1], 0xffffa5c3U);
    alu.run("setp (M5_NM, 16) P1 0x1234:uw");
    EXPECT_EQ(alu.predicates[1], 0x1234a5c3U);
    alu.run("setp (M1_NM, 32) P1 0xdeadbeef:ud");
    EXPECT_EQ(alu.predicates[1], 0xdeadbeefU);
    alu.set<uint32_t>("UD1", {0x0f});
    alu.run("setp (M1_NM, 8) P1 UD1(0,0)<0;1,0>");
    EXPECT_EQ(alu.predicates[1], 0xdeadbe0fU);
}

TEST(SetPredicate, VectorGivesItsLowestBits) {
    Alu alu;
    alu.set<uint16_t>("UW1", {1, 2, 3, 0xffff});
    alu.predicates[1] = 0xf0;
    alu.mask = 0xd;
    alu.run("setp (M1, 4) P1 UW1");
    EXPECT_EQ(alu.predicates[1], 0xfcU | 0x1U);
}

TEST(AddressAdd, FromVariablesAndAddresses) {
    Alu alu;
    alu.set<int32_t>("D1", {0, 10, 20, 30, 40, 50, 60, 70});
    alu.set<uint16_t>("UW1", {0, 4, 8, 12});
    // A1 = A0's elements, moved up by 4 bytes, in another order through a narrow source.
    alu.run("addr_add (M1, 4) A0(0)<4> &D1 UW1\n"
            "addr_add (M1, 4) A1(2)<4> A0(0)<4> 0x4:uw\n"
            "mov (M1, 4) D0 r[A1(2),0]<1,0>:d");
    EXPECT_EQ(alu.get<int32_t>("D0", 4), (Values<int32_t>{10, 20, 30, 40}));
    alu.run("addr_add (M1, 4) A0(0)<4> &D1 UW1\n"
            "addr_add (M1, 4) A1(0)<4> A0(0)<2> 0x0:uw\n"
            "mov (M1, 4) D0 r[A1(0),0]<1,0>:d");
    EXPECT_EQ(alu.get<int32_t>("D0", 4), (Values<int32_t>{0, 10, 0, 10})) << "a narrow operand repeats";
}

TEST(AddressAdd, OffsetsAndSigns) {
    Alu alu;
    alu.set<int32_t>("D1", {0, 10, 20, 30, 40});
    alu.run("addr_add (M1, 1) A0(0)<1> &D1[16] 0xfffc:uw\n"
            "mov (M1, 1) D0 r[A0(0),0]<0;1,0>:d");
    EXPECT_EQ(alu.get<int32_t>("D0", 1), Values<int32_t>{30});
    alu.mask = 0x1;
    alu.run("addr_add (M1_NM, 2) A0(0)<2> &D1 0x4:uw\n"
            "addr_add (M1, 2) A0(0)<2> A0(0)<2> 0x8:uw\n"
            "mov (M1_NM, 2) D0 r[A0(0),0]<1,0>:d");
    EXPECT_EQ(alu.get<int32_t>("D0", 2), (Values<int32_t>{30, 10})) << "only enabled lanes move";
}

TEST(MoveState, BetweenStatesAndValues) {
    Alu alu;
    alu.run("movs (M1_NM, 1) T6(0) 0x5:ud");
    EXPECT_EQ(alu.surfaces[6], 5U);
    alu.set<uint32_t>("UD1", {7, 8, 9});
    alu.run("movs (M1_NM, 2) T6(1) UD1(0,1)<0;1,0>");
    EXPECT_EQ(alu.surfaces[7], 8U);
    EXPECT_EQ(alu.surfaces[8], 9U) << "elements are contiguous, the region does not count";
    alu.run("movs (M1_NM, 2) UD0(0,0)<1> T6(1)");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 2), (Values<uint32_t>{8, 9}));
    alu.run("movs (M1_NM, 1) T7(0) T6(2)");
    EXPECT_EQ(alu.surfaces[10], 9U);
    alu.run("movs (M1_NM, 1) S1(0) 0x3:ud");
    EXPECT_EQ(alu.samplers[4], 3U);
    alu.mask = 0;
    alu.run("movs (M1, 1) T6(0) 0x6:ud");
    EXPECT_EQ(alu.surfaces[6], 5U);
}

TEST(FormatConversion, Bf8AndTf32) {
    Alu alu(DeviceId::pvc);
    alu.set<uint16_t>("HF1", {0x3c00, 0x3c80, 0x3d80, 0x7bff, 0x0080});
    alu.mask = 0;
    alu.run("fcvt (M1_NM, 8) UB0 HF1");
    EXPECT_EQ(alu.get<uint8_t>("UB0", 5), (Values<uint8_t>{0x3c, 0x3c, 0x3e, 0x7c, 0x00}));
    alu.mask = UINT32_MAX;
    alu.set<uint8_t>("UB1", {0x3c, 0x01, 0x7c});
    alu.run("fcvt (M1, 4) HF0 UB1");
    EXPECT_EQ(alu.get<uint16_t>("HF0", 3), (Values<uint16_t>{0x3c00, 0x0100, 0x7c00}));
    alu.set<uint8_t>("B1", {0x38, 0x7e});
    alu.run("fcvt (M1, 2) HF0 B1");
    EXPECT_EQ(alu.get<uint16_t>("HF0", 2), (Values<uint16_t>{0x3c00, 0x5f00}));
    alu.run("fcvt (M1_NM, 2) B0 HF0");
    EXPECT_EQ(alu.get<uint8_t>("B0", 2), (Values<uint8_t>{0x38, 0x7e}));
    alu.set<uint32_t>("F1", {0x3f801000, 0x3f803000, 0x00400000, 0xbf800001});
    alu.run("fcvt (M1, 4) UD0 F1");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 4), (Values<uint32_t>{0x3f800000, 0x3f804000, 0, 0xbf800000}));
    alu.set<uint32_t>("UD1", {0x3f804000});
    alu.run("fcvt (M1, 1) F0 UD1");
    EXPECT_EQ(alu.get<uint32_t>("F0", 1), Values<uint32_t>{0x3f804000});
}

} // namespace
} // namespace visor::alu_test
