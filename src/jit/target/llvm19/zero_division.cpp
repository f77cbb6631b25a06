#include "jit/target/llvm19/zero_division.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

namespace visor::jit {

namespace {

bool has_no_zero(const llvm::Value* dividend) {
    const auto* const constant = llvm::dyn_cast<llvm::Constant>(dividend);
    const llvm::Constant* const all = constant == nullptr ? nullptr : constant->getSplatValue();
    return all != nullptr && !all->isZeroValue() && !llvm::isa<llvm::UndefValue>(all);
}

} // namespace

void hide_zero_dividends(llvm::Function& function) {
    for (llvm::Instruction& made : llvm::instructions(function)) {
        if (made.getOpcode() != llvm::Instruction::FDiv || !made.getType()->isVectorTy() ||
            has_no_zero(made.getOperand(0)))
            continue;
        llvm::IRBuilder<> ir(&made);
        made.setOperand(0, ir.CreateUnaryIntrinsic(llvm::Intrinsic::arithmetic_fence, made.getOperand(0)));
    }
}

} // namespace visor::jit
