#include "fixture.h"

#include <cmath>

namespace visor::alu_test {
namespace {

// The predicate's bits under eq, ne, gt, ge, lt, le.
void expect_relations(Alu& alu, const std::string& sources, uint32_t lanes,
                      const std::array<uint32_t, 6>& expected) {
    constexpr std::array names{"eq", "ne", "gt", "ge", "lt", "le"};
    for (size_t i = 0; i < names.size(); ++i) {
        alu.predicates[1] = 0;
        alu.run(std::string("cmp.") + names[i] + " (M1, " + std::to_string(lanes) + ") P1 " + sources);
        EXPECT_EQ(alu.predicates[1], expected[i]) << names[i] << ' ' << sources;
    }
}

TEST(Compare, SignedAndUnsigned) {
    Alu alu;
    alu.set<int32_t>("D1", {-1, 5, 7, INT32_MIN});
    alu.set<int32_t>("D2", {1, 5, 6, INT32_MAX});
    expect_relations(alu, "D1 D2", 4, {0x2, 0xd, 0x4, 0x6, 0x9, 0xb});
    alu.set<int32_t>("UD1", {-1, 5, 7, INT32_MIN});
    alu.set<int32_t>("UD2", {1, 5, 6, INT32_MAX});
    expect_relations(alu, "UD1 UD2", 4, {0x2, 0xd, 0xd, 0xf, 0x0, 0x2});
}

TEST(Compare, MixedTypesAsNumbers) {
    Alu alu;
    alu.set<int32_t>("D1", {-1, 5});
    alu.set<uint32_t>("UD2", {UINT32_MAX, 5});
    expect_relations(alu, "D1 UD2", 2, {0x2, 0x1, 0x0, 0x2, 0x1, 0x3});
    alu.set<int16_t>("W1", {-1, 300});
    alu.set<uint8_t>("UB2", {255, 44});
    expect_relations(alu, "W1 UB2", 2, {0x0, 0x3, 0x2, 0x2, 0x1, 0x1});
    alu.set<int64_t>("Q1", {-1, INT64_MAX});
    alu.set<uint64_t>("UQ2", {UINT64_MAX, UINT64_MAX});
    expect_relations(alu, "Q1 UQ2", 2, {0x0, 0x3, 0x0, 0x0, 0x3, 0x3});
    alu.set<uint32_t>("UD1", {1, 2});
    expect_relations(alu, "(-)UD1 D1", 2, {0x1, 0x2, 0x0, 0x1, 0x2, 0x3});
}

TEST(Compare, FloatsAndNaN) {
    Alu alu;
    const float nan = std::nanf("");
    alu.set<float>("F1", {1.0F, -0.0F, nan, HUGE_VALF});
    alu.set<float>("F2", {2.0F, 0.0F, nan, HUGE_VALF});
    expect_relations(alu, "F1 F2", 4, {0xa, 0x5, 0x0, 0xa, 0x1, 0xb});
    alu.set<double>("DF1", {1.0, std::nan("")});
    alu.set<double>("DF2", {1.0, 1.0});
    expect_relations(alu, "DF1 DF2", 2, {0x1, 0x2, 0x0, 0x1, 0x0, 0x1});
    alu.set<uint16_t>("HF1", {0x3c00, 0x7e00});
    alu.set<uint16_t>("HF2", {0x4000, 0x3c00});
    expect_relations(alu, "HF1 HF2", 2, {0x0, 0x3, 0x0, 0x0, 0x1, 0x1});
    alu.set<uint16_t>("BF1", {0xbf80, 0x4000});
    alu.set<uint16_t>("BF2", {0x3f80, 0x4000});
    expect_relations(alu, "BF1 BF2", 2, {0x2, 0x1, 0x0, 0x2, 0x1, 0x3});
    alu.set<float>("F1", {1.5F, 0.5F});
    expect_relations(alu, "(-)F1 0xbf800000:f", 2, {0x0, 0x3, 0x2, 0x2, 0x1, 0x1});
}

TEST(Compare, WritesOnlyTheEnabledBitsOfItsSlice) {
    Alu alu;
    alu.set<int32_t>("D1", {1, 1, 1, 1, 1, 1, 1, 1});
    alu.predicates[1] = 0xa5a5a5a5;
    alu.mask = 0x0f000000;
    alu.run("cmp.eq (M7, 8) P1 D1 0x1:d");
    EXPECT_EQ(alu.predicates[1], 0xafa5a5a5U);
    alu.run("cmp.ne (M7, 8) P1 D1 0x1:d");
    EXPECT_EQ(alu.predicates[1], 0xa0a5a5a5U);
    alu.run("cmp.eq (M1_NM, 1) P1 D1 0x0:d");
    EXPECT_EQ(alu.predicates[1], 0xa0a5a5a4U);
}

TEST(Compare, GeneralDestinationIsAllOnesOrZero) {
    Alu alu;
    alu.set<int32_t>("D1", {1, 2, 3, 4});
    alu.mask = 0x7;
    alu.run("cmp.gt (M1, 4) D0 D1 0x1:d");
    EXPECT_EQ(alu.get<uint32_t>("D0", 4),
              (Values<uint32_t>{0, UINT32_MAX, UINT32_MAX, untouched<uint32_t>()}));
    alu.run("cmp.gt (M1, 4) W0 D1 0x2:d");
    EXPECT_EQ(alu.get<uint16_t>("W0", 4), (Values<uint16_t>{0, 0, 0xffff, untouched<uint16_t>()}));
    alu.run("cmp.le (M1, 2) UQ0 D1 0x1:d");
    EXPECT_EQ(alu.get<uint64_t>("UQ0", 2), (Values<uint64_t>{UINT64_MAX, 0}));
    alu.set<float>("F1", {1, 2});
    alu.run("cmp.lt (M1, 2) F1 F1 0x3fc00000:f");
    EXPECT_EQ(alu.get<uint32_t>("F1", 2), (Values<uint32_t>{UINT32_MAX, 0})) << "over its own source";
}

TEST(MinMax, Integers) {
    expect_binary<int32_t, int32_t, int32_t>("min", "D D D", {-1, 5}, {1, 4}, {-1, 4});
    expect_binary<int32_t, int32_t, int32_t>("max", "D D D", {-1, 5}, {1, 4}, {1, 5});
    expect_binary<uint32_t, uint32_t, uint32_t>("min", "UD UD UD", {UINT32_MAX, 5}, {1, 4}, {1, 4});
    expect_binary<uint32_t, uint32_t, uint32_t>("max", "UD UD UD", {UINT32_MAX, 5}, {1, 4}, {UINT32_MAX, 5});
    expect_binary<int16_t, int16_t, int16_t>("min", "W W W", {-300, 7}, {300, 8}, {-300, 7});
    expect_binary<uint8_t, uint8_t, uint8_t>("max", "UB UB UB", {200, 7}, {100, 8}, {200, 8});
    expect_binary<int64_t, int64_t, int64_t>("min", "Q Q Q", {INT64_MIN, 1}, {0, 0}, {INT64_MIN, 0});
    expect_binary<uint64_t, uint64_t, uint64_t>("max", "UQ UQ UQ", {UINT64_MAX}, {0}, {UINT64_MAX});
    expect_binary<int64_t, int32_t, uint32_t>("max", "Q D UD", {-1}, {UINT32_MAX}, {4294967295});
    expect_binary<uint8_t, int32_t, int32_t>("max.sat", "UB D D", {-5, 300}, {-7, 0}, {0, 255});
}

TEST(MinMax, ANumberWinsOverNaN) {
    const float nan = std::nanf("");
    expect_binary<float, float, float>("min", "F F F", {nan, 1.0F, 2.0F, -1.0F},
                                       {1.0F, nan, 3.0F, -HUGE_VALF}, {1.0F, 1.0F, 2.0F, -HUGE_VALF});
    expect_binary<float, float, float>("max", "F F F", {nan, 1.0F, 2.0F, -1.0F},
                                       {1.0F, nan, 3.0F, -HUGE_VALF}, {1.0F, 1.0F, 3.0F, -1.0F});
    expect_binary<uint32_t, uint32_t, uint32_t>("min", "F F F", {0x7fc00001}, {0x7fc00002}, {0x7fc00002});
    expect_binary<uint32_t, uint32_t, uint32_t>("max", "F F F", {0x7fc00001}, {0x7fc00002}, {0x7fc00002});
    expect_binary<double, double, double>("max", "DF DF DF", {std::nan(""), 2.0}, {1.0, 3.0}, {1.0, 3.0});
    expect_binary<uint16_t, uint16_t, uint16_t>("min", "HF HF HF", {0x7e00, 0xbc00}, {0x3c00, 0x3c00},
                                                {0x3c00, 0xbc00});
}

TEST(MinMax, NegativeZeroIsLess) {
    expect_binary<uint32_t, uint32_t, uint32_t>("min", "F F F", {0x80000000, 0}, {0, 0x80000000},
                                                {0x80000000, 0x80000000});
    expect_binary<uint32_t, uint32_t, uint32_t>("max", "F F F", {0x80000000, 0}, {0, 0x80000000}, {0, 0});
}

TEST(MinMax, Saturates) {
    expect_binary<float, float, float>("max.sat", "F F F", {2.0F, -2.0F}, {1.0F, -1.0F}, {1.0F, 0.0F});
}

TEST(MinMax, OverlapAndMask) {
    Alu alu;
    alu.set<int32_t>("D1", {5, 1, 7, 3, 9});
    alu.mask = 0xd;
    alu.run("max (M1, 4) D1(0,1)<1> D1 D1(0,1)<1;1,0>");
    EXPECT_EQ(alu.get<int32_t>("D1", 5), (Values<int32_t>{5, 5, 7, 7, 9}));
    alu.mask = 0xf;
    alu.set<float>("F1", {5, 1, 7, 3, 9});
    alu.run("min (M1, 4) F1(0,1)<1> F1 F1(0,1)<1;1,0>");
    EXPECT_EQ(alu.get<float>("F1", 5), (Values<float>{5, 1, 1, 3, 3}));
}

} // namespace
} // namespace visor::alu_test
