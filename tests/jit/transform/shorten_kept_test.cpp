#include "jit/transform/shorten_kept.h"

#include "jit/driver/pipeline.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <gtest/gtest.h>

namespace visor::jit {
namespace {

// A vector with a form is saved as its first lane, another one as a whole.
TEST(ShortenKept, TheFirstLane) {
    initialize_target();
    llvm::LLVMContext context;
    llvm::SMDiagnostic problem;
    const auto module =
        llvm::parseAssemblyString("define void @f(i32 %x, ptr %memory, i32 %pc) {\n"
                                  "entry:\n"
                                  "  %first = icmp eq i32 %pc, 0\n"
                                  "  br i1 %first, label %begin, label %again\n"
                                  "begin:\n"
                                  "  %one = insertelement <4 x i32> poison, i32 %x, i64 0\n"
                                  "  %splat = shufflevector <4 x i32> %one, <4 x i32> poison, "
                                  "<4 x i32> zeroinitializer\n"
                                  "  %v = add <4 x i32> %splat, <i32 0, i32 5, i32 10, i32 15>\n"
                                  "  %u = load <4 x i32>, ptr %memory\n"
                                  "  %a = getelementptr i8, ptr %memory, i64 64\n"
                                  "  %b = getelementptr i8, ptr %memory, i64 128\n"
                                  "  store <4 x i32> %v, ptr %a, !visor.kept !0\n"
                                  "  store <4 x i32> %u, ptr %b, !visor.kept !1\n"
                                  "  ret void\n"
                                  "again:\n"
                                  "  %c = getelementptr i8, ptr %memory, i64 64\n"
                                  "  %d = getelementptr i8, ptr %memory, i64 128\n"
                                  "  %v1 = load <4 x i32>, ptr %c, !visor.kept !0\n"
                                  "  %u1 = load <4 x i32>, ptr %d, !visor.kept !1\n"
                                  "  %sum = add <4 x i32> %v1, %u1\n"
                                  "  store <4 x i32> %sum, ptr %memory\n"
                                  "  ret void\n"
                                  "}\n"
                                  "!0 = !{i64 1, i64 0, i64 0}\n"
                                  "!1 = !{i64 1, i64 1, i64 0}\n",
                                  problem, context);
    ASSERT_NE(module, nullptr) << problem.getMessage().str();
    llvm::Function& function = *module->getFunction("f");
    shorten_kept(function);
    EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
    std::vector<uint64_t> stored; // bits, in order
    std::vector<uint64_t> loaded;
    for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block) {
            if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
                stored.push_back(store->getValueOperand()->getType()->getPrimitiveSizeInBits());
            if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
                loaded.push_back(load->getType()->getPrimitiveSizeInBits());
        }
    EXPECT_EQ(stored, (std::vector<uint64_t>{32, 128, 128}));
    EXPECT_EQ(loaded, (std::vector<uint64_t>{128, 32, 128}));
}

} // namespace
} // namespace visor::jit
