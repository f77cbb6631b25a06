#include "fixture.h"

namespace visor::alu_test {
namespace {

using isa::DeviceId;

TEST(Bitwise, EveryWidth) {
    expect_binary<uint32_t, uint32_t, uint32_t>("and", "UD UD UD", {0xff00ff00, 0xf}, {0x0ff00ff0, 0x10},
                                                {0x0f000f00, 0});
    expect_binary<uint32_t, uint32_t, uint32_t>("or", "UD UD UD", {0xff00ff00}, {0x0ff00ff0}, {0xfff0fff0});
    expect_binary<uint32_t, uint32_t, uint32_t>("xor", "UD UD UD", {0xff00ff00}, {0x0ff00ff0}, {0xf0f0f0f0});
    expect_binary<uint64_t, uint64_t, uint64_t>("and", "UQ UQ UQ", {0xff00000000000001}, {0x8100000000000003},
                                                {0x8100000000000001});
    expect_binary<uint16_t, uint16_t, uint16_t>("xor", "UW UW UW", {0xff00}, {0x0ff0}, {0xf0f0});
    expect_binary<uint8_t, uint8_t, uint8_t>("or", "UB UB UB", {0x81}, {0x18}, {0x99});
    expect_unary<uint32_t, uint32_t>("not", "UD0", "UD1", {0, 0xff00ff00}, {0xffffffff, 0x00ff00ff});
    expect_unary<uint16_t, uint16_t>("not", "UW0", "UW1", {0x1234}, {0xedcb});
    expect_unary<uint64_t, uint64_t>("not", "UQ0", "UQ1", {1}, {0xfffffffffffffffe});
}

TEST(Bitwise, NarrowSourcesExtendByTheirSign) {
    expect_binary<int32_t, int32_t, int16_t>("and", "D D W", {-1}, {-2}, {-2});
    expect_binary<uint32_t, uint32_t, uint16_t>("or", "UD UD UW", {0x10000}, {0xffff}, {0x1ffff});
    expect_binary<int64_t, int32_t, int32_t>("xor", "Q D D", {-1}, {0}, {-1});
}

TEST(Bitwise, NotModifier) {
    Alu alu;
    alu.set<uint32_t>("UD1", {0xff00ff00, 1});
    alu.set<uint32_t>("UD2", {0xffffffff, 3});
    alu.run("and (M1, 2) UD0 (~)UD1 UD2");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 2), (Values<uint32_t>{0x00ff00ff, 2}));
    alu.run("not (M1, 2) UD0 (~)UD1");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 2), (Values<uint32_t>{0xff00ff00, 1}));
}

