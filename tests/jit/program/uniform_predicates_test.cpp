#include "jit/program/uniform_predicates.h"

#include "planned.h"

namespace visor::jit {
namespace {

constexpr const char* variables = ".decl V v_type=G type=d num_elts=32 align=GRF\n"
                                  ".decl F v_type=G type=f num_elts=1 align=dword\n"
                                  ".decl A v_type=G type=d num_elts=2 align=dword\n"
                                  ".decl B v_type=G type=d num_elts=2 align=dword\n"
                                  ".decl C v_type=G type=d num_elts=2 align=dword\n"
                                  ".decl P1 v_type=P num_elts=32\n"
                                  ".decl P2 v_type=P num_elts=32\n"
                                  ".decl A0 v_type=A num_elts=1\n";

// Whether P1, which `code` writes, is uniform over `simd` lanes.
bool agrees(const std::string& code, uint32_t simd = 16) {
    const auto program = prepared(variables + code + "    ret (M1, 1)\n");
    EXPECT_TRUE(program.has_value()) << code;
    if (!program)
        return false;
    const FunctionInfo plan = analyze_function(*program, simd, true);
    return find_uniform_predicates(*program, plan.leader, simd).at(1);
}

TEST(UniformPredicates, ScalarsAndImmediatesAreTheSameInAllLanes) {
    EXPECT_TRUE(agrees("    cmp.lt (M1_NM, 16) P1 A(0,0)<0;1,0> B(0,1)<0;1,0>\n"));
    EXPECT_TRUE(agrees("    cmp.lt (M1_NM, 16) P1 F(0,0)<0;1,0> 0x0:f\n"));
    EXPECT_TRUE(agrees("    cmp.lt (M1_NM, 8) P1 A(0,0)<0;1,0> 0x8:d\n", 8));
}

TEST(UniformPredicates, ElementsOfLanesAreNot) {
    EXPECT_FALSE(agrees("    cmp.lt (M1_NM, 16) P1 V(0,0)<1;1,0> 0x8:d\n"));
    EXPECT_FALSE(agrees("    cmp.lt (M1_NM, 16) P1 A(0,0)<0;1,0> 0x76543210:v\n"));
}

// Disabled lanes keep their bits.
TEST(UniformPredicates, AWriteByMaskIsNot) {
    EXPECT_FALSE(agrees("    cmp.lt (M1, 16) P1 A(0,0)<0;1,0> 0x8:d\n"));
}

TEST(UniformPredicates, AWriteOfSomeOfTheLanesIsNot) {
    EXPECT_FALSE(agrees("    cmp.lt (M1_NM, 8) P1 A(0,0)<0;1,0> 0x8:d\n"));
    EXPECT_FALSE(agrees("    cmp.lt (M1_NM, 16) P1 A(0,0)<0;1,0> 0x8:d\n", 32));
    EXPECT_FALSE(agrees("    cmp.lt (M1_NM, 16) P1 A(0,0)<0;1,0> 0x8:d\n"
                        "    cmp.lt (M1_NM, 1) P1 A(0,0)<0;1,0> 0x8:d\n"));
}

// In another block too.
TEST(UniformPredicates, EveryWriteCounts) {
    EXPECT_FALSE(agrees("    cmp.lt (M1_NM, 16) P1 A(0,0)<0;1,0> 0x8:d\n"
                        "    (P1) goto (M1, 16) L\n"
                        "    cmp.lt (M1_NM, 16) P1 V(0,0)<1;1,0> 0x8:d\n"
                        "L:\n"));
    EXPECT_TRUE(agrees("    cmp.lt (M1_NM, 16) P1 V(0,0)<1;1,0> 0x8:d\n"
                       "    cmp.lt (M1_NM, 16) P1 A(0,0)<0;1,0> 0x8:d\n"));
}

TEST(UniformPredicates, HalvesThatCompareTheSame) {
    EXPECT_TRUE(agrees("    cmp.lt (M1_NM, 16) P1 A(0,0)<0;1,0> 0x8:d\n"
                       "    cmp.lt (M5_NM, 16) P1 A(0,0)<0;1,0> 0x8:d\n",
                       32));
    EXPECT_TRUE(agrees("    and (M1_NM, 1) B(0,0)<1> A(0,0)<0;1,0> 0x3:d\n"
                       "    cmp.eq (M1_NM, 16) P1 B(0,0)<0;1,0> 0x0:d\n"
                       "    and (M5_NM, 1) C(0,0)<1> A(0,0)<0;1,0> 0x3:d\n"
                       "    cmp.eq (M5_NM, 16) P1 C(0,0)<0;1,0> 0x0:d\n",
                       32));
    EXPECT_TRUE(agrees("    cmp.eq (M1_NM, 16) P1 A(0,0)<0;1,0> 0x0:d\n"
                       "    cmp.eq (M1_NM, 16) P2 B(0,0)<0;1,0> 0x0:d\n"
                       "    and (M1_NM, 16) P1 P1 P2\n"
                       "    cmp.eq (M5_NM, 16) P1 A(0,0)<0;1,0> 0x0:d\n"
                       "    cmp.eq (M5_NM, 16) P2 B(0,0)<0;1,0> 0x0:d\n"
                       "    and (M5_NM, 16) P1 P1 P2\n",
                       32));
}

TEST(UniformPredicates, HalvesThatDoNot) {
    const std::string low = "    cmp.lt (M1_NM, 16) P1 A(0,0)<0;1,0> 0x8:d\n";
    EXPECT_FALSE(agrees(low + "    cmp.lt (M5_NM, 16) P1 A(0,0)<0;1,0> 0x9:d\n", 32));
    EXPECT_FALSE(agrees(low + "    cmp.le (M5_NM, 16) P1 A(0,0)<0;1,0> 0x8:d\n", 32));
    EXPECT_FALSE(agrees(low + "    cmp.lt (M5_NM, 16) P1 A(0,1)<0;1,0> 0x8:d\n", 32));
    EXPECT_FALSE(agrees(low + "    cmp.lt (M5_NM, 16) P1 (-)A(0,0)<0;1,0> 0x8:d\n", 32));
    const std::string high = "    cmp.lt (M5_NM, 16) P1 A(0,0)<0;1,0> 0x8:d\n";
    EXPECT_FALSE(agrees(low + "    add (M1_NM, 1) A(0,0)<1> A(0,0)<0;1,0> 0x1:d\n" + high, 32));
    EXPECT_FALSE(agrees(low + "    mov (M1_NM, 1) r[A0(0),0]<1>:d 0x1:d\n" + high, 32));
    EXPECT_FALSE(agrees(low + "L:\n" + high, 32));
}

// Results in different rounding modes differ.
TEST(UniformPredicates, TheFloatingPointModeCounts) {
    const std::string compute = "    mul (M1_NM, 1) F(0,0)<1> A(0,0)<0;1,0> 0x3dcccccd:f\n";
    const std::string mode = "    mov (M1_NM, 1) %cr0(0,0)<1> 0x30:ud\n";
    const auto compare = [](const char* mask) {
        return std::string("    cmp.gt (") + mask + ", 16) P1 F(0,0)<0;1,0> 0x3f800000:f\n";
    };
    EXPECT_TRUE(agrees(compute + compare("M1_NM") + compute + compare("M5_NM"), 32));
    EXPECT_FALSE(agrees(compute + compare("M1_NM") + mode + compute + compare("M5_NM"), 32));
}

TEST(UniformPredicates, AClockIsNeverTheSame) {
    EXPECT_FALSE(agrees("    cmp.lt (M1_NM, 16) P1 %tsc(0,0)<0;1,0> 0x8:ud\n"
                        "    cmp.lt (M5_NM, 16) P1 %tsc(0,0)<0;1,0> 0x8:ud\n",
                        32));
}

// SETP page: the bits of a scalar become the lanes' elements.
TEST(UniformPredicates, BitsThatAreAllTheSame) {
    EXPECT_TRUE(agrees("    setp (M1_NM, 16) P1 0xffff:uw\n"));
    EXPECT_TRUE(agrees("    setp (M1_NM, 32) P1 0x0:ud\n", 32));
    EXPECT_FALSE(agrees("    setp (M1_NM, 32) P1 0xffff:ud\n", 32));
    EXPECT_FALSE(agrees("    setp (M1_NM, 16) P1 A(0,0)<0;1,0>\n"));
}

} // namespace
} // namespace visor::jit
