// How threads of a group take turns in generated code.
#include "emitted.h"

#include "jit/engine/runtime_abi.h"

#include <cstddef>

namespace visor::jit {
namespace {

// Stores of zero to the counter of atomics and fences.
size_t resets_in(const std::string& loop) {
    const std::string head = ".decl N v_type=G type=ud num_elts=1 align=GRF\n"
                             ".decl P1 v_type=P num_elts=16\n";
    const Emitted made = emitted(head + "    mov (M1_NM, 1) N(0,0)<1> 0x0:ud\nL:\n" + loop +
                                     "    add (M1_NM, 1) N(0,0)<1> N(0,0)<0;1,0> 0x1:ud\n"
                                     "    cmp.lt (M1_NM, 16) P1 N(0,0)<0;1,0> 0x64:ud\n"
                                     "    (P1) goto (M1, 16) L\n"
                                     "    ret (M1, 1)\n",
                                 {});
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

} // namespace
} // namespace visor::jit
