// The control register: rounding modes, denormals, conversions to integers.
#include "fixture.h"

#include <cmath>

namespace visor::alu_test {
namespace {

constexpr uint32_t nearest = 0x00;
constexpr uint32_t up = 0x10;
constexpr uint32_t down = 0x20;
constexpr uint32_t zero = 0x30;
constexpr uint32_t round_to_integer = 0x1000;

template <class T>
Values<T> run(uint32_t modes, const std::string& line, const std::string& variable, const Values<T>& one,
              const Values<T>& two, const Values<T>& three = {}) {
    Alu alu;
    alu.cr0 = keep_denormals | modes;
    alu.set<T>(variable + "1", one);
    alu.set<T>(variable + "2", two);
    alu.set<T>(variable + "3", three);
    alu.run(line);
    return alu.get<T>(variable + "0", one.size());
}

TEST(Rounding, SingleAddition) {
    const Values<float> a{1.0F, -1.0F};
    const Values<float> b{0x1p-30F, -0x1p-30F};
    const char* line = "add (M1, 2) F0 F1 F2";
    const float above = 1.0F + 0x1p-23F;
    EXPECT_EQ(run<float>(nearest, line, "F", a, b), (Values<float>{1.0F, -1.0F}));
    EXPECT_EQ(run<float>(up, line, "F", a, b), (Values<float>{above, -1.0F}));
    EXPECT_EQ(run<float>(down, line, "F", a, b), (Values<float>{1.0F, -above}));
    EXPECT_EQ(run<float>(zero, line, "F", a, b), (Values<float>{1.0F, -1.0F}));
}

TEST(Rounding, SingleOverflowStopsWhereTheModeSays) {
    const Values<float> a{3e38F, -3e38F};
    const char* line = "mul (M1, 2) F0 F1 F2";
    const float largest = std::numeric_limits<float>::max();
    EXPECT_EQ(run<float>(nearest, line, "F", a, {2.0F, 2.0F}), (Values<float>{HUGE_VALF, -HUGE_VALF}));
    EXPECT_EQ(run<float>(up, line, "F", a, {2.0F, 2.0F}), (Values<float>{HUGE_VALF, -largest}));
    EXPECT_EQ(run<float>(zero, line, "F", a, {2.0F, 2.0F}), (Values<float>{largest, -largest}));
}

TEST(Rounding, FusedMultiplyAddSeesThePartFarBelow) {
    const char* line = "mad (M1, 2) F0 F1 F2 F3";
    const Values<float> a{1.0F, 1.0F};
    const Values<float> b{0x1p-100F, -0x1p-100F};
    const Values<float> c{1.0F, 1.0F};
    EXPECT_EQ(run<float>(up, line, "F", a, b, c), (Values<float>{1.0F + 0x1p-23F, 1.0F}));
    EXPECT_EQ(run<float>(down, line, "F", a, b, c), (Values<float>{1.0F, 1.0F - 0x1p-24F}));
}

TEST(Rounding, QuotientsAndRoots) {
    EXPECT_EQ(run<float>(up, "divm (M1, 1) F0 F1 F2", "F", {1.0F}, {3.0F}), Values<float>{0x1.555556p-2F});
    EXPECT_EQ(run<float>(down, "divm (M1, 1) F0 F1 F2", "F", {1.0F}, {3.0F}), Values<float>{0x1.555554p-2F});
    EXPECT_EQ(run<float>(down, "sqrtm (M1, 1) F0 F1", "F", {2.0F}, {}), Values<float>{0x1.6a09e6p+0F});
    EXPECT_EQ(run<float>(up, "sqrtm (M1, 1) F0 F1", "F", {2.0F}, {}), Values<float>{0x1.6a09e8p+0F});
}

TEST(Rounding, Doubles) {
    EXPECT_EQ(run<double>(up, "add (M1, 1) DF0 DF1 DF2", "DF", {1.0}, {0x1p-80}),
              Values<double>{1.0 + 0x1p-52});
    EXPECT_EQ(run<double>(zero, "mul (M1, 1) DF0 DF1 DF2", "DF", {1e200}, {1e200}),
              Values<double>{std::numeric_limits<double>::max()});
    EXPECT_EQ(run<double>(down, "mad (M1, 1) DF0 DF1 DF2 DF3", "DF", {1.0}, {-0x1p-100}, {1.0}),
              Values<double>{1.0 - 0x1p-53});
    EXPECT_EQ(run<double>(down, "divm (M1, 1) DF0 DF1 DF2", "DF", {1.0}, {3.0}),
              Values<double>{0x1.5555555555555p-2});
    EXPECT_EQ(run<double>(up, "divm (M1, 1) DF0 DF1 DF2", "DF", {1.0}, {3.0}),
              Values<double>{0x1.5555555555556p-2});
    EXPECT_EQ(run<double>(up, "sqrtm (M1, 1) DF0 DF1", "DF", {2.0}, {}),
              Values<double>{0x1.6a09e667f3bcdp+0});
}

TEST(Rounding, HalvesRoundOnceInEveryMode) {
    const Values<uint16_t> one{0x3c00};
    const Values<uint16_t> tiny{0x0001};
    EXPECT_EQ(run<uint16_t>(nearest, "add (M1, 1) HF0 HF1 HF2", "HF", one, tiny), Values<uint16_t>{0x3c00});
    EXPECT_EQ(run<uint16_t>(up, "add (M1, 1) HF0 HF1 HF2", "HF", one, tiny), Values<uint16_t>{0x3c01});
    EXPECT_EQ(run<uint16_t>(down, "add (M1, 1) HF0 HF1 HF2", "HF", one, tiny), Values<uint16_t>{0x3c00});
    // 2^-24 * 2^-24 + 1: 72 bits apart would not fit into a double's 53 with these exponents doubled; it must
    // count.
    EXPECT_EQ(run<uint16_t>(up, "mad (M1, 1) HF0 HF1 HF2 HF3", "HF", tiny, tiny, one),
              Values<uint16_t>{0x3c01});
    EXPECT_EQ(run<uint16_t>(zero, "mad (M1, 1) HF0 HF1 HF2 HF3", "HF", tiny, tiny, one),
              Values<uint16_t>{0x3c00});
}

TEST(Rounding, Conversions) {
    Alu alu;
    alu.set<double>("DF1", {1.0 + 0x1p-40, -(1.0 + 0x1p-40)});
    alu.set<int32_t>("D1", {16777217, -16777217});
    const float above = 1.0F + 0x1p-23F;
    alu.cr0 = keep_denormals | up;
    alu.run("mov (M1, 2) F0 DF1");
    EXPECT_EQ(alu.get<float>("F0", 2), (Values<float>{above, -1.0F}));
    alu.run("mov (M1, 2) F0 D1");
    EXPECT_EQ(alu.get<float>("F0", 2), (Values<float>{16777218.0F, -16777216.0F}));
    alu.cr0 = keep_denormals | zero;
    alu.run("mov (M1, 2) HF0 D1");
    EXPECT_EQ(alu.get<uint16_t>("HF0", 2), (Values<uint16_t>{0x7bff, 0xfbff}));
    alu.run("mov (M1, 2) HF0 DF1");
    EXPECT_EQ(alu.get<uint16_t>("HF0", 2), (Values<uint16_t>{0x3c00, 0xbc00}));
}

TEST(Rounding, ToIntegersFollowsWhenAsked) {
    Alu alu;
    alu.set<float>("F1", {2.5F, -2.5F, 2.2F, -2.2F});
    const auto converted = [&](uint32_t modes) {
        alu.cr0 = keep_denormals | modes;
        alu.run("mov (M1, 4) D0 F1");
        return alu.get<int32_t>("D0", 4);
    };
    EXPECT_EQ(converted(up), (Values<int32_t>{2, -2, 2, -2})) << "truncation, whatever the mode";
    EXPECT_EQ(converted(round_to_integer | nearest), (Values<int32_t>{2, -2, 2, -2}));
    EXPECT_EQ(converted(round_to_integer | up), (Values<int32_t>{3, -2, 3, -2}));
    EXPECT_EQ(converted(round_to_integer | down), (Values<int32_t>{2, -3, 2, -3}));
    EXPECT_EQ(converted(round_to_integer | zero), (Values<int32_t>{2, -2, 2, -2}));
}

constexpr uint32_t flush_all = 0;
constexpr uint32_t keep_df = 0x40;
constexpr uint32_t keep_f = 0x80;
constexpr uint32_t keep_hf = 0x400;

TEST(Denormals, SinglesFlushOnInputAndOutput) {
    Alu alu;
    alu.cr0 = flush_all;
    alu.set<uint32_t>("F1", {0x00400000, 0x80400000, 0x00800000});
    alu.set<float>("F2", {0x1p126F, 0x1p126F, 0.5F});
    alu.run("mul (M1, 4) F0 F1 F2");
    EXPECT_EQ(alu.get<uint32_t>("F0", 3), (Values<uint32_t>{0, 0x80000000, 0}));
    alu.cr0 = keep_f;
    alu.run("mul (M1, 4) F0 F1 F2");
    EXPECT_EQ(alu.get<uint32_t>("F0", 3), (Values<uint32_t>{0x3f000000, 0xbf000000, 0x00400000}));
    alu.cr0 = keep_df | keep_hf;
    alu.run("mul (M1, 4) F0 F1 F2");
    EXPECT_EQ(alu.get<uint32_t>("F0", 3), (Values<uint32_t>{0, 0x80000000, 0}));
}

TEST(Denormals, FlushAlsoInDirectedModes) {
    Alu alu;
    alu.cr0 = up;
    alu.set<uint32_t>("F1", {0x00800000, 0x80400000});
    alu.set<float>("F2", {0.5F, 1.0F});
    alu.run("mul (M1, 2) F0 F1 F2");
    EXPECT_EQ(alu.get<uint32_t>("F0", 2), (Values<uint32_t>{0, 0x80000000}));
}

TEST(Denormals, DoublesAndHalvesHaveBitsOfTheirOwn) {
    Alu alu;
    alu.set<uint64_t>("DF1", {0x0008000000000000, 0x8000000000000001});
    alu.set<double>("DF2", {1.0, 1.0});
    alu.cr0 = keep_f | keep_hf;
    alu.run("mul (M1, 2) DF0 DF1 DF2");
    EXPECT_EQ(alu.get<uint64_t>("DF0", 2), (Values<uint64_t>{0, 0x8000000000000000}));
    alu.cr0 = keep_df;
    alu.run("mul (M1, 2) DF0 DF1 DF2");
    EXPECT_EQ(alu.get<uint64_t>("DF0", 2), (Values<uint64_t>{0x0008000000000000, 0x8000000000000001}));

    alu.set<uint16_t>("HF1", {0x0200, 0x8001, 0x0400});
    alu.set<uint16_t>("HF2", {0x3c00, 0x3c00, 0x3800});
    alu.cr0 = keep_f | keep_df;
    alu.run("mul (M1, 4) HF0 HF1 HF2");
    EXPECT_EQ(alu.get<uint16_t>("HF0", 3), (Values<uint16_t>{0, 0x8000, 0}));
    alu.cr0 = keep_hf;
    alu.run("mul (M1, 4) HF0 HF1 HF2");
    EXPECT_EQ(alu.get<uint16_t>("HF0", 3), (Values<uint16_t>{0x0200, 0x8001, 0x0200}));
}

TEST(Denormals, ComparisonsSeeZero) {
    Alu alu;
    alu.set<uint32_t>("F1", {0x00400000});
    alu.cr0 = flush_all;
    alu.run("cmp.eq (M1, 1) P1 F1 0x0:f");
    EXPECT_EQ(alu.predicates[1] & 1U, 1U);
    alu.cr0 = keep_f;
    alu.run("cmp.eq (M1, 1) P1 F1 0x0:f");
    EXPECT_EQ(alu.predicates[1] & 1U, 0U);
}

TEST(Denormals, ConversionsFlushResultsOnly) {
    Alu alu;
    alu.cr0 = flush_all;
    alu.set<uint16_t>("HF1", {0x0001});
    alu.run("mov (M1, 1) F0 HF1");
    EXPECT_EQ(alu.get<float>("F0", 1), Values<float>{0x1p-24F}) << "a precise representation of the input";
    alu.set<float>("F1", {0x1p-24F, -0x1p-20F});
    alu.run("mov (M1, 2) HF0 F1");
    EXPECT_EQ(alu.get<uint16_t>("HF0", 2), (Values<uint16_t>{0, 0x8000}));
    alu.cr0 = keep_hf;
    alu.run("mov (M1, 2) HF0 F1");
    EXPECT_EQ(alu.get<uint16_t>("HF0", 2), (Values<uint16_t>{0x0001, 0x8010}));
}

} // namespace
} // namespace visor::alu_test
