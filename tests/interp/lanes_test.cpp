// How operands are reached, whatever the instruction: regions, masks, modifiers, indirect addresses,
// immediates.
#include "fixture.h"

namespace visor::alu_test {
namespace {

Values<int32_t> count(size_t n, int32_t first = 0) {
    Values<int32_t> values(n);
    for (size_t i = 0; i < n; ++i)
        values[i] = first + static_cast<int32_t>(i);
    return values;
}

TEST(Region, ScalarContiguousAndStrided) {
    Alu alu;
    alu.set<int32_t>("D1", count(64));
    alu.run("mov (M1, 8) D0 D1(0,5)<0;1,0>");
    EXPECT_EQ(alu.get<int32_t>("D0", 8), (Values<int32_t>{5, 5, 5, 5, 5, 5, 5, 5}));
    alu.run("mov (M1, 8) D0 D1(0,2)<1;1,0>");
    EXPECT_EQ(alu.get<int32_t>("D0", 8), (Values<int32_t>{2, 3, 4, 5, 6, 7, 8, 9}));
    alu.run("mov (M1, 8) D0 D1(0,0)<2;1,0>");
    EXPECT_EQ(alu.get<int32_t>("D0", 8), (Values<int32_t>{0, 2, 4, 6, 8, 10, 12, 14}));
    alu.run("mov (M1, 8) D0 D1(0,0)<4;2,1>");
    EXPECT_EQ(alu.get<int32_t>("D0", 8), (Values<int32_t>{0, 1, 4, 5, 8, 9, 12, 13}));
    alu.run("mov (M1, 8) D0 D1(0,0)<1;4,2>");
    EXPECT_EQ(alu.get<int32_t>("D0", 8), (Values<int32_t>{0, 2, 4, 6, 1, 3, 5, 7}));
    alu.run("mov (M1, 8) D0 D1(0,1)<0;4,1>");
    EXPECT_EQ(alu.get<int32_t>("D0", 8), (Values<int32_t>{1, 2, 3, 4, 1, 2, 3, 4}));
    alu.run("mov (M1, 8) D0 D1(0,3)<0;2,0>");
    EXPECT_EQ(alu.get<int32_t>("D0", 8), (Values<int32_t>{3, 3, 3, 3, 3, 3, 3, 3}));
}

TEST(Region, ARowOfTheFirstWidthIsContiguousWhateverItsStride) {
    Alu alu;
    alu.set<int32_t>("D1", count(64));
    alu.run("mov (M1, 8) D0 D1(0,4)<0;8,1>");
    EXPECT_EQ(alu.get<int32_t>("D0", 8), (Values<int32_t>{4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST(Region, RowsAreRegistersOfTheDevice) {
    for (const auto& [device, row_elements] :
         {std::pair{isa::DeviceId::skl, 8}, std::pair{isa::DeviceId::pvc, 16}}) {
        Alu alu(device);
        alu.set<int32_t>("D1", count(64));
        // The last element of row 1 and those of row 2 behind it.
        alu.run("mov (M1, 4) D0(1,6)<1> D1(1,7)<1;1,0>");
        const int32_t first = row_elements + 7;
        EXPECT_EQ(alu.get<int32_t>("D0", 4, static_cast<size_t>(row_elements + 6) * 4), count(4, first));
        EXPECT_EQ(alu.get<int32_t>("D0", 1), Values<int32_t>{untouched<int32_t>()});
    }
}

TEST(Region, DestinationStrideLeavesTheGapsAlone) {
    Alu alu;
    alu.set<int16_t>("W1", {1, 2, 3, 4});
    alu.run("mov (M1, 4) W0(0,1)<2> W1");
    const auto gap = untouched<int16_t>();
    EXPECT_EQ(alu.get<int16_t>("W0", 9), (Values<int16_t>{gap, 1, gap, 2, gap, 3, gap, 4, gap}));
}

TEST(Region, EverySizeOfExecution) {
    for (const size_t lanes : {1U, 2U, 4U, 8U, 16U, 32U}) {
        Alu alu;
        alu.set<int32_t>("D1", count(32, 100));
        alu.run("add (M1, " + std::to_string(lanes) + ") D0 D1 0x1:d");
        auto expected = count(lanes, 101);
        expected.push_back(untouched<int32_t>());
        EXPECT_EQ(alu.get<int32_t>("D0", lanes + 1), expected);
    }
}

TEST(Mask, DisabledLanesKeepTheirBytes) {
    for (const std::string sizes : {"D0 D1", "W0 W1", "B0 B1", "Q0 Q1"}) {
        Alu alu;
        const std::string from = sizes.substr(sizes.find(' ') + 1);
        const std::string to = sizes.substr(0, sizes.find(' '));
        const size_t bytes = to == "D0" ? 4 : to == "W0" ? 2 : to == "B0" ? 1 : 8;
        alu.set<uint8_t>(from, Values<uint8_t>(16 * bytes, 0x11));
        alu.mask = 0xa5c3;
        alu.run("mov (M1, 16) " + sizes);
        const auto out = alu.get<uint8_t>(to, 17 * bytes);
        for (size_t i = 0; i < out.size(); ++i)
            ASSERT_EQ(out[i], (0xa5c3U >> (i / bytes) & 1U) != 0 ? 0x11 : pattern) << sizes << ' ' << i;
    }
}

TEST(Mask, OffsetsSelectTheUpperLanes) {
    Alu alu;
    alu.set<int32_t>("D1", count(8));
    alu.mask = 0x00050000;
    alu.run("mov (M5, 8) D0 D1");
    const auto off = untouched<int32_t>();
    EXPECT_EQ(alu.get<int32_t>("D0", 4), (Values<int32_t>{0, off, 2, off}));
    alu.run("mov (M5_NM, 8) D0 D1");
    EXPECT_EQ(alu.get<int32_t>("D0", 8), count(8));
}

TEST(Mask, PredicateAndMaskBothSwitchOff) {
    Alu alu;
    alu.set<int32_t>("D1", count(8));
    alu.mask = 0x0f;
    alu.predicates[1] = 0x3c;
    alu.run("(P1) add (M1, 8) D0 D1 0x0:d");
    const auto off = untouched<int32_t>();
    EXPECT_EQ(alu.get<int32_t>("D0", 8), (Values<int32_t>{off, off, 2, 3, off, off, off, off}));
    alu.run("(!P1) add (M1, 8) D0 D1 0x0:d");
    EXPECT_EQ(alu.get<int32_t>("D0", 8), (Values<int32_t>{0, 1, 2, 3, off, off, off, off}));
}

TEST(Mask, AnyAndAllReduceBeforeTheInversion) {
    Alu alu;
    alu.set<int32_t>("D1", count(4));
    alu.predicates[1] = 0x2;
    alu.run("(P1.all) mov (M1, 4) D0 D1");
    EXPECT_EQ(alu.get<int32_t>("D0", 1), Values<int32_t>{untouched<int32_t>()});
    alu.run("(P1.any) mov (M1, 4) D0 D1");
    EXPECT_EQ(alu.get<int32_t>("D0", 4), count(4));
    alu.run("(!P1.any) mov (M1, 4) D2 D1");
    EXPECT_EQ(alu.get<int32_t>("D2", 1), Values<int32_t>{untouched<int32_t>()});
    alu.run("(!P1.all) mov (M1, 4) D2 D1");
    EXPECT_EQ(alu.get<int32_t>("D2", 4), count(4));
}

TEST(Overlap, EverySourceIsReadBeforeAnythingIsWritten) {
    Alu alu;
    alu.set<int32_t>("D1", count(20, 1));
    alu.run("mov (M1, 16) D1(0,1)<1> D1(0,0)<1;1,0>");
    auto expected = count(16, 1);
    expected.insert(expected.begin(), 1);
    EXPECT_EQ(alu.get<int32_t>("D1", 17), expected);

    alu.set<int32_t>("D1", count(20, 1));
    alu.run("add (M1, 16) D1(0,2)<1> D1(0,0)<1;1,0> D1(0,1)<1;1,0>");
    EXPECT_EQ(alu.get<int32_t>("D1", 6), (Values<int32_t>{1, 2, 3, 5, 7, 9}));

    // A scalar source inside the destination.
    alu.set<int32_t>("D1", count(8, 1));
    alu.run("mul (M1, 8) D1 D1 D1(0,1)<0;1,0>");
    EXPECT_EQ(alu.get<int32_t>("D1", 8), (Values<int32_t>{2, 4, 6, 8, 10, 12, 14, 16}));
}

TEST(Overlap, WithTypesOfDifferentSize) {
    // Q0 through an address of its own storage: a narrow source under a wide destination.
    Alu alu;
    alu.set<int32_t>("Q0", {-1, 2, -3, 4, 5, 6, 7, 8});
    alu.run("addr_add (M1, 1) A0(0)<1> &Q0 0x0:uw\n"
            "mov (M1, 8) Q0 r[A0(0),0]<8;8,1>:d");
    EXPECT_EQ(alu.get<int64_t>("Q0", 8), (Values<int64_t>{-1, 2, -3, 4, 5, 6, 7, 8}));
}

TEST(Modifier, OnIntegersNegatesAtTheirWidthAndHasExactMagnitudes) {
    Alu alu;
    alu.set<int32_t>("D1", {5, -5, INT32_MIN, 0});
    alu.run("mov (M1, 4) D0 (-)D1");
    EXPECT_EQ(alu.get<int32_t>("D0", 4), (Values<int32_t>{-5, 5, INT32_MIN, 0}));
    alu.run("mov (M1, 4) D0 (abs)D1");
    EXPECT_EQ(alu.get<int32_t>("D0", 4), (Values<int32_t>{5, 5, INT32_MIN, 0}));
    alu.run("mov (M1, 4) D0 (-abs)D1");
    EXPECT_EQ(alu.get<int32_t>("D0", 4), (Values<int32_t>{-5, -5, INT32_MIN, 0}));
    alu.run("mov (M1, 4) Q0 (-)D1");
    EXPECT_EQ(alu.get<int64_t>("Q0", 4), (Values<int64_t>{-5, 5, INT32_MIN, 0}));
    alu.run("mov.sat (M1, 4) D0 (abs)D1");
    EXPECT_EQ(alu.get<int32_t>("D0", 4), (Values<int32_t>{5, 5, INT32_MAX, 0}));
    alu.set<uint32_t>("UD1", {1, UINT32_MAX});
    alu.run("mov (M1, 2) Q0 (-)UD1");
    EXPECT_EQ(alu.get<int64_t>("Q0", 2), (Values<int64_t>{-1, -4294967295}));
    alu.run("mov (M1, 2) UD0 (abs)UD1");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 2), (Values<uint32_t>{1, UINT32_MAX}));
    alu.run("max (M1, 2) Q0 (-)UD1 0xfffffffe:d");
    EXPECT_EQ(alu.get<int64_t>("Q0", 2), (Values<int64_t>{-1, -2}));
}

TEST(Modifier, OnFloatsChangesTheSignBitAlone) {
    Alu alu;
    alu.set<uint32_t>("F1", {0x3f800000, 0x80000000, 0xffc00001});
    alu.run("add (M1, 4) F0 (-)F1 0x0:f");
    EXPECT_EQ(alu.get<uint32_t>("F0", 2), (Values<uint32_t>{0xbf800000, 0x00000000}));
    alu.run("mov (M1, 2) F0 (abs)F1");
    EXPECT_EQ(alu.get<uint32_t>("F0", 2), (Values<uint32_t>{0x3f800000, 0x00000000}));
    alu.run("mov (M1, 2) F0 (-abs)F1");
    EXPECT_EQ(alu.get<uint32_t>("F0", 2), (Values<uint32_t>{0xbf800000, 0x80000000}));
    alu.set<uint16_t>("HF1", {0x3c00, 0xbc00});
    alu.run("mov (M1, 2) HF0 (-)HF1");
    EXPECT_EQ(alu.get<uint16_t>("HF0", 2), (Values<uint16_t>{0xbc00, 0x3c00}));
}

TEST(Immediate, PackedVectorsRepeat) {
    Alu alu;
    alu.run("mov (M1, 16) D0 0x76543210:v");
    EXPECT_EQ(alu.get<int32_t>("D0", 16), (Values<int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}));
    alu.run("mov (M1, 8) W0 0xfedcba98:v");
    EXPECT_EQ(alu.get<int16_t>("W0", 8), (Values<int16_t>{-8, -7, -6, -5, -4, -3, -2, -1}));
    alu.run("mov (M1, 8) UW0 0xfedcba98:uv");
    EXPECT_EQ(alu.get<uint16_t>("UW0", 8), (Values<uint16_t>{8, 9, 10, 11, 12, 13, 14, 15}));
    alu.run("mov (M1, 4) F0 0xb0403000:vf");
    EXPECT_EQ(alu.get<float>("F0", 4), (Values<float>{0.0F, 1.0F, 2.0F, -1.0F}));
    alu.set<int32_t>("D1", {10, 10, 10, 10, 10, 10, 10, 10});
    alu.run("add (M1, 8) D0 D1 0xf1234567:v");
    EXPECT_EQ(alu.get<int32_t>("D0", 8), (Values<int32_t>{17, 16, 15, 14, 13, 12, 11, 9}));
}

TEST(Immediate, KeepsItsTypesSign) {
    Alu alu;
    alu.run("mov (M1, 1) D0 0xffff:w");
    EXPECT_EQ(alu.get<int32_t>("D0", 1), Values<int32_t>{-1});
    alu.run("mov (M1, 1) D0 0xffff:uw");
    EXPECT_EQ(alu.get<int32_t>("D0", 1), Values<int32_t>{65535});
    alu.run("mov (M1, 1) Q0 0x80000000:d");
    EXPECT_EQ(alu.get<int64_t>("Q0", 1), Values<int64_t>{INT32_MIN});
    alu.run("mov (M1, 1) DF0 1.5:df");
    EXPECT_EQ(alu.get<double>("DF0", 1), Values<double>{1.5});
}

TEST(Null, ReadsZeroAndSwallows) {
    Alu alu;
    alu.run("mov (M1, 4) %null(0,0)<1> 0x5:ud");
    alu.run("add (M1, 4) UD0 %null(0,0)<0;1,0> 0x5:ud");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 4), (Values<uint32_t>{5, 5, 5, 5}));
}

TEST(Indirect, SingleAddressWithARegion) {
    Alu alu;
    alu.set<int32_t>("D1", count(32));
    alu.run("addr_add (M1, 1) A0(0)<1> &D1 0x8:uw\n"
            "mov (M1, 8) D0 r[A0(0),4]<2;2,1>:d");
    EXPECT_EQ(alu.get<int32_t>("D0", 8), (Values<int32_t>{3, 4, 5, 6, 7, 8, 9, 10}));
    alu.run("addr_add (M1, 1) A0(0)<1> &D1 0x8:uw\n"
            "mov (M1, 4) D0 r[A0(0),-4]<4;2,1>:d");
    EXPECT_EQ(alu.get<int32_t>("D0", 4), (Values<int32_t>{1, 2, 5, 6}));
}

TEST(Indirect, AnAddressForEachLane) {
    Alu alu;
    alu.set<int32_t>("D1", count(32));
    alu.set<uint16_t>("UW1", {28, 0, 4, 60, 8, 8, 0, 124});
    alu.run("addr_add (M1, 8) A0(0)<8> &D1 UW1\n"
            "mov (M1, 8) D0 r[A0(0),0]<1,0>:d");
    EXPECT_EQ(alu.get<int32_t>("D0", 8), (Values<int32_t>{7, 0, 1, 15, 2, 2, 0, 31}));
}

TEST(Indirect, AnAddressForEachRow) {
    Alu alu;
    alu.set<int32_t>("D1", count(32));
    alu.set<uint16_t>("UW1", {40, 0});
    alu.run("addr_add (M1, 2) A0(0)<2> &D1 UW1\n"
            "mov (M1, 8) D0 r[A0(0),0]<4,1>:d");
    EXPECT_EQ(alu.get<int32_t>("D0", 8), (Values<int32_t>{10, 11, 12, 13, 0, 1, 2, 3}));
}

TEST(Indirect, Destination) {
    Alu alu;
    alu.set<int32_t>("D1", count(8, 1));
    alu.mask = 0x0b;
    alu.run("addr_add (M1_NM, 1) A0(0)<1> &D0 0x4:uw\n"
            "mov (M1, 4) r[A0(0),0]<2>:d D1");
    const auto off = untouched<int32_t>();
    EXPECT_EQ(alu.get<int32_t>("D0", 9), (Values<int32_t>{off, 1, off, 2, off, off, off, 4, off}));
}

TEST(Indirect, OutsideTheRegisterFileIsAFault) {
    Alu alu;
    alu.run("addr_add (M1, 1) A0(0)<1> &D1 0x7fff:uw\n"
            "addr_add (M1, 1) A0(0)<1> A0(0)<1> 0x7fff:uw\n"
            "mov (M1, 1) D0 r[A0(0),0]<0;1,0>:d");
    EXPECT_EQ(alu.fault.kind, machine::FaultKind::bad_register);
    EXPECT_EQ(alu.fault.lane, 0);
    EXPECT_EQ(alu.fault.bytes, 4U);

    Alu writing;
    writing.run("addr_add (M1, 1) A0(0)<1> &D0 0x8000:w\n"
                "mov (M1, 4) r[A0(0),0]<1>:d 0x1:d");
    EXPECT_EQ(writing.fault.kind, machine::FaultKind::bad_register);
    EXPECT_EQ(writing.get<int32_t>("D0", 1), Values<int32_t>{untouched<int32_t>()});
}

TEST(Indirect, DisabledLanesMayPointAnywhere) {
    Alu alu;
    alu.set<int32_t>("D1", count(4));
    alu.set<uint16_t>("UW1", {0, 0x8000, 8, 0x8000});
    alu.mask = 0x5;
    alu.run("addr_add (M1_NM, 4) A0(0)<4> &D1 UW1\n"
            "mov (M1, 4) D0 r[A0(0),0]<1,0>:d");
    EXPECT_EQ(alu.fault.kind, machine::FaultKind::none);
    const auto off = untouched<int32_t>();
    EXPECT_EQ(alu.get<int32_t>("D0", 4), (Values<int32_t>{0, off, 2, off}));
}

TEST(State, ExecutionMaskAndTimeAreReadAsTheyAre) {
    Alu alu;
    alu.mask = 0x0000f0f1;
    alu.run("mov (M1, 1) UD0 %ce0(0,0)<0;1,0>");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 1), Values<uint32_t>{0xf0f1});
    alu.mask = 3;
    alu.instructions = 0x1'0000'0005;
    alu.run("mov (M1, 2) UD0 %tsc(0,0)<1;1,0>");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 2), (Values<uint32_t>{5, 1}));
    alu.run("and (M1, 1) UD0 %ce0(0,0)<0;1,0> 0xff:ud");
    EXPECT_EQ(alu.get<uint32_t>("UD0", 1), Values<uint32_t>{3});
}

} // namespace
} // namespace visor::alu_test
