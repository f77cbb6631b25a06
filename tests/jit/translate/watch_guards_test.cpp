// What a compile for listeners carries: calls for what they asked for, and nothing else. Counted in the code
// before any pass: the places where the engine is asked to execute the instruction.
#include "emitted.h"

namespace visor::jit {
namespace {

// No message here goes to flat memory, of which faults are told in any compile.
constexpr const char* head = ".decl V v_type=G type=ud num_elts=16 align=GRF\n"
                             ".decl W v_type=G type=ud num_elts=16 align=GRF\n"
                             ".decl A0 v_type=A num_elts=1\n"
                             ".decl T6 v_type=T num_elts=1\n";
constexpr const char* gather = "    gather_scaled.4 (M1, 16) T6 0x0:ud V.0 W.0\n";
constexpr const char* scatter = "    scatter_scaled.4 (M1, 16) T6 0x0:ud V.0 W.0\n";
constexpr const char* gather4 = "    gather4_scaled.R (M1, 16) T6 0x0:ud V.0 W.0\n";
constexpr const char* block = "    oword_ld_unaligned (2) T6 V(0,0)<0;1,0> W.0\n";
constexpr const char* atomic = "    dword_atomic.inc (M1, 16) T6 V.0 %null.0 %null.0 W.0\n";

bool at_offset(const llvm::Value* pointer, uint64_t offset) {
    const auto* const place = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
    const auto* const bytes = place == nullptr || place->getNumIndices() != 1
                                  ? nullptr
                                  : llvm::dyn_cast<llvm::ConstantInt>(place->getOperand(1));
    return bytes != nullptr && place->getSourceElementType()->isIntegerTy(8) &&
           bytes->getZExtValue() == offset;
}

// -1: there is no code.
int calls_of(const std::string& code, machine::EventKinds reported) {
    const Emitted made = emitted(head + code + "    ret (M1, 1)\n", {.reported = reported});
    const llvm::Function* const function = made.module->getFunction("f");
    if (function == nullptr)
        return -1;
    int count = 0;
    for (const llvm::BasicBlock& one : *function)
        for (const llvm::Instruction& instruction : one)
            if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction))
                if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(call->getCalledOperand()))
                    count += at_offset(load->getPointerOperand(), offsetof(State, step)) ? 1 : 0;
    return count;
}

constexpr machine::EventKinds outside{.outside = true};
constexpr machine::EventKinds conflicts{.conflicts = true};
constexpr machine::EventKinds alignment{.alignment = true};

TEST(Quietly, ACompileForNobodyCarriesNoCall) {
    for (const char* const code : {gather, scatter, gather4})
        EXPECT_EQ(calls_of(code, {}), 0) << code;
    EXPECT_EQ(calls_of(std::string(gather) + scatter + gather4, {}), 0);
    EXPECT_EQ(calls_of(block, {}), 1) << "an offset of 2 GiB and more";
    EXPECT_EQ(calls_of(atomic, {}), 1) << "an atomic across two places";
}

TEST(Quietly, WhatLeavesItsSurfaceIsAskedOfEachMessage) {
    for (const char* const code : {gather, scatter, gather4})
        EXPECT_EQ(calls_of(code, outside), 1) << code;
    EXPECT_EQ(calls_of(std::string(gather) + scatter + gather4, outside), 3);
    EXPECT_EQ(calls_of(block, outside), 2);
    EXPECT_EQ(calls_of(atomic, outside), 2);
}

TEST(Quietly, ConflictsAreAskedOfWhatLanesReadAndWrite) {
    EXPECT_EQ(calls_of(gather, conflicts), 1);
    EXPECT_EQ(calls_of(scatter, conflicts), 1);
    EXPECT_EQ(calls_of(block, conflicts), 1) << "a block has one lane";
    EXPECT_EQ(calls_of(atomic, conflicts), 1) << "atomics do not conflict";
}

TEST(Quietly, AlignmentIsAskedWhereThePageWantsIt) {
    EXPECT_EQ(calls_of(gather, alignment), 0) << "ruling 5: any byte address";
    EXPECT_EQ(calls_of(scatter, alignment), 0);
    EXPECT_EQ(calls_of(gather4, alignment), 1);
    EXPECT_EQ(calls_of(block, alignment), 2);
    EXPECT_EQ(calls_of(atomic, alignment), 1) << "asked for anyhow";
}

TEST(Quietly, WhereAddressRegistersLeadIsToldOfFromWhereTheyAreSet) {
    const std::string indirect = "    addr_add (M1, 1) A0(0)<1> &V 0x4:uw\n"
                                 "    mov (M1, 1) W(0,0)<1> r[A0(0),0]<0;1,0>:ud\n"
                                 "    add (M1, 16) W(0,0)<1> W(0,0)<1;1,0> 0x1:ud\n";
    EXPECT_EQ(calls_of(indirect, outside), 2);
    EXPECT_EQ(calls_of(indirect, conflicts), 1) << "one of whose lanes leaves the register file";
    EXPECT_EQ(calls_of(indirect, {}), 1);
    EXPECT_EQ(calls_of("    addr_add (M1, 1) A0(0)<1> &V 0x4:uw\n", outside), 0) << "nobody uses it";
}

} // namespace
} // namespace visor::jit
