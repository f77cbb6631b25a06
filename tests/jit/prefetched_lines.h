// The lines that code prefetches when a test runs it.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

namespace visor::jit {

// Replaces prefetches by stores to `log`: their number, then their addresses.
inline void log_prefetches(llvm::Function& function, llvm::Value* log) {
    std::vector<llvm::CallInst*> calls;
    for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block)
            if (auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
                call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::prefetch)
                calls.push_back(call);
    for (llvm::CallInst* const call : calls) {
        llvm::IRBuilder<> ir(call);
        llvm::Value* const count = ir.CreateAdd(ir.CreateLoad(ir.getInt64Ty(), log), ir.getInt64(1), "count");
        ir.CreateStore(count, log);
        ir.CreateStore(call->getArgOperand(0), ir.CreateGEP(ir.getInt64Ty(), log, count));
        call->eraseFromParent();
    }
}

} // namespace visor::jit
