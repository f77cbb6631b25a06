// How threads of a group take turns in generated code.
#include "emitted.h"

#include "jit/engine/runtime_abi.h"

#include <cstddef>

namespace visor::jit {
namespace {

// In a loop of a hundred iterations.
std::string kernel_of(const std::string& loop) {
    return ".decl N v_type=G type=ud num_elts=1 align=GRF\n"
           ".decl P1 v_type=P num_elts=16\n"
           "    mov (M1_NM, 1) N(0,0)<1> 0x0:ud\n"
           "L:\n" +
           loop +
           "    add (M1_NM, 1) N(0,0)<1> N(0,0)<0;1,0> 0x1:ud\n"
           "    cmp.lt (M1_NM, 16) P1 N(0,0)<0;1,0> 0x64:ud\n"
           "    (P1) goto (M1, 16) L\n"
           "    ret (M1, 1)\n";
}

// Host fences in all blocks whose names begin so.
size_t fences_in(const Emitted& made, llvm::StringRef name) {
    size_t fences = 0;
    for (const llvm::BasicBlock& block : *made.module->getFunction("f"))
        for (const llvm::Instruction& code : block) {
            const auto* const fence = llvm::dyn_cast<llvm::FenceInst>(&code);
            const bool host = fence != nullptr && fence->getSyncScopeID() == llvm::SyncScope::System;
            fences += host && block.getName().starts_with(name) ? 1 : 0;
        }
    return fences;
}

// Stores of zero to the counter of atomics and fences.
size_t resets_in(const std::string& loop) {
    const Emitted made = emitted(kernel_of(loop), {});
    size_t resets = 0;
    for (const llvm::BasicBlock& block : *made.module->getFunction("f"))
        for (const llvm::Instruction& code : block) {
            const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&code);
            const auto* const zero =
                store == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand());
            const auto* const counter =
                store == nullptr ? nullptr : llvm::dyn_cast<llvm::LoadInst>(store->getPointerOperand());
            if (zero == nullptr || !zero->isZero() || counter == nullptr)
                continue;
            llvm::APInt offset(64, 0);
            counter->getPointerOperand()->stripAndAccumulateConstantOffsets(made.module->getDataLayout(),
                                                                            offset, false);
            resets += offset == offsetof(State, idle_atomics) ? 1 : 0;
        }
    return resets;
}

// A thread that has waited at a barrier does not spin: it counts from there. It would yield in the end, and
// its group would be left to the dispatcher. Where it begins, behind the barrier, and where it goes on in the
// loop.
TEST(ThreadLoop, ABarrierIsNoSpinning) {
    EXPECT_EQ(resets_in("    fence_local\n    barrier\n"), 3U);
}

TEST(ThreadLoop, WithoutAtomicsNothingIsCounted) {
    EXPECT_EQ(resets_in("    barrier\n"), 0U);
}

// The last thread to arrive fences for all; a thread that the dispatcher makes wait does so itself.
TEST(ThreadLoop, AGroupFencesOnceBeforeItsBarrier) {
    const Emitted made = emitted(kernel_of("    fence_global\n    fence_local\n    barrier\n"), {});
    EXPECT_EQ(fences_in(made, "code"), 0U);
    EXPECT_EQ(fences_in(made, "calls"), 1U);
    EXPECT_EQ(fences_in(made, "phase"), 1U);
}

TEST(ThreadLoop, OtherFencesAreEachThreads) {
    for (const char* const loop : {"    fence_global\n", "    fence_global\n    add (M1_NM, 1) N(0,0)<1> "
                                                         "N(0,0)<0;1,0> 0x1:ud\n    barrier\n"}) {
        const Emitted made = emitted(kernel_of(loop), {});
        EXPECT_EQ(fences_in(made, "code"), 1U) << loop;
        EXPECT_EQ(fences_in(made, "phase"), 0U) << loop;
    }
    EXPECT_EQ(fences_in(emitted(kernel_of("    fence_local\n    barrier\n"), {}), ""), 0U);
}

} // namespace
} // namespace visor::jit
