#include "fixture.h"

#include <cmath>

namespace visor::alu_test {
namespace {

using isa::DeviceId;

TEST(Add, EveryIntegerTypeWrapsAtItsWidth) {
    expect_binary<int32_t, int32_t, int32_t>("add", "D D D", {INT32_MAX, -5, 7}, {1, 3, -7},
                                             {INT32_MIN, -2, 0});
    expect_binary<uint32_t, uint32_t, uint32_t>("add", "UD UD UD", {UINT32_MAX, 5}, {1, 3}, {0, 8});
    expect_binary<int16_t, int16_t, int16_t>("add", "W W W", {32767, -32768}, {1, -1}, {-32768, 32767});
    expect_binary<uint16_t, uint16_t, uint16_t>("add", "UW UW UW", {65535, 2}, {2, 3}, {1, 5});
    expect_binary<int8_t, int8_t, int8_t>("add", "B B B", {127, -128}, {1, -1}, {-128, 127});
    expect_binary<uint8_t, uint8_t, uint8_t>("add", "UB UB UB", {255, 7}, {3, 4}, {2, 11});
    expect_binary<int64_t, int64_t, int64_t>("add", "Q Q Q", {INT64_MAX, 1}, {1, -2}, {INT64_MIN, -1});
    expect_binary<uint64_t, uint64_t, uint64_t>("add", "UQ UQ UQ", {UINT64_MAX, 1}, {2, 2}, {1, 3});
}

TEST(Add, MixedTypesAddAsNumbers) {
    expect_binary<int32_t, int32_t, uint16_t>("add", "D D UW", {-1, 100000}, {65535, 1}, {65534, 100001});
    expect_binary<int32_t, int8_t, uint8_t>("add", "D B UB", {-128, 127}, {255, 255}, {127, 382});
    expect_binary<int64_t, int32_t, uint32_t>("add", "Q D UD", {-1, INT32_MAX}, {UINT32_MAX, UINT32_MAX},
                                              {4294967294, 6442450942});
    expect_binary<int16_t, int32_t, int32_t>("add", "W D D", {70000, -70000}, {1, 0}, {4465, -4464});
    expect_binary<int64_t, int64_t, int32_t>("add", "Q Q D", {10, 0}, {-20, INT32_MIN}, {-10, INT32_MIN});
}

TEST(Add, SaturatesFromTheExactSum) {
    expect_binary<int32_t, int32_t, int32_t>("add.sat", "D D D", {INT32_MAX, INT32_MIN, 5}, {1, -1, 6},
                                             {INT32_MAX, INT32_MIN, 11});
    expect_binary<uint32_t, int32_t, int32_t>("add.sat", "UD D D", {-5, INT32_MAX}, {3, INT32_MAX},
                                              {0, 4294967294});
    expect_binary<uint8_t, uint8_t, uint8_t>("add.sat", "UB UB UB", {255, 7}, {3, 4}, {255, 11});
    expect_binary<int8_t, int8_t, int8_t>("add.sat", "B B B", {127, -128}, {1, -1}, {127, -128});
    expect_binary<int16_t, int16_t, int16_t>("add.sat", "W W W", {32767, -32768}, {1, -1}, {32767, -32768});
    expect_binary<int64_t, int64_t, int64_t>("add.sat", "Q Q Q", {INT64_MAX, INT64_MIN}, {1, -1},
                                             {INT64_MAX, INT64_MIN});
    expect_binary<uint64_t, uint64_t, uint64_t>("add.sat", "UQ UQ UQ", {UINT64_MAX, 1}, {2, 2},
                                                {UINT64_MAX, 3});
}

TEST(Add, Floats) {
    expect_binary<float, float, float>("add", "F F F", {1.5F, 1e30F, -0.0F}, {0.25F, 1.0F, -0.0F},
                                       {1.75F, 1e30F, -0.0F});
    expect_binary<double, double, double>("add", "DF DF DF", {1.5, 0x1p53}, {0.25, 1.0}, {1.75, 0x1p53});
    // 1 + 2^-11 is half way between two halves: even.
    expect_binary<uint16_t, uint16_t, uint16_t>("add", "HF HF HF", {0x3c00, 0x3c01, 0x7bff},
                                                {0x1000, 0x1000, 0x7bff}, {0x3c00, 0x3c02, 0x7c00});
    expect_binary<uint16_t, uint16_t, uint16_t>("add", "BF BF BF", {0x3f80, 0x3f80}, {0x3f80, 0x3b80},
                                                {0x4000, 0x3f80});
    expect_binary<float, uint16_t, float>("add", "F HF F", {0x3c00, 0xc000}, {0.1F, 0.5F}, {1.1F, -1.5F});
    expect_binary<uint16_t, uint16_t, float>("add", "HF HF F", {0x3c00}, {0x1p-11F + 0x1p-20F}, {0x3c01});
}

TEST(Add, FloatSaturationIsTheUnitRange) {
    expect_binary<float, float, float>("add.sat", "F F F", {0.75F, -1.0F, 0.25F, HUGE_VALF},
                                       {0.5F, 0.5F, 0.5F, -HUGE_VALF}, {1.0F, 0.0F, 0.75F, 0.0F});
    expect_binary<double, double, double>("add.sat", "DF DF DF", {0.75, -1.0}, {0.5, 0.5}, {1.0, 0.0});
    expect_binary<uint16_t, uint16_t, uint16_t>("add.sat", "HF HF HF", {0x3c00, 0xbc00}, {0x3c00, 0x3800},
                                                {0x3c00, 0x0000});
}

TEST(Multiply, IntegersKeepTheDestinationsBits) {
    expect_binary<int32_t, int32_t, int32_t>("mul", "D D D", {-3, 65536}, {5, 65537}, {-15, 65536});
    expect_binary<uint32_t, uint32_t, uint16_t>("mul", "UD UD UW", {65537}, {65535}, {4294967295});
    expect_binary<int16_t, int16_t, int16_t>("mul", "W W W", {300, -2}, {300, 16384}, {24464, -32768});
    expect_binary<uint8_t, uint8_t, uint8_t>("mul", "UB UB UB", {20}, {20}, {144});
}

TEST(Multiply, QwordOfDwordsIsExact) {
    expect_binary<int64_t, int32_t, int32_t>("mul", "Q D D", {INT32_MIN, -3}, {INT32_MIN, 5},
                                             {4611686018427387904, -15});
    expect_binary<uint64_t, uint32_t, uint32_t>("mul", "UQ UD UD", {UINT32_MAX}, {UINT32_MAX},
                                                {18446744065119617025U});
    expect_binary<int64_t, int32_t, uint32_t>("mul", "Q D UD", {-1}, {UINT32_MAX}, {-4294967295});
}

TEST(Multiply, Floats) {
    expect_binary<float, float, float>("mul", "F F F", {1.5F, -2.0F}, {2.0F, 0.25F}, {3.0F, -0.5F});
    expect_binary<double, double, double>("mul", "DF DF DF", {1.5}, {-2.5}, {-3.75});
    expect_binary<uint16_t, uint16_t, uint16_t>("mul", "HF HF HF", {0x3e00, 0x5c00}, {0x4000, 0x5c00},
                                                {0x4200, 0x7c00});
    expect_binary<float, float, float>("mul.sat", "F F F", {1.5F, -2.0F}, {2.0F, 0.25F}, {1.0F, 0.0F});
}

TEST(MultiplyHigh, GivesTheUpperDword) {
    expect_binary<int32_t, int32_t, int32_t>("mulh", "D D D", {INT32_MIN, -1, 65536}, {INT32_MIN, 1, 65536},
                                             {1073741824, -1, 1});
    expect_binary<uint32_t, uint32_t, uint32_t>("mulh", "UD UD UD", {UINT32_MAX, 65536}, {UINT32_MAX, 65535},
                                                {4294967294, 0});
    expect_binary<int32_t, int32_t, uint32_t>("mulh", "D D UD", {-1, 2}, {UINT32_MAX, 0x80000000}, {-1, 1});
    Alu alu;
    alu.set<uint32_t>("UD1", {UINT32_MAX});
    alu.run("mulh (M1, 1) UD0 (-)UD1 UD1");
    // -(2^32 - 1)^2 = -2^64 + 2^33 - 1
    EXPECT_EQ(alu.get<uint32_t>("UD0", 1), Values<uint32_t>{1});
}

TEST(MultiplyAdd, Integers) {
    Alu alu;
    alu.set<int32_t>("D1", {3, -2, 65536});
    alu.set<int32_t>("D2", {4, 5, 65536});
    alu.set<int32_t>("D3", {1, -1, 7});
    alu.run("mad (M1, 4) D0 D1 D2 D3");
    EXPECT_EQ(alu.get<int32_t>("D0", 3), (Values<int32_t>{13, -11, 7}));
    alu.set<int16_t>("W1", {300});
    alu.run("mad (M1, 1) D0 W1 W1 D3");
    EXPECT_EQ(alu.get<int32_t>("D0", 1), Values<int32_t>{90001});
    alu.run("mad (M1, 1) D1 D1 D1 D1");
    EXPECT_EQ(alu.get<int32_t>("D1", 1), Values<int32_t>{12});
}

TEST(MultiplyAdd, FloatsRoundOnce) {
    Alu alu;
    const float a = 1.0F + 0x1p-12F; // a * a = 1 + 2^-11 + 2^-24
    alu.set<float>("F1", {a, 2.0F, HUGE_VALF});
    alu.set<float>("F2", {a, 3.0F, 1.0F});
    alu.set<float>("F3", {-(1.0F + 0x1p-11F), 4.0F, 5.0F});
    alu.run("mad (M1, 4) F0 F1 F2 F3");
    EXPECT_EQ(alu.get<float>("F0", 3), (Values<float>{0x1p-24F, 10.0F, HUGE_VALF}));
    // An exact product half way between two floats, and an addend far below that decides.
    alu.set<float>("F1", {1.0F + 0x1p-23F, 1.0F + 0x1p-23F});
    alu.set<float>("F2", {1.5F, 1.5F});
    alu.set<float>("F3", {0x1p-70F, -0x1p-70F});
    alu.run("mad (M1, 2) F0 F1 F2 F3");
    EXPECT_EQ(alu.get<float>("F0", 2), (Values<float>{1.5F + 0x1p-22F, 1.5F + 0x1p-23F}));

    const double d = 1.0 + 0x1p-27;
    alu.set<double>("DF1", {d});
    alu.set<double>("DF2", {d});
    alu.set<double>("DF3", {-(1.0 + 0x1p-26)});
    alu.run("mad (M1, 1) DF0 DF1 DF2 DF3");
    EXPECT_EQ(alu.get<double>("DF0", 1), Values<double>{0x1p-54});

    alu.set<uint16_t>("HF1", {0x3c01, 0x3c01});
    alu.set<uint16_t>("HF2", {0x3e00, 0x3e00});
    alu.set<uint16_t>("HF3", {0x0001, 0x8001}); // tips the tie of 1.5 * (1 + 2^-10)
    alu.run("mad (M1, 2) HF0 HF1 HF2 HF3");
    EXPECT_EQ(alu.get<uint16_t>("HF0", 2), (Values<uint16_t>{0x3e02, 0x3e01}));
    alu.run("mad.sat (M1, 2) F0 F1 F2 F3");
    EXPECT_EQ(alu.get<float>("F0", 2), (Values<float>{1.0F, 1.0F}));
}

TEST(Average, KeepsTheCarry) {
    expect_binary<uint32_t, uint32_t, uint32_t>("avg", "UD UD UD", {UINT32_MAX, 4, 4}, {UINT32_MAX, 5, 6},
                                                {UINT32_MAX, 5, 5});
    expect_binary<int32_t, int32_t, int32_t>("avg", "D D D", {-3, INT32_MIN, -1}, {-4, INT32_MIN, 0},
                                             {-3, INT32_MIN, 0});
    expect_binary<uint8_t, uint8_t, uint8_t>("avg", "UB UB UB", {255, 1}, {254, 2}, {255, 2});
    expect_binary<int16_t, int16_t, int16_t>("avg.sat", "W W W", {32767}, {32767}, {32767});
}

TEST(Divide, IntegersTruncate) {
    expect_binary<int32_t, int32_t, int32_t>("div", "D D D", {7, -7, 7, -7, INT32_MIN}, {2, 2, -2, -2, 1},
                                             {3, -3, -3, 3, INT32_MIN});
    expect_binary<uint32_t, uint32_t, uint32_t>("div", "UD UD UD", {UINT32_MAX, 9}, {2, 10}, {2147483647, 0});
    expect_binary<int8_t, int8_t, int8_t>("div", "B B B", {-128, 100}, {3, -7}, {-42, -14});
    expect_binary<uint16_t, uint16_t, uint16_t>("div", "UW UW UW", {65535}, {256}, {255});
}

TEST(Divide, OverflowWrapsAndZeroHasAResult) {
    expect_binary<int32_t, int32_t, int32_t>("div", "D D D", {INT32_MIN, 5, -5, 0}, {-1, 0, 0, 0},
                                             {INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX});
    expect_binary<uint32_t, uint32_t, uint32_t>("div", "UD UD UD", {5, 0}, {0, 0}, {UINT32_MAX, UINT32_MAX});
}

TEST(Divide, Floats) {
    expect_binary<float, float, float>("div", "F F F", {1.0F, -6.0F, 1.0F}, {3.0F, 2.0F, 0.0F},
                                       {0x1.555556p-2F, -3.0F, HUGE_VALF});
    expect_binary<double, double, double>("div", "DF DF DF", {1.0}, {3.0}, {0x1.5555555555555p-2});
    expect_binary<uint16_t, uint16_t, uint16_t>("div", "HF HF HF", {0x3c00}, {0x4200}, {0x3555});
    expect_binary<float, float, float>("div.sat", "F F F", {3.0F}, {2.0F}, {1.0F});
    expect_binary<float, float, float>("divm", "F F F", {2.0F}, {3.0F}, {0x1.555556p-1F});
    expect_binary<double, double, double>("divm", "DF DF DF", {2.0}, {3.0}, {0x1.5555555555555p-1});
}

TEST(Modulo, HasTheDividendsSign) {
    expect_binary<int32_t, int32_t, int32_t>("mod", "D D D", {7, -7, 7, -7, INT32_MIN}, {3, 3, -3, -3, -1},
                                             {1, -1, 1, -1, 0});
    expect_binary<uint32_t, uint32_t, uint32_t>("mod", "UD UD UD", {UINT32_MAX, 9}, {10, 0}, {5, UINT32_MAX});
    expect_binary<int32_t, int32_t, int32_t>("mod", "D D D", {9, -9}, {0, 0}, {INT32_MAX, INT32_MIN});
}

TEST(Add3, AddsThree) {
    Alu alu(DeviceId::dg2);
    alu.set<int32_t>("D1", {1, INT32_MAX});
    alu.set<int32_t>("D2", {2, 1});
    alu.set<int32_t>("D3", {-5, 1});
    alu.run("add3 (M1, 2) D0 D1 D2 D3");
    EXPECT_EQ(alu.get<int32_t>("D0", 2), (Values<int32_t>{-2, INT32_MIN + 1}));
    alu.run("add3.sat (M1, 2) D0 D1 D2 D3");
    EXPECT_EQ(alu.get<int32_t>("D0", 2), (Values<int32_t>{-2, INT32_MAX}));
    alu.set<uint16_t>("UW1", {65535});
    alu.run("add3 (M1, 1) UW0 UW1 UW1 UW1");
    EXPECT_EQ(alu.get<uint16_t>("UW0", 1), Values<uint16_t>{65533});
}

TEST(Dot4, BytesAreSignedWhereTheirSourceIs) {
    Alu alu(DeviceId::tgllp);
    alu.set<int32_t>("D1", {100, INT32_MAX});
    alu.set<uint32_t>("D2", {0x01ff0280, 0x7f7f7f7f}); // 1, -1, 2, -128
    alu.set<uint32_t>("D3", {0x05060708, 0x7f7f7f7f}); // 5, 6, 7, 8
    alu.run("dp4a (M1, 2) D0 D1 D2 D3");
    // 100 + 5 - 6 + 14 - 1024
    EXPECT_EQ(alu.get<int32_t>("D0", 2), (Values<int32_t>{-911, INT32_MIN + 64515}));
    alu.run("dp4a.sat (M1, 2) D0 D1 D2 D3");
    EXPECT_EQ(alu.get<int32_t>("D0", 2), (Values<int32_t>{-911, INT32_MAX}));
    alu.set<uint32_t>("UD1", {100});
    alu.set<uint32_t>("UD2", {0x01ff0280});
    alu.set<uint32_t>("UD3", {0x05060708});
    alu.run("dp4a (M1, 1) UD0 UD1 UD2 UD3");
    // 100 + 5 + 255*6 + 14 + 128*8
    EXPECT_EQ(alu.get<uint32_t>("UD0", 1), Values<uint32_t>{2673});
    alu.run("dp4a (M1, 1) D0 D1 D2 UD3");
    EXPECT_EQ(alu.get<int32_t>("D0", 1), Values<int32_t>{-911});
    alu.run("dp4a (M1, 1) D0 D1 UD2 D3");
    EXPECT_EQ(alu.get<int32_t>("D0", 1), Values<int32_t>{2673});
}

TEST(LeadingZeros, ThirtyTwoForZero) {
    expect_unary<uint32_t, uint32_t>("lzd", "UD0", "UD1", {0, 1, 0x80000000, 0x00ffffff}, {32, 31, 0, 8});
}

// Mandatory for every instruction: a destination that overlaps a source, one element on.
struct OverlapCase {
    const char* line;
    const char* apart; // the same with a destination of its own
    const char* type;
};
void expect_same_when_overlapping(const OverlapCase& c, DeviceId device) {
    const Values<uint32_t> start{0x3f800000, 0x40490fdb, 0x00000007, 0xbf000000, 0x3e800000, 0x00ff00ff,
                                 0x40000000, 0x7fffffff, 0x12345678, 0x3f000000, 0x80000001, 0x41200000};
    const std::string variable = std::string(c.type) + "1";
    const std::string other = std::string(c.type) + "0";
    Alu overlapping(device);
    overlapping.set<uint32_t>(variable, start);
    overlapping.run(c.line);
    Alu apart(device);
    apart.set<uint32_t>(variable, start);
    apart.run(c.apart);
    EXPECT_EQ(overlapping.get<uint32_t>(variable, 8, 4), apart.get<uint32_t>(other, 8, 4)) << c.line;
}

TEST(Overlap, EveryArithmeticInstruction) {
    const std::string to = "(0,1)<1> ";
    const auto expect = [&](const std::string& mnemonic, const std::string& type,
                            const std::string& sources) {
        const std::string head = mnemonic + " (M1, 8) " + type;
        const std::string line = head + "1" + to + sources;
        const std::string apart = head + "0" + to + sources;
        const bool recent = mnemonic == "add3";
        expect_same_when_overlapping({line.c_str(), apart.c_str(), type.c_str()},
                                     recent ? DeviceId::dg2 : DeviceId::skl);
    };
    for (const char* mnemonic : {"add", "avg", "div", "mod", "mul", "mulh"})
        expect(mnemonic, "D", "D1 D1(0,2)<1;1,0>");
    for (const char* mnemonic : {"add", "mul", "div", "pow", "divm"})
        expect(mnemonic, "F", "F1 F1(0,2)<1;1,0>");
    for (const char* mnemonic :
         {"exp", "frc", "log", "rndd", "rndu", "rnde", "rndz", "sin", "cos", "sqrt", "rsqrt", "inv", "sqrtm"})
        expect(mnemonic, "F", "F1");
    for (const char* mnemonic : {"mad", "add3"})
        expect(mnemonic, "D", "D1 D1(0,2)<1;1,0> D1(0,3)<0;1,0>");
    expect("mad", "F", "F1 F1(0,2)<1;1,0> F1(0,3)<0;1,0>");
    expect("lrp", "F", "F1 F1 F1(0,3)<0;1,0>");
    for (const char* mnemonic : {"dp2", "dp3", "dp4", "dph", "line"})
        expect(mnemonic, "F", "F1 F1");
    expect("lzd", "UD", "UD1");
}

} // namespace
} // namespace visor::alu_test
