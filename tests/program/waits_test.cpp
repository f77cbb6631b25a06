#include "program/waits.h"

#include "text/text.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace visor::program {
namespace {

constexpr const char* declarations = ".decl P1 v_type=P num_elts=16\n"
                                     ".decl S v_type=T num_elts=1\n"
                                     ".decl A v_type=G type=uq num_elts=16 align=GRF\n"
                                     ".decl V v_type=G type=ud num_elts=16 align=GRF\n";

Program prepare_text(const std::string& code, const char* device) {
    const std::string text =
        std::string(".version 4.1\n.kernel \"k\"\n") + declarations + code + "    ret (M1, 1)\n";
    const isa::Device& target = *isa::device_named(device);
    Diagnostics diagnostics;
    auto module = text::parse(text, {target.grf_bytes}, diagnostics);
    if (!module)
        throw std::runtime_error("not text: " + code);
    return prepare(std::make_shared<const Function>(std::move(module->functions.front())), target,
                   diagnostics)
        .value();
}

bool waits(const std::string& code, const char* device = "skl") {
    return may_wait_for_groups(prepare_text(code, device));
}

std::string loop(const std::string& inside) {
    return "L0:\n" + inside + "    (P1) goto (M1, 16) L0\n";
}

constexpr const char* sum = "    add (M1, 16) V(0,0)<1> V(0,0)<1;1,0> 0x1:ud\n";
constexpr const char* atomic = "    svm_atomic.inc (M1, 16) A.0 V.0 %null.0 %null.0\n";
constexpr const char* fence = "    fence_global\n";

TEST(MayWaitForGroups, InALoopWithAnAtomicMessageOrAFence) {
    EXPECT_FALSE(waits(loop(sum)));
    EXPECT_TRUE(waits(loop(atomic)));
    EXPECT_TRUE(waits(loop(std::string(sum) + fence + sum)));
    EXPECT_TRUE(waits(loop("    dword_atomic.inc (M1, 16) S V.0 %null.0 %null.0 %null.0\n")));
    EXPECT_TRUE(waits(loop("    lsc_fence.ugm.none.group\n"), "pvc"));
    EXPECT_TRUE(
        waits(loop("    lsc_atomic_iinc.ugm (M1, 16)  %null:d32  flat[A]:a64  %null  %null\n"), "pvc"));
}

TEST(MayWaitForGroups, NotBesideALoop) {
    const std::string both = std::string(atomic) + fence;
    EXPECT_FALSE(waits(both));
    EXPECT_FALSE(waits(both + loop(sum)));
    EXPECT_FALSE(waits(loop(sum) + both));
    EXPECT_FALSE(waits(loop(sum) + "    goto (M1, 16) L1\n" + both + "L1:\n")); // onwards
}

TEST(MayWaitForGroups, WhereLoopsAreInEachOther) {
    EXPECT_TRUE(waits("L1:\n" + loop(sum) + fence + "    goto (M1, 16) L1\n"));
    EXPECT_TRUE(waits("L1:\n" + std::string(fence) + loop(sum) + "    goto (M1, 16) L1\n"));
}

TEST(MayWaitForGroups, NotForLocalMemoryAlone) {
    EXPECT_FALSE(waits(loop("    fence_local\n")));
    EXPECT_FALSE(waits(loop("    fence_sw\n")));
    EXPECT_FALSE(waits(loop("    dword_atomic.inc (M1, 16) %slm V.0 %null.0 %null.0 %null.0\n")));
    EXPECT_FALSE(waits(loop("    lsc_fence.slm.none.group\n"), "pvc"));
    EXPECT_FALSE(
        waits(loop("    lsc_atomic_iinc.slm (M1, 16)  %null:d32  flat[V]:a32  %null  %null\n"), "pvc"));
}

TEST(MayWaitForGroups, WhereALoopCalls) {
    const std::string routine = "    jmp (M1, 1) L1\nS:\n" + std::string(fence) + "    ret (M1, 16)\nL1:\n";
    EXPECT_FALSE(waits(routine + loop(sum)));
    EXPECT_FALSE(waits(routine + "    call (M1, 16) S\n" + loop(sum)));
    EXPECT_TRUE(waits(routine + loop("    call (M1, 16) S\n")));
}

TEST(FenceScope, IsThePages) {
    const auto scope = [](const std::string& code, const char* device) {
        const Program program = prepare_text(code, device);
        const FenceScope found = fence_scope(program, program.code.front());
        return std::pair(found.global, found.local);
    };
    EXPECT_EQ(scope("    fence_global\n", "skl"), std::pair(true, false));
    EXPECT_EQ(scope("    fence_local\n", "skl"), std::pair(false, true));
    EXPECT_EQ(scope("    fence_sw\n", "skl"), std::pair(false, false));
    EXPECT_EQ(scope("    lsc_fence.ugm.none.group\n", "pvc"), std::pair(true, false));
    EXPECT_EQ(scope("    lsc_fence.slm.none.group\n", "pvc"), std::pair(false, true));
}

} // namespace
} // namespace visor::program
