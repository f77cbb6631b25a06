#include "jit/transform/scalarize_uniform.h"

#include "jit/ir/memory_intrinsics.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

bool is_integers(const llvm::Type* type) {
    return type->isVectorTy() && type->getScalarType()->isIntegerTy();
}

// Elementwise operations with a scalar equivalent.
bool has_scalar_form(const llvm::Instruction& instruction) {
    return llvm::isa<llvm::BinaryOperator, llvm::ICmpInst, llvm::SelectInst, llvm::MinMaxIntrinsic,
                     llvm::TruncInst, llvm::ZExtInst, llvm::SExtInst>(instruction);
}

// The scalar of a uniform operand; null: divergent.
Value* uniform_value(Value* operand) {
    return operand->getType()->isVectorTy() ? llvm::getSplatValue(operand) : operand;
}

// The scalar instruction; null: an operand is divergent.
Value* scalar_form(llvm::Instruction& instruction) {
    const auto* const call = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction);
    std::vector<Value*> numbers;
    for (const llvm::Use& use : call == nullptr ? instruction.operands() : call->args()) {
        Value* const number = uniform_value(use.get());
        if (number == nullptr || !number->getType()->isIntegerTy())
            return nullptr;
        numbers.push_back(number);
    }
    llvm::IRBuilder<> ir(&instruction);
    if (call != nullptr)
        return ir.CreateBinaryIntrinsic(call->getIntrinsicID(), numbers[0], numbers[1]);
    llvm::Instruction* const own = instruction.clone();
    for (unsigned k = 0; k < numbers.size(); ++k)
        own->setOperand(k, numbers[k]);
    own->mutateType(instruction.getType()->getScalarType());
    return ir.Insert(own);
}

// The scalarized replacement; null: none.
Value* replacement(llvm::Instruction& instruction) {
    llvm::IRBuilder<> ir(&instruction);
    if (llvm::isa<llvm::BitCastInst>(instruction)) { // a uniform mask
        Value* const bit = uniform_value(instruction.getOperand(0));
        return instruction.getType()->isIntegerTy() && bit != nullptr && bit->getType()->isIntegerTy(1)
                   ? ir.CreateSExt(bit, instruction.getType())
                   : nullptr;
    }
    Value* const number = is_integers(instruction.getType()) && has_scalar_form(instruction)
                              ? scalar_form(instruction)
                              : nullptr;
    return number == nullptr ? nullptr : ir.CreateVectorSplat(lanes_of(&instruction), number);
}

} // namespace

void scalarize_uniform(llvm::Function& function) {
    for (llvm::BasicBlock* const block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block))
            if (Value* const other = replacement(instruction); other != nullptr) {
                instruction.replaceAllUsesWith(other);
                instruction.eraseFromParent();
            }
}

} // namespace visor::jit
