#include "jit/target/llvm19/mask_complement.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

namespace visor::jit {

namespace {

namespace match = llvm::PatternMatch;

// The replacement of `(x & mask) ^ mask`; null: another pattern.
llvm::Value* complement_by_and(llvm::Instruction& made) {
    for (const unsigned k : {0U, 1U}) {
        llvm::Value* x = nullptr;
        llvm::Value* const mask = made.getOperand(k);
        if (match::match(made.getOperand(1 - k),
                         match::m_c_And(match::m_Value(x), match::m_Specific(mask)))) {
            llvm::IRBuilder<> ir(&made);
            return ir.CreateAnd(ir.CreateNot(x), mask);
        }
    }
    return nullptr;
}

} // namespace

void complement_masks_by_and(llvm::Function& function) {
    for (llvm::Instruction& made : llvm::make_early_inc_range(llvm::instructions(function))) {
        if (made.getOpcode() != llvm::Instruction::Xor || !made.getType()->isIntegerTy())
            continue;
        if (llvm::Value* const rest = complement_by_and(made)) {
            made.replaceAllUsesWith(rest);
            made.eraseFromParent();
        }
    }
}

} // namespace visor::jit
