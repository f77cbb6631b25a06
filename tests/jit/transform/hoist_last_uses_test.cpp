// Placement of arithmetic: code is written in LLVM IR; checks the block of %v.
#include "jit/transform/hoist_last_uses.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueSymbolTable.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

#include <gtest/gtest.h>

namespace visor::jit {
namespace {

// The name of %v's block afterwards.
std::string place_of_v(const std::string& body) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic problem;
    const auto module =
        llvm::parseAssemblyString("define void @f(ptr %memory, <4 x float> %given, i1 %asks) {\n" + body +
                                      "}\n!0 = !{!\"branch_weights\", i32 1000, i32 1}\n",
                                  problem, context);
    EXPECT_NE(module, nullptr) << problem.getMessage().str();
    if (module == nullptr)
        return {};
    llvm::Function& function = *module->getFunction("f");
    hoist_last_uses(function);
    EXPECT_FALSE(llvm::verifyFunction(function));
    return llvm::cast<llvm::Instruction>(function.getValueSymbolTable()->lookup("v"))
        ->getParent()
        ->getName()
        .str();
}

// Two blocks, with a range check between them or not.
std::string two_blocks(const std::string& between, const std::string& more = "") {
    return "entry:\n"
           "  %a = load <4 x float>, ptr %memory\n"
           "  %b = load <4 x float>, ptr %memory\n" +
           between +
           "next:\n"
           "  %v = fadd <4 x float> %a, %b\n"
           "  store <4 x float> %v, ptr %memory\n" +
           more + "  ret void\n";
}

TEST(Early, ValuesThatEndAreAddedWhereTheLastIsMade) {
    EXPECT_EQ(place_of_v(two_blocks("  br label %next\n")), "entry");
    EXPECT_EQ(place_of_v(two_blocks("  br i1 %asks, label %next, label %seldom, !prof !0\n"
                                    "seldom:\n"
                                    "  store i32 1, ptr %memory\n"
                                    "  br label %next\n")),
              "entry");
    // The other path does not return.
    EXPECT_EQ(place_of_v(two_blocks("  br i1 %asks, label %next, label %seldom, !prof !0\n"
                                    "seldom:\n"
                                    "  ret void\n")),
              "entry");
}

TEST(Early, NothingMovesWhereBothWaysAreLikely) {
    EXPECT_EQ(place_of_v(two_blocks("  br i1 %asks, label %next, label %other\n"
                                    "other:\n"
                                    "  ret void\n")),
              "next");
}

// Both would be alive together with their sum.
TEST(Early, ValuesThatAreWantedLaterKeepTheirUsesWhereTheyAre) {
    EXPECT_EQ(place_of_v(two_blocks("  br label %next\n", "  store <4 x float> %a, ptr %memory\n"
                                                          "  store <4 x float> %b, ptr %memory\n")),
              "next");
    // One of them ends: as many as before.
    EXPECT_EQ(place_of_v(two_blocks("  br label %next\n", "  store <4 x float> %a, ptr %memory\n")), "entry");
}

TEST(Early, NothingLeavesALoopOrIsMadeWider) {
    EXPECT_EQ(place_of_v("entry:\n"
                         "  %a = load <4 x float>, ptr %memory\n"
                         "  br label %loop\n"
                         "loop:\n"
                         "  %v = fadd <4 x float> %a, %given\n"
                         "  store <4 x float> %v, ptr %memory\n"
                         "  br i1 %asks, label %loop, label %end\n"
                         "end:\n"
                         "  ret void\n"),
              "loop");
    EXPECT_EQ(place_of_v("entry:\n"
                         "  %a = load <4 x float>, ptr %memory\n"
                         "  br label %next\n"
                         "next:\n"
                         "  %v = fpext <4 x float> %a to <4 x double>\n"
                         "  store <4 x double> %v, ptr %memory\n"
                         "  ret void\n"),
              "next");
}

TEST(Early, ChainsMoveStepByStep) {
    EXPECT_EQ(place_of_v("entry:\n"
                         "  %a = load <4 x float>, ptr %memory\n"
                         "  br label %middle\n"
                         "middle:\n"
                         "  %b = load <4 x float>, ptr %memory\n"
                         "  br label %next\n"
                         "next:\n"
                         "  %first = fadd <4 x float> %a, %given\n"
                         "  %second = fmul <4 x float> %b, %given\n"
                         "  %v = fadd <4 x float> %first, %second\n"
                         "  store <4 x float> %v, ptr %memory\n"
                         "  ret void\n"),
              "middle");
}

} // namespace
} // namespace visor::jit
