#include "planned.h"

#include <algorithm>

namespace visor::jit {
namespace {

constexpr const char* vectors = ".decl V v_type=G type=d num_elts=16 align=GRF\n"
                                ".decl W v_type=G type=d num_elts=16 align=GRF\n"
                                ".decl X v_type=G type=d num_elts=16 align=GRF\n"
                                ".decl P1 v_type=P num_elts=16\n"
                                ".decl P2 v_type=P num_elts=16\n"
                                ".decl A0 v_type=A num_elts=1\n";

Planned planned(const std::string& code, bool full = true) {
    return planned_text(vectors + code, full);
}

constexpr uint32_t v = 32;
constexpr uint32_t w = 33;

// 0 cmp, 1 goto over 2, 3 after the label, 4 ret.
constexpr const char* one_branch = "    cmp.eq (M1, 16) P1 V(0,0)<1;1,0> 0x0:d\n"
                                   "    (P1) goto (M1, 16) L\n"
                                   "    mov (M1, 16) W(0,0)<1> 0x1:d\n"
                                   "L:\n"
                                   "    mov (M1, 16) X(0,0)<1> W(0,0)<1;1,0>\n"
                                   "    ret (M1, 1)\n";

TEST(FunctionInfo, LanesAreTogetherButBetweenAGotoAndItsLabel) {
    const Planned p = planned(one_branch);
    const std::vector<bool> expected{true, true, false, true, true};
    EXPECT_EQ(p.plan.convergent, expected);
}

// 0 goto, 1 goto, 2 cmp, 3 backward jmp while lanes are parked at M, 4 ret.
TEST(FunctionInfo, LanesAreNotTogetherWhereAJumpComesBackWhileSomeWait) {
    const Planned p = planned("L:\n"
                              "    (!P1) goto (M1, 16) N\n"
                              "    (P1) goto (M1, 16) M\n"
                              "N:\n"
                              "    cmp.lt (M1_NM, 1) P1 V(0,0)<0;1,0> 0x2:d\n"
                              "    (P1) jmp (M1, 1) L\n"
                              "M:\n"
                              "    ret (M1, 1)\n");
    const std::vector<bool> expected{false, false, false, false, true};
    EXPECT_EQ(p.plan.convergent, expected);
}

// 0 cmp, 1 goto, 2 jmp over the label N with parked lanes, 3 mov, 4 after M, 5 ret: they wait to the end.
TEST(FunctionInfo, LanesAreNotTogetherWhereAJumpLeavesSomeBehind) {
    const Planned p = planned("    cmp.eq (M1, 16) P1 V(0,0)<1;1,0> 0x0:d\n"
                              "    (P1) goto (M1, 16) N\n"
                              "    jmp (M1, 1) M\n"
                              "N:\n"
                              "    mov (M1, 16) W(0,0)<1> 0x1:d\n"
                              "M:\n"
                              "    mov (M1, 16) X(0,0)<1> W(0,0)<1;1,0>\n"
                              "    ret (M1, 1)\n");
    const std::vector<bool> expected{true, true, false, false, false, false};
    EXPECT_EQ(p.plan.convergent, expected);
}

// 0 cmp of uniform sources, 1 goto over 2: whether it is a plain branch, and control flow is convergent after
// it.
bool is_plain(const char* compared, const char* going) {
    const Planned p = planned(std::string("    cmp.eq (") + compared + ") P1 V(0,0)<0;1,0> 0x0:d\n" +
                              "    (P1) goto (" + going +
                              ") L\n"
                              "    mov (M1, 16) W(0,0)<1> 0x1:d\n"
                              "L:\n"
                              "    ret (M1, 1)\n");
    EXPECT_EQ(p.plan.plain_branch[1], p.plan.convergent[2]);
    return p.plan.plain_branch[1];
}

TEST(FunctionInfo, AGotoOfOneLaneIsAPlainBranchWhereLanesAreTogether) {
    EXPECT_TRUE(is_plain("M1, 1", "M1, 1"));
}

// 0 cmp of uniform sources, 1 goto of all lanes, 2 mov, 3 goto without a predicate, 4 mov, 5 mov, 6 ret.
TEST(FunctionInfo, AGotoThatAllLanesAgreeOnIsAPlainBranch) {
    EXPECT_TRUE(is_plain("M1_NM, 16", "M1, 16"));
    const Planned p = planned("    cmp.eq (M1_NM, 16) P1 V(0,0)<0;1,0> 0x0:d\n"
                              "    (!P1) goto (M1, 16) L\n"
                              "    mov (M1, 16) W(0,0)<1> 0x1:d\n"
                              "    goto (M1, 16) M\n"
                              "L:\n"
                              "    mov (M1, 16) W(0,0)<1> 0x2:d\n"
                              "M:\n"
                              "    mov (M1, 16) X(0,0)<1> W(0,0)<1;1,0>\n"
                              "    ret (M1, 1)\n");
    EXPECT_TRUE(p.plan.plain_branch[1]);
    EXPECT_TRUE(p.plan.plain_branch[3]);
    EXPECT_EQ(p.plan.convergent, std::vector<bool>(7, true));
}

// The other lanes continue.
TEST(FunctionInfo, AGotoOfSomeOfTheLanesIsNone) {
    EXPECT_FALSE(is_plain("M1_NM, 16", "M1, 8"));
}

// Lanes of another path may be parked.
TEST(FunctionInfo, AnAgreedGotoIsNoneWhereLanesAreApart) {
    const Planned p = planned("    cmp.eq (M1_NM, 16) P1 V(0,0)<0;1,0> 0x0:d\n"
                              "    cmp.eq (M1, 16) P2 V(0,0)<1;1,0> 0x0:d\n"
                              "    (P2) goto (M1, 16) M\n"
                              "    (P1) goto (M1, 16) L\n"
                              "    mov (M1, 16) W(0,0)<1> 0x1:d\n"
                              "L:\n"
                              "    mov (M1, 16) W(0,0)<1> 0x2:d\n"
                              "M:\n"
                              "    ret (M1, 1)\n");
    EXPECT_FALSE(p.plan.plain_branch[3]);
}

TEST(FunctionInfo, LanesWaitFromTheGotoOn) {
    const Planned p = planned(one_branch);
    ASSERT_EQ(p.program.joins.size(), 1U);
    EXPECT_EQ(p.plan.waited_from[0], 1U);
}

// Lanes that leave a loop are parked after it while others iterate: from the loop's first instruction on.
TEST(FunctionInfo, LanesThatLeftALoopWaitFromItsBeginning) {
    const Planned p = planned("L:\n"
                              "    cmp.eq (M1, 16) P1 V(0,0)<1;1,0> 0x0:d\n"
                              "    (P1) goto (M1, 16) OUT\n"
                              "    add (M1, 16) V(0,0)<1> V(0,0)<1;1,0> 0xffffffff:d\n"
                              "    goto (M1, 16) L\n"
                              "OUT:\n"
                              "    ret (M1, 1)\n");
    ASSERT_EQ(p.program.joins.size(), 2U);
    EXPECT_EQ(p.plan.waited_from[1], 0U);
}

// W keeps the old values of lanes that skipped its write, which read it after the label; X is dead.
TEST(FunctionInfo, AWriteKeepsWhatWaitingLanesReadLater) {
    const Planned p = planned(one_branch);
    EXPECT_TRUE(p.root(w).by_lane);
    EXPECT_FALSE(p.plan.needs_no_blend[2]);
    EXPECT_TRUE(p.plan.needs_no_blend[3]);
}

// All lanes read lane 0's element: its value in disabled lanes matters.
TEST(FunctionInfo, AReadOfAnotherLanesElementIsNotByLane) {
    const Planned p = planned("    mov (M1, 16) V(0,0)<1> 0x1:d\n"
                              "    mov (M1, 16) W(0,0)<1> V(0,0)<0;1,0>\n"
                              "    ret (M1, 1)\n");
    EXPECT_FALSE(p.root(v).by_lane);
    EXPECT_FALSE(p.root(v).local);
}

TEST(FunctionInfo, WhatIsReachedByAddressStaysInMemory) {
    const Planned p = planned("    addr_add (M1_NM, 1) A0(0)<1> &V 0x4:w\n"
                              "    mov (M1, 1) W(0,0)<1> r[A0(0),0]<0;1,0>:d\n"
                              "    mov (M1, 16) V(0,0)<1> 0x1:d\n"
                              "    ret (M1, 1)\n");
    EXPECT_TRUE(p.root(v).pinned);
    EXPECT_FALSE(p.root(w).pinned);
}

// V is written before the barrier and read after it, W is written again first.
TEST(FunctionInfo, WhatIsReadBehindABarrierIsAliveThere) {
    const Planned p = planned("    mad (M1, 16) V(0,0)<1> X(0,0)<1;1,0> X(0,0)<1;1,0> X(0,0)<1;1,0>\n"
                              "    mov (M1, 16) W(0,0)<1> 0x2:d\n"
                              "    barrier\n"
                              "    mov (M1, 16) W(0,0)<1> V(0,0)<1;1,0>\n"
                              "    mov (M1, 16) X(0,0)<1> W(0,0)<1;1,0>\n"
                              "    ret (M1, 1)\n");
    ASSERT_EQ(p.plan.entries, (std::vector<uint32_t>{0, 3}));
    EXPECT_EQ(p.plan.live[1], Items{p.plan.root_at(p.program.variables[v].base)});
}

// GATHER has a literal number of lanes, of which some may not have been dispatched.
TEST(FunctionInfo, ALegacyGatherLeavesLanesAsTheyWere) {
    const Planned p = planned("    barrier\n"
                              "    gather.4 (M1, 16) %slm 0x0:ud W.0 V.0\n"
                              "    oword_st (4) %slm 0x0:ud V.0\n"
                              "    ret (M1, 1)\n");
    const Items& live = p.plan.live.back();
    EXPECT_NE(std::ranges::find(live, p.plan.root_at(p.program.variables[v].base)), live.end());
}

// launch ABI 3: %cr0 begins as zero.
TEST(FunctionInfo, FollowsTheFloatingPointMode) {
    const Planned p = planned("    or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud\n"
                              "    mov (M1, 16) V(0,0)<1> 0x1:d\n"
                              "    and (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0xffffffbf:ud\n"
                              "    mov (M1, 16) V(0,0)<1> 0x1:d\n"
                              "    ret (M1, 1)\n");
    EXPECT_EQ(p.plan.float_mode[0], 0U);
    EXPECT_EQ(p.plan.float_mode[1], 0x4c0U);
    EXPECT_EQ(p.plan.float_mode[3], 0x480U);
}

// A loop that changes the mode enters with two of them.
TEST(FunctionInfo, DoesNotGuessTheModeWhereItChangesLater) {
    const Planned p = planned("L:\n"
                              "    mov (M1, 16) V(0,0)<1> 0x1:d\n"
                              "    or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud\n"
                              "    cmp.eq (M1, 16) P1 V(0,0)<1;1,0> 0x0:d\n"
                              "    (P1) goto (M1, 16) L\n"
                              "    mov (M1, 16) V(0,0)<1> 0x1:d\n"
                              "    ret (M1, 1)\n");
    EXPECT_FALSE(p.plan.float_mode[4].has_value());
}

// As in the compiler's division: changes the mode and restores it.
TEST(FunctionInfo, KnowsTheModeInALoopThatLeavesItAsItWas) {
    const Planned p = planned("L:\n"
                              "    xor (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x30:ud\n"
                              "    mov (M1, 16) V(0,0)<1> 0x1:d\n"
                              "    xor (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x30:ud\n"
                              "    cmp.eq (M1, 16) P1 V(0,0)<1;1,0> 0x0:d\n"
                              "    (P1) goto (M1, 16) L\n"
                              "    mov (M1, 16) V(0,0)<1> 0x1:d\n"
                              "    ret (M1, 1)\n");
    EXPECT_EQ(p.plan.float_mode[1], 0x30U);
    EXPECT_EQ(p.plan.float_mode[3], 0U);
    EXPECT_EQ(p.plan.float_mode[5], 0U);
}

// Indirect results are range-checked: they are in a variable whose address is taken (ruling 147).
TEST(FunctionInfo, KnowsTheModeBehindAnIndirectResult) {
    const Planned p = planned("    or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud\n"
                              "    addr_add (M1_NM, 1) A0(0)<1> &V 0x0:uw\n"
                              "    mov (M1, 16) r[A0(0),0]<1>:d 0x1:d\n"
                              "    mov (M1, 16) V(0,0)<1> 0x1:d\n"
                              "    ret (M1, 1)\n");
    EXPECT_EQ(p.plan.float_mode[3], 0x4c0U);
}

TEST(FunctionInfo, RefusesWhatItCannotCompile) {
    const auto subroutine =
        prepared("    call (M1, 16) S\n    ret (M1, 1)\n.function S\nS:\n    ret (M1, 16)\n");
    ASSERT_TRUE(subroutine.has_value());
    EXPECT_STRNE(refusal(*subroutine), "");
    EXPECT_STREQ(refusal(planned(one_branch).program), "");
}

} // namespace
} // namespace visor::jit
