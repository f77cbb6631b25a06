#include "jit/ir/value_range.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

namespace visor::jit {

namespace {

// Recursion limit on operands.
constexpr unsigned max_depth = 12;

llvm::ConstantRange range_at(const llvm::Value* value, unsigned depth) {
    const unsigned bits = value->getType()->getIntegerBitWidth();
    if (const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(value))
        return llvm::ConstantRange(constant->getValue());
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(value))
        if (const llvm::MDNode* const range = load->getMetadata(llvm::LLVMContext::MD_range))
            return llvm::getConstantRangeFromMetadata(*range);
    if (depth == 0)
        return llvm::ConstantRange::getFull(bits);
    if (const auto* const cast = llvm::dyn_cast<llvm::CastInst>(value);
        cast != nullptr && cast->getSrcTy()->isIntegerTy())
        return range_at(cast->getOperand(0), depth - 1).castOp(cast->getOpcode(), bits);
    if (const auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(value))
        return range_at(binary->getOperand(0), depth - 1)
            .binaryOp(binary->getOpcode(), range_at(binary->getOperand(1), depth - 1));
    return llvm::ConstantRange::getFull(bits);
}

} // namespace

llvm::ConstantRange value_range(const llvm::Value* value) {
    return range_at(value, max_depth);
}

} // namespace visor::jit
