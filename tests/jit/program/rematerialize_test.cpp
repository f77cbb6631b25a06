// Registers that are rematerialized in the blocks that use them, rather than saved across a barrier.
#include "planned.h"

#include <algorithm>

namespace visor::jit {
namespace {

constexpr const char* declarations = ".decl V v_type=G type=d num_elts=16 align=GRF\n"
                                     ".decl W v_type=G type=d num_elts=16 align=GRF\n"
                                     ".decl X v_type=G type=d num_elts=16 align=GRF\n"
                                     ".decl IN v_type=G type=d num_elts=16 align=GRF\n"
                                     ".decl P1 v_type=P num_elts=16\n"
                                     ".input IN offset=64 size=64\n";
constexpr uint32_t v = 32;
constexpr uint32_t w = 33;
constexpr uint32_t in = 35;

Planned planned(const std::string& code) {
    return planned_text(declarations + code);
}

// At the last entry.
bool is_alive(const Planned& p, uint32_t variable) {
    const Items& live = p.plan.live.back();
    return std::ranges::find(live, p.item(variable)) != live.end();
}

TEST(Rematerialize, WhatIsMadeOfInputsIsNotKept) {
    const Planned p = planned("    shl (M1, 16) V(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n" // 0
                              "    add (M1, 16) W(0,0)<1> V(0,0)<1;1,0> 0x40:w\n" // 1
                              "    barrier\n"                                     // 2
                              "    add (M1, 16) X(0,0)<1> W(0,0)<1;1,0> 0x1:w\n"  // 3
                              "    ret (M1, 1)\n");
    EXPECT_TRUE(p.root(in).constant);
    EXPECT_TRUE(p.root(w).rematerialized);
    EXPECT_TRUE(p.plan.live.back().empty());
    // Only W uses V.
    const std::map<uint32_t, std::vector<uint32_t>> expected{{3, {0, 1}}};
    EXPECT_EQ(p.plan.rematerialized, expected);
}

TEST(Rematerialize, WhatIsAddedToIsMadeInItsOrder) {
    const Planned p = planned("    shl (M1, 16) V(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n"
                              "    add (M1, 16) V(0,0)<1> V(0,0)<1;1,0> IN(0,0)<1;1,0>\n"
                              "    barrier\n"
                              "    mov (M1, 16) X(0,0)<1> V(0,0)<1;1,0>\n"
                              "    ret (M1, 1)\n");
    EXPECT_TRUE(p.root(v).rematerialized);
    const std::map<uint32_t, std::vector<uint32_t>> expected{{3, {0, 1}}};
    EXPECT_EQ(p.plan.rematerialized, expected);
}

TEST(Rematerialize, AnInputThatIsWrittenIsNoConstant) {
    const Planned p = planned("    shl (M1, 16) V(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n"
                              "    barrier\n"
                              "    add (M1, 16) X(0,0)<1> V(0,0)<1;1,0> IN(0,0)<1;1,0>\n"
                              "    add (M1, 16) IN(0,0)<1> IN(0,0)<1;1,0> 0x1:w\n"
                              "    ret (M1, 1)\n");
    EXPECT_FALSE(p.root(in).constant);
    EXPECT_FALSE(p.root(v).rematerialized);
    EXPECT_TRUE(is_alive(p, v));
    EXPECT_TRUE(is_alive(p, in));
}

TEST(Rematerialize, WhatSomeWaysGoAroundIsKept) {
    const Planned p = planned("    cmp.gt (M1_NM, 16) P1 IN(0,0)<0;1,0> 0x0:d\n"
                              "    (P1) goto (M1, 1) over\n"
                              "    shl (M1, 16) V(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n"
                              "over:\n"
                              "    barrier\n"
                              "    mov (M1, 16) X(0,0)<1> V(0,0)<1;1,0>\n"
                              "    ret (M1, 1)\n");
    EXPECT_FALSE(p.root(v).rematerialized);
    EXPECT_TRUE(is_alive(p, v));
}

// The same, but the only use of V is on the path of its definition.
TEST(Rematerialize, AWayAroundTheLooksToo) {
    const Planned p = planned("    cmp.gt (M1_NM, 16) P1 IN(0,0)<0;1,0> 0x0:d\n"
                              "    (P1) goto (M1, 1) over\n"
                              "    shl (M1, 16) V(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n"
                              "    barrier\n"
                              "    mov (M1, 16) X(0,0)<1> V(0,0)<1;1,0>\n"
                              "over:\n"
                              "    ret (M1, 1)\n");
    EXPECT_TRUE(p.root(v).rematerialized);
    EXPECT_FALSE(is_alive(p, v));
}

TEST(Rematerialize, WhatSomeLanesMakeIsKept) {
    const Planned p = planned("    cmp.gt (M1, 16) P1 IN(0,0)<1;1,0> 0x0:d\n"
                              "    (P1) goto (M1, 16) over\n"
                              "    shl (M1, 16) V(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n"
                              "over:\n"
                              "    (P1) shl (M1, 16) W(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n"
                              "    barrier\n"
                              "    add (M1, 16) X(0,0)<1> V(0,0)<1;1,0> W(0,0)<1;1,0>\n"
                              "    ret (M1, 1)\n");
    EXPECT_TRUE(is_alive(p, v));
    EXPECT_TRUE(is_alive(p, w));
}

// A loop counter.
TEST(Rematerialize, WhatChangesIsKept) {
    const Planned p = planned("    mov (M1, 16) V(0,0)<1> 0x0:d\n"
                              "again:\n"
                              "    barrier\n"
                              "    add (M1, 16) V(0,0)<1> V(0,0)<1;1,0> 0x1:w\n"
                              "    cmp.lt (M1_NM, 16) P1 V(0,0)<0;1,0> IN(0,0)<0;1,0>\n"
                              "    (P1) goto (M1, 1) again\n"
                              "    ret (M1, 1)\n");
    EXPECT_FALSE(p.root(v).rematerialized);
    EXPECT_TRUE(is_alive(p, v));
}

TEST(Rematerialize, FloatsAreKept) {
    const Planned p = planned(".decl F v_type=G type=f num_elts=16 alias=<W, 0>\n"
                              "    mov (M1, 16) V(0,0)<1> W(0,0)<1;1,0>\n"
                              "    mul (M1, 16) F(0,0)<1> IN(0,0)<1;1,0> 0x3:f\n"
                              "    barrier\n"
                              "    add (M1, 16) X(0,0)<1> V(0,0)<1;1,0> W(0,0)<1;1,0>\n"
                              "    ret (M1, 1)\n");
    EXPECT_TRUE(is_alive(p, v)); // used by W, which is not rematerialized
    EXPECT_TRUE(is_alive(p, w));
}

TEST(Rematerialize, WithoutBarriersNothingIsMadeTwice) {
    const Planned p = planned("    shl (M1, 16) V(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n"
                              "    cmp.gt (M1_NM, 16) P1 IN(0,0)<0;1,0> 0x0:d\n"
                              "    (P1) goto (M1, 1) over\n"
                              "    mov (M1, 16) X(0,0)<1> V(0,0)<1;1,0>\n"
                              "over:\n"
                              "    ret (M1, 1)\n");
    EXPECT_TRUE(p.plan.rematerialized.empty());
}

} // namespace
} // namespace visor::jit
