#include "jit/target/llvm19/ternlog_select.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <vector>

namespace visor::jit {

namespace {

constexpr unsigned max_depth = 8; // of joined vectors

// Also the instruction itself (target/x86/ternary_logic.h), and vectors that are joined of such results.
bool is_logic(const llvm::Value* value, unsigned depth = 0) {
    while (const auto* const cast = llvm::dyn_cast<llvm::BitCastInst>(value))
        value = cast->getOperand(0);
    if (const auto* const joined = llvm::dyn_cast<llvm::ShuffleVectorInst>(value);
        joined && depth < max_depth)
        return is_logic(joined->getOperand(0), depth + 1) || is_logic(joined->getOperand(1), depth + 1);
    if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(value))
        return call->getIntrinsicID() == llvm::Intrinsic::x86_avx512_pternlog_d_512;
    const auto* const made = llvm::dyn_cast<llvm::BinaryOperator>(value);
    return made != nullptr && made->isBitwiseLogicOp();
}

bool can_be_folded(const llvm::SelectInst& blend) {
    const unsigned bits = blend.getType()->getScalarSizeInBits();
    return blend.getCondition()->getType()->isVectorTy() && blend.getType()->isIntOrIntVectorTy() &&
           (bits == 32 || bits == 64) && (is_logic(blend.getTrueValue()) || is_logic(blend.getFalseValue()));
}

} // namespace

void avoid_ternlog_of_blends(llvm::Function& function) {
    std::vector<llvm::SelectInst*> blends;
    for (llvm::Instruction& instruction : llvm::instructions(function))
        if (auto* const blend = llvm::dyn_cast<llvm::SelectInst>(&instruction);
            blend && can_be_folded(*blend))
            blends.push_back(blend);
    for (llvm::SelectInst* const blend : blends) {
        llvm::IRBuilder<> ir(blend);
        auto* const type = llvm::cast<llvm::VectorType>(blend->getType());
        auto* const element = type->getScalarSizeInBits() == 32 ? ir.getFloatTy() : ir.getDoubleTy();
        auto* const floats = llvm::VectorType::get(element, type->getElementCount());
        llvm::Value* const otherwise = ir.CreateBitCast(blend->getFalseValue(), floats);
        llvm::Value* const chosen = ir.CreateSelect(
            blend->getCondition(), ir.CreateBitCast(blend->getTrueValue(), floats), otherwise);
        blend->replaceAllUsesWith(ir.CreateBitCast(chosen, type));
        blend->eraseFromParent();
    }
}

} // namespace visor::jit
