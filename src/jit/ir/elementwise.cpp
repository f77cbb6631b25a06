#include "jit/ir/elementwise.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace visor::jit {

bool is_elementwise(const llvm::Instruction& instruction, uint32_t lanes) {
    const auto has_lanes = [&](const llvm::Type* type) {
        const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
        return vector != nullptr && vector->getNumElements() == lanes;
    };
    const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    const auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
    const bool known =
        call != nullptr ? llvm::isTriviallyVectorizable(call->getIntrinsicID()) && !call->mayHaveSideEffects()
                        : llvm::isa<llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst,
                                    llvm::FreezeInst>(instruction) ||
                              (binary != nullptr && !binary->isIntDivRem());
    const bool is_cast = llvm::isa<llvm::CastInst>(instruction); // possibly a bitcast from a scalar
    return known && has_lanes(instruction.getType()) &&
           std::ranges::all_of(instruction.operands(), [&](const llvm::Value* operand) {
               return (!is_cast && !operand->getType()->isVectorTy()) || has_lanes(operand->getType());
           });
}

} // namespace visor::jit
