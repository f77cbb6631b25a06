// What is made again in the blocks that look at it, rather than kept while a thread waits at a barrier.
#include "jit/plan.h"

#include "text/text.h"

#include <algorithm>
#include <gtest/gtest.h>

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

struct Planned {
    Program program;
    Plan plan;
    [[nodiscard]] uint32_t item(uint32_t variable) const {
        return plan.root_at(program.variables[variable].base);
    }
    [[nodiscard]] const Root& root(uint32_t variable) const { return plan.roots[item(variable)]; }
    // At the last entry.
    [[nodiscard]] bool is_alive(uint32_t variable) const {
        return std::ranges::find(plan.alive.back(), item(variable)) != plan.alive.back().end();
    }
};

Planned planned(const std::string& code) {
    const isa::Device& device = *isa::device_named("skl");
    Diagnostics diagnostics;
    auto module = text::parse(std::string(".version 4.1\n.kernel \"k\"\n") + declarations + code,
                              {device.grf_bytes}, diagnostics);
    EXPECT_TRUE(module.has_value());
    auto program = program::prepare(std::make_shared<const Function>(std::move(module->functions.front())),
                                    device, diagnostics);
    EXPECT_TRUE(program.has_value());
    Plan plan = make_plan(*program, 16, true);
    return {std::move(*program), std::move(plan)};
}

TEST(Remake, WhatIsMadeOfInputsIsNotKept) {
    const Planned p = planned("    shl (M1, 16) V(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n" // 0
                              "    add (M1, 16) W(0,0)<1> V(0,0)<1;1,0> 0x40:w\n" // 1
                              "    barrier\n"                                     // 2
                              "    add (M1, 16) X(0,0)<1> W(0,0)<1;1,0> 0x1:w\n"  // 3
                              "    ret (M1, 1)\n");
    EXPECT_TRUE(p.root(in).constant);
    EXPECT_TRUE(p.root(w).remade);
    EXPECT_TRUE(p.plan.alive.back().empty());
    // W wants V, though nobody else does.
    const std::map<uint32_t, std::vector<uint32_t>> expected{{3, {0, 1}}};
    EXPECT_EQ(p.plan.remade, expected);
}

TEST(Remake, WhatIsAddedToIsMadeInItsOrder) {
    const Planned p = planned("    shl (M1, 16) V(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n"
                              "    add (M1, 16) V(0,0)<1> V(0,0)<1;1,0> IN(0,0)<1;1,0>\n"
                              "    barrier\n"
                              "    mov (M1, 16) X(0,0)<1> V(0,0)<1;1,0>\n"
                              "    ret (M1, 1)\n");
    EXPECT_TRUE(p.root(v).remade);
    const std::map<uint32_t, std::vector<uint32_t>> expected{{3, {0, 1}}};
    EXPECT_EQ(p.plan.remade, expected);
}

TEST(Remake, AnInputThatIsWrittenIsNoConstant) {
    const Planned p = planned("    shl (M1, 16) V(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n"
                              "    barrier\n"
                              "    add (M1, 16) X(0,0)<1> V(0,0)<1;1,0> IN(0,0)<1;1,0>\n"
                              "    add (M1, 16) IN(0,0)<1> IN(0,0)<1;1,0> 0x1:w\n"
                              "    ret (M1, 1)\n");
    EXPECT_FALSE(p.root(in).constant);
    EXPECT_FALSE(p.root(v).remade);
    EXPECT_TRUE(p.is_alive(v));
    EXPECT_TRUE(p.is_alive(in));
}

TEST(Remake, WhatSomeWaysGoAroundIsKept) {
    const Planned p = planned("    cmp.gt (M1_NM, 16) P1 IN(0,0)<0;1,0> 0x0:d\n"
                              "    (P1) goto (M1, 1) over\n"
                              "    shl (M1, 16) V(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n"
                              "over:\n"
                              "    barrier\n"
                              "    mov (M1, 16) X(0,0)<1> V(0,0)<1;1,0>\n"
                              "    ret (M1, 1)\n");
    EXPECT_FALSE(p.root(v).remade);
    EXPECT_TRUE(p.is_alive(v));
}

// The same, but the only look at V is on the way that made it.
TEST(Remake, AWayAroundTheLooksToo) {
    const Planned p = planned("    cmp.gt (M1_NM, 16) P1 IN(0,0)<0;1,0> 0x0:d\n"
                              "    (P1) goto (M1, 1) over\n"
                              "    shl (M1, 16) V(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n"
                              "    barrier\n"
                              "    mov (M1, 16) X(0,0)<1> V(0,0)<1;1,0>\n"
                              "over:\n"
                              "    ret (M1, 1)\n");
    EXPECT_TRUE(p.root(v).remade);
    EXPECT_FALSE(p.is_alive(v));
}

TEST(Remake, WhatSomeLanesMakeIsKept) {
    const Planned p = planned("    cmp.gt (M1, 16) P1 IN(0,0)<1;1,0> 0x0:d\n"
                              "    (P1) goto (M1, 16) over\n"
                              "    shl (M1, 16) V(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n"
                              "over:\n"
                              "    (P1) shl (M1, 16) W(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n"
                              "    barrier\n"
                              "    add (M1, 16) X(0,0)<1> V(0,0)<1;1,0> W(0,0)<1;1,0>\n"
                              "    ret (M1, 1)\n");
    EXPECT_TRUE(p.is_alive(v));
    EXPECT_TRUE(p.is_alive(w));
}

// A count that goes up in a loop.
TEST(Remake, WhatChangesIsKept) {
    const Planned p = planned("    mov (M1, 16) V(0,0)<1> 0x0:d\n"
                              "again:\n"
                              "    barrier\n"
                              "    add (M1, 16) V(0,0)<1> V(0,0)<1;1,0> 0x1:w\n"
                              "    cmp.lt (M1_NM, 16) P1 V(0,0)<0;1,0> IN(0,0)<0;1,0>\n"
                              "    (P1) goto (M1, 1) again\n"
                              "    ret (M1, 1)\n");
    EXPECT_FALSE(p.root(v).remade);
    EXPECT_TRUE(p.is_alive(v));
}

TEST(Remake, FloatsAndLoadsAreKept) {
    const Planned p = planned(".decl F v_type=G type=f num_elts=16 alias=<W, 0>\n"
                              "    mov (M1, 16) V(0,0)<1> W(0,0)<1;1,0>\n"
                              "    mul (M1, 16) F(0,0)<1> IN(0,0)<1;1,0> 0x3:f\n"
                              "    barrier\n"
                              "    add (M1, 16) X(0,0)<1> V(0,0)<1;1,0> W(0,0)<1;1,0>\n"
                              "    ret (M1, 1)\n");
    EXPECT_TRUE(p.is_alive(v)); // of W, which is not made so
    EXPECT_TRUE(p.is_alive(w));
}

TEST(Remake, WithoutBarriersNothingIsMadeTwice) {
    const Planned p = planned("    shl (M1, 16) V(0,0)<1> IN(0,0)<1;1,0> 0x2:d\n"
                              "    cmp.gt (M1_NM, 16) P1 IN(0,0)<0;1,0> 0x0:d\n"
                              "    (P1) goto (M1, 1) over\n"
                              "    mov (M1, 16) X(0,0)<1> V(0,0)<1;1,0>\n"
                              "over:\n"
                              "    ret (M1, 1)\n");
    EXPECT_TRUE(p.plan.remade.empty());
}

} // namespace
} // namespace visor::jit