TEST(PredicateLogic, WorksOnTheEnabledSlice) {
    Alu alu;
    alu.predicates = {0, 0xffff'ffff, 0x00f0'0f0c, 0x0f0f'0f0a};
    alu.run("and (M1, 8) P1 P2 P3");
    EXPECT_EQ(alu.predicates[1], 0xffff'ff08U);
    alu.run("or (M1, 4) P1 P2 P3");
    EXPECT_EQ(alu.predicates[1], 0xffff'ff0eU);
    alu.run("xor (M1, 4) P1 P2 P3");
    EXPECT_EQ(alu.predicates[1], 0xffff'ff06U);
    alu.run("not (M5, 16) P1 P2");
    EXPECT_EQ(alu.predicates[1], 0xff0f'ff06U);
    alu.mask = 0x1;
    alu.run("not (M1, 32) P1 P2");
    EXPECT_EQ(alu.predicates[1], 0xff0f'ff07U);
    alu.run("not (M1_NM, 32) P1 P1");
    EXPECT_EQ(alu.predicates[1], 0x00f0'00f8U);
}

TEST(Shift, LeftCountsFiveBits) {
    expect_binary<uint32_t, uint32_t, uint32_t>("shl", "UD UD UD", {1, 1, 3, 0x80000001}, {31, 32, 33, 1},
                                                {0x80000000, 1, 6, 2});
    expect_binary<int32_t, int32_t, uint16_t>("shl", "D D UW", {-1, 5}, {4, 2}, {-16, 20});
    expect_binary<int16_t, int16_t, int16_t>("shl", "W W W", {1, 1}, {15, 16}, {-32768, 0});
    expect_binary<uint8_t, uint8_t, uint8_t>("shl", "UB UB UB", {3}, {7}, {0x80});
}

TEST(Shift, LeftCountsSixBitsOnQwords) {
    expect_binary<uint64_t, uint64_t, uint32_t>("shl", "UQ UQ UD", {1, 1, 1}, {63, 64, 32},
                                                {uint64_t{1} << 63U, 1, uint64_t{1} << 32U});
    expect_binary<int64_t, int32_t, int32_t>("shl", "Q D D", {-1, 1}, {40, 33}, {-1099511627776, 8589934592});
}

TEST(Shift, LeftSaturates) {
    expect_binary<int32_t, int32_t, int32_t>("shl.sat", "D D D", {1, -1, INT32_MAX, 3}, {31, 31, 1, 2},
                                             {INT32_MAX, INT32_MIN, INT32_MAX, 12});
    expect_binary<uint32_t, uint32_t, uint32_t>("shl.sat", "UD UD UD", {3, 1}, {31, 31},
                                                {UINT32_MAX, 0x80000000});
    expect_binary<int16_t, int16_t, int16_t>("shl.sat", "W W W", {1, -1}, {15, 16}, {32767, -32768});
}

TEST(Shift, RightIsLogicalForShr) {
    expect_binary<uint32_t, uint32_t, uint32_t>("shr", "UD UD UD", {0x80000000, 0x80000000, 7}, {31, 32, 1},
                                                {1, 0x80000000, 3});
    expect_binary<uint64_t, uint64_t, uint64_t>("shr", "UQ UQ UQ", {uint64_t{1} << 63U, 5}, {63, 64}, {1, 5});
    expect_binary<uint16_t, uint16_t, uint16_t>("shr", "UW UW UW", {0x8000}, {15}, {1});
    expect_binary<uint32_t, uint64_t, uint32_t>("shr", "UD UQ UD", {0x1234567890}, {32}, {0x12});
    expect_binary<uint32_t, int32_t, int32_t>("shr", "UD D D", {-1, -256}, {4, 8}, {0x0fffffff, 0x00ffffff});
    expect_binary<uint32_t, int16_t, int16_t>("shr", "UD W W", {-1}, {4}, {0x0fff});
}

TEST(Shift, RightIsArithmeticForAsr) {
    expect_binary<int32_t, int32_t, int32_t>("asr", "D D D", {-8, INT32_MIN, 8, -1}, {1, 31, 1, 32},
                                             {-4, -1, 4, -1});
    expect_binary<int64_t, int64_t, int64_t>("asr", "Q Q Q", {INT64_MIN, -8}, {63, 64}, {-1, -8});
    expect_binary<int16_t, int16_t, int16_t>("asr", "W W W", {-32768}, {15}, {-1});
    expect_binary<int32_t, int64_t, int32_t>("asr", "D Q D", {-0x500000000}, {32}, {-5});
    expect_binary<uint32_t, uint32_t, uint32_t>("asr", "UD UD UD", {0x80000000}, {4}, {0x08000000});
    Alu alu;
    alu.set<int32_t>("D1", {INT32_MIN, 7});
    alu.run("asr (M1, 2) D0 (-)D1 0x1:d");
    EXPECT_EQ(alu.get<int32_t>("D0", 2), (Values<int32_t>{-(1 << 30), -4}))
        << "-2^31 stays itself (ruling 146)";
}

TEST(Rotate, CountsModuloTheSourcesWidth) {
    const auto rotate = [](const char* line, auto in, auto out) {
        using T = decltype(in);
        Alu alu(DeviceId::pvc);
        const std::string type = sizeof(T) == 2 ? "UW" : sizeof(T) == 4 ? "UD" : "UQ";
        alu.set<T>(type + "1", {in});
        alu.run(line);
        EXPECT_EQ(alu.get<T>(type + "0", 1), Values<T>{out}) << line;
    };
    rotate("rol (M1, 1) UD0 UD1 0x4:ud", uint32_t{0x12345678}, uint32_t{0x23456781});
    rotate("rol (M1, 1) UD0 UD1 0x24:ud", uint32_t{0x12345678}, uint32_t{0x23456781});
    rotate("rol (M1, 1) UD0 UD1 0x0:ud", uint32_t{0x12345678}, uint32_t{0x12345678});
    rotate("ror (M1, 1) UD0 UD1 0x4:ud", uint32_t{0x12345678}, uint32_t{0x81234567});
    rotate("rol (M1, 1) UW0 UW1 0x4:uw", uint16_t{0x1234}, uint16_t{0x2341});
    rotate("ror (M1, 1) UW0 UW1 0x11:uw", uint16_t{0x1235}, uint16_t{0x891a});
    rotate("rol (M1, 1) UQ0 UQ1 0x8:uq", uint64_t{0x123456789abcdef0}, uint64_t{0x3456789abcdef012});
    rotate("ror (M1, 1) UQ0 UQ1 0x44:uq", uint64_t{0x123456789abcdef0}, uint64_t{0x0123456789abcdef});
}

TEST(Count, BitsAndPositions) {
    expect_unary<uint32_t, uint32_t>("cbit", "UD0", "UD1", {0, 0xffffffff, 0x80000001}, {0, 32, 2});
    expect_unary<uint32_t, uint8_t>("cbit", "UD0", "UB1", {0xff, 0x10}, {8, 1});
    expect_unary<uint32_t, uint16_t>("cbit", "UD0", "UW1", {0xffff}, {16});
    expect_unary<uint32_t, uint32_t>("fbl", "UD0", "UD1", {0, 1, 0x80000000, 12}, {UINT32_MAX, 0, 31, 2});
    expect_unary<uint32_t, uint32_t>("fbh", "UD0", "UD1", {0, 1, 0x80000000, 0xffffffff},
                                     {UINT32_MAX, 31, 0, 0});
    expect_unary<uint32_t, int32_t>("fbh", "UD0", "D1", {0, 1, -1, -2, INT32_MIN, 0x40000000},
                                    {UINT32_MAX, 31, UINT32_MAX, 31, 1, 1});
    expect_unary<uint32_t, uint32_t>("bfrev", "UD0", "UD1", {1, 0x80000000, 0x12345678},
                                     {0x80000000, 1, 0x1e6a2c48});
}

TEST(BitField, Extract) {
    Alu alu;
    alu.set<uint32_t>("UD1", {8, 4, 0, 32, 16}); // width
    alu.set<uint32_t>("UD2", {8, 28, 5, 0, 24}); // offset
    alu.set<uint32_t>("UD3", {0x12345678, 0xf0000000, 0xffffffff, 0xffffffff, 0x89abcdef});
    alu.run("bfe (M1, 8) UD0 UD1 UD2 UD3");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 5), (Values<uint32_t>{0x56, 0xf, 0, 0, 0x89}));
    alu.set<int32_t>("D1", {8, 8, 4, 0, 16, 37});
    alu.set<int32_t>("D2", {8, 0, 28, 5, 24, 0});
    alu.set<uint32_t>("D3", {0x1234f678, 0x7f, 0x70000000, 0xffffffff, 0x89abcdef, 0x0000001f});
    alu.run("bfe (M1, 8) D0 D1 D2 D3");
    EXPECT_EQ(alu.get<int32_t>("D0", 6), (Values<int32_t>{-10, 127, 7, 0, -119, -1}));
}

TEST(BitField, Insert) {
    Alu alu;
    alu.set<uint32_t>("UD1", {8, 4, 0, 8});
    alu.set<uint32_t>("UD2", {8, 28, 5, 28});
    alu.set<uint32_t>("UD3", {0xffffffab, 0x5, 0xffffffff, 0xff});
    alu.run("bfi (M1, 4) UD0 UD1 UD2 UD3 0x11111111:ud");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 4),
              (Values<uint32_t>{0x1111ab11, 0x51111111, 0x11111111, 0xf1111111}));
}

TEST(BooleanFunction, TheTableIsIndexedBySourceBits) {
    Alu alu(DeviceId::dg2);
    // All eight combinations of source bits: bit k of the result is bit k of the table.
    alu.set<uint32_t>("UD1", {0xaa});
    alu.set<uint32_t>("UD2", {0xcc});
    alu.set<uint32_t>("UD3", {0xf0});
    for (const char* table : {"xca", "x96", "x0f", "x01", "x80"}) {
        alu.run(std::string("bfn.") + table + " (M1, 1) UD0 UD1 UD2 UD3");
        EXPECT_EQ(alu.get<uint8_t>("UD0", 1),
                  Values<uint8_t>{static_cast<uint8_t>(std::stoi(table + 1, nullptr, 16))});
    }
    alu.set<uint16_t>("UW1", {0xff00});
    alu.set<uint16_t>("UW2", {0x0ff0});
    alu.run("bfn.x96 (M1, 1) UW0 UW1 UW2 0x1:uw");
    EXPECT_EQ(alu.get<uint16_t>("UW0", 1), Values<uint16_t>{0xf0f1}) << "exclusive or of three";
}

TEST(Overlap, EveryLogicInstruction) {
    const auto expect = [](const std::string& mnemonic, const std::string& sources) {
        const Values<uint32_t> start{0x3f800000, 0x40490fdb, 7, 0xbf000000, 0x3e800000, 0x00ff00ff,
                                     0x40000000, 0x7fffffff, 5, 0x3f000000, 0x80000001, 0x41200000};
        Alu over(DeviceId::pvc);
        over.set<uint32_t>("UD1", start);
        over.run(mnemonic + " (M1, 8) UD1(0,1)<1> " + sources);
        Alu apart(DeviceId::pvc);
        apart.set<uint32_t>("UD1", start);
        apart.run(mnemonic + " (M1, 8) UD0(0,1)<1> " + sources);
        EXPECT_EQ((over.get<uint32_t>("UD1", 8, 4)), (apart.get<uint32_t>("UD0", 8, 4))) << mnemonic;
        EXPECT_NE((apart.get<uint32_t>("UD0", 8, 4)), Values<uint32_t>(8, untouched<uint32_t>())) << mnemonic;
    };
    for (const char* mnemonic : {"not", "cbit", "fbl", "fbh", "bfrev"})
        expect(mnemonic, "UD1");
    for (const char* mnemonic : {"and", "or", "xor", "shl", "shr", "asr", "rol", "ror"})
        expect(mnemonic, "UD1 UD1(0,2)<1;1,0>");
    expect("bfe", "UD1 UD1(0,2)<1;1,0> UD1(0,3)<0;1,0>");
    expect("bfn.x96", "UD1 UD1(0,2)<1;1,0> UD1(0,3)<0;1,0>");
    expect("bfi", "UD1 UD1(0,2)<1;1,0> UD1(0,3)<0;1,0> UD1(0,4)<0;1,0>");
}

} // namespace
} // namespace visor::alu_test
