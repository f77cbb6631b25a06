#include "jit/transform/concat_halves.h"

#include "jit/ir/memory_intrinsics.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>

#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr unsigned max_depth = 6;
constexpr uint64_t thread_bits = 1024; // 32 lanes of dwords

// Elementwise operations.
bool has_whole_form(const llvm::Instruction& instruction) {
    return llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::TruncInst, llvm::ZExtInst, llvm::SExtInst>(
        instruction);
}

llvm::FixedVectorType* whole_type(const llvm::Type* half) {
    const auto* const vector = llvm::cast<llvm::FixedVectorType>(half);
    return llvm::FixedVectorType::get(vector->getElementType(), vector->getNumElements() * 2);
}

// Also two casts of one value: those that combine_shuffles makes are not merged yet.
bool are_same(const Value* one, const Value* other) {
    const auto* const first = llvm::dyn_cast<llvm::BitCastInst>(one);
    const auto* const second = llvm::dyn_cast<llvm::BitCastInst>(other);
    return one == other || (first != nullptr && second != nullptr && first->getType() == second->getType() &&
                            first->getOperand(0) == second->getOperand(0));
}

// Shuffles of the same vectors.
bool have_same_sources(const Value* low, const Value* high) {
    const auto* const first = llvm::dyn_cast<llvm::ShuffleVectorInst>(low);
    const auto* const second = llvm::dyn_cast<llvm::ShuffleVectorInst>(high);
    return first != nullptr && second != nullptr && are_same(first->getOperand(0), second->getOperand(0)) &&
           are_same(first->getOperand(1), second->getOperand(1));
}

} // namespace

bool HalfConcatenation::can_concatenate(Value* low, Value* high, unsigned depth) {
    if (low->getType() != high->getType() || !low->getType()->isVectorTy() ||
        whole_type(low->getType())->getPrimitiveSizeInBits() > thread_bits)
        return false;
    if (const auto found = known_.find({low, high}); found != known_.end())
        return found->second;
    const auto by_operands = [&] {
        const auto* const first = llvm::dyn_cast<llvm::Instruction>(low);
        const auto* const second = llvm::dyn_cast<llvm::Instruction>(high);
        if (depth == max_depth || first == nullptr || second == nullptr || !has_whole_form(*first) ||
            !first->isSameOperationAs(second, llvm::Instruction::CompareIgnoringAlignment))
            return false;
        for (unsigned k = 0; k < first->getNumOperands(); ++k)
            if (!can_concatenate(first->getOperand(k), second->getOperand(k), depth + 1))
                return false;
        return true;
    };
    const bool both_constant = llvm::isa<llvm::Constant>(low) && llvm::isa<llvm::Constant>(high);
    const Value* const splat = llvm::getSplatValue(low);
    const bool one = splat != nullptr && splat == llvm::getSplatValue(high);
    const bool can = both_constant || one || have_same_sources(low, high) || by_operands();
    known_[{low, high}] = can;
    return can;
}

Value* HalfConcatenation::build(llvm::IRBuilder<>& ir, Value* low, Value* high) {
    Value*& whole = wholes_[{low, high}];
    if (whole != nullptr)
        return whole;
    if (llvm::isa<llvm::Constant>(low) && llvm::isa<llvm::Constant>(high))
        return whole = llvm::concatenateVectors(ir, {low, high});
    if (Value* const splat = llvm::getSplatValue(low); splat != nullptr && splat == llvm::getSplatValue(high))
        return whole = ir.CreateVectorSplat(lanes_of(low) * 2, splat);
    if (have_same_sources(low, high)) {
        const auto* const first = llvm::cast<llvm::ShuffleVectorInst>(low);
        std::vector<int> order(first->getShuffleMask().begin(), first->getShuffleMask().end());
        const llvm::ArrayRef<int> rest = llvm::cast<llvm::ShuffleVectorInst>(high)->getShuffleMask();
        order.insert(order.end(), rest.begin(), rest.end());
        return whole = ir.CreateShuffleVector(first->getOperand(0), first->getOperand(1), order);
    }
    const auto* const first = llvm::cast<llvm::Instruction>(low);
    const auto* const second = llvm::cast<llvm::Instruction>(high);
    std::vector<Value*> operands;
    for (unsigned k = 0; k < first->getNumOperands(); ++k)
        operands.push_back(build(ir, first->getOperand(k), second->getOperand(k)));
    llvm::Instruction* const own = first->clone();
    for (unsigned k = 0; k < operands.size(); ++k)
        own->setOperand(k, operands[k]);
    own->mutateType(whole_type(first->getType()));
    own->andIRFlags(second);
    wholes_[{low, high}] = ir.Insert(own);
    return own;
}

Value* HalfConcatenation::join(llvm::IRBuilder<>& ir, Value* low, Value* high) {
    return can_concatenate(low, high, 0) ? build(ir, low, high) : nullptr;
}

} // namespace visor::jit
