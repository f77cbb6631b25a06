// Loads of the engine's data that may be speculated.
#include "jit/ir/state_pointer.h"

#include <gtest/gtest.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace visor::jit {
namespace {

TEST(SpeculatableLoads, AreThoseWithTheMark) {
    llvm::LLVMContext context;
    llvm::Module module("m", context);
    llvm::IRBuilder<> ir(context);
    auto* const type = llvm::FunctionType::get(ir.getVoidTy(), {ir.getPtrTy()}, false);
    auto* const function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module);
    ir.SetInsertPoint(llvm::BasicBlock::Create(context, "", function));
    llvm::LoadInst* const load = ir.CreateLoad(ir.getInt64Ty(), function->getArg(0));
    EXPECT_FALSE(llvm::isa<SpeculatableLoad>(load));
    const llvm::Value* const found = mark_speculatable(*load);
    EXPECT_EQ(found, load);
    EXPECT_TRUE(llvm::isa<SpeculatableLoad>(load));
    EXPECT_FALSE(llvm::isa<SpeculatableLoad>(function->getArg(0)));
}

} // namespace
} // namespace visor::jit
