#include "jit/target/x86/mask_expansion.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr unsigned most_lanes = 32; // bits of an element that is compared
constexpr unsigned fewest_lanes = 4;

bool is_mask_of_integer(const llvm::BitCastInst& cast) {
    const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(cast.getType());
    return type != nullptr && type->getElementType()->isIntegerTy(1) && cast.getSrcTy()->isIntegerTy() &&
           type->getNumElements() >= fewest_lanes && type->getNumElements() <= most_lanes;
}

// Selects and extensions of a whole mask are fast as they are.
bool wants_vector(const llvm::Use& use, bool masked_memory) {
    const auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
    if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(user))
        return masked_memory && (call->getIntrinsicID() == llvm::Intrinsic::masked_load ||
                                 call->getIntrinsicID() == llvm::Intrinsic::masked_store);
    return llvm::isa<llvm::BinaryOperator, llvm::ShuffleVectorInst>(user) ||
           (llvm::isa<llvm::SelectInst>(user) && use.getOperandNo() != 0);
}

Value* lanes_of_bits(llvm::BitCastInst& cast) {
    const auto lanes = llvm::cast<llvm::FixedVectorType>(cast.getType())->getNumElements();
    llvm::IRBuilder<> ir(cast.getNextNode());
    std::vector<llvm::Constant*> bits;
    for (unsigned lane = 0; lane < lanes; ++lane)
        bits.push_back(ir.getInt32(1U << lane));
    Value* const all = ir.CreateVectorSplat(lanes, ir.CreateZExt(cast.getOperand(0), ir.getInt32Ty()));
    Value* const own = ir.CreateAnd(all, llvm::ConstantVector::get(bits));
    return ir.CreateICmpNE(own, llvm::Constant::getNullValue(own->getType()));
}

} // namespace

void expand_masks(llvm::Function& function, bool masked_memory) {
    std::vector<llvm::BitCastInst*> casts;
    for (llvm::Instruction& instruction : llvm::instructions(function))
        if (auto* const cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
            cast != nullptr && is_mask_of_integer(*cast))
            casts.push_back(cast);
    for (llvm::BitCastInst* const cast : casts) {
        std::vector<llvm::Use*> uses;
        for (llvm::Use& use : cast->uses())
            if (wants_vector(use, masked_memory))
                uses.push_back(&use);
        if (uses.empty())
            continue;
        Value* const lanes = lanes_of_bits(*cast);
        for (llvm::Use* const use : uses)
            use->set(lanes);
    }
}

} // namespace visor::jit
