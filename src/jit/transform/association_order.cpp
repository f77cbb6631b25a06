#include "jit/transform/association_order.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <string>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr size_t long_block = 1000; // of LLVM IR

bool is_sum(const Value* value) {
    const auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(value);
    return binary != nullptr && binary->getOpcode() == llvm::Instruction::Add &&
           value->getType()->isVectorTy();
}

// Not constant for LLVM, although nothing writes it.
llvm::GlobalVariable* in_memory(llvm::Module& module, llvm::ConstantInt& number) {
    const std::string name =
        "visor_addend." + std::to_string(number.getBitWidth()) + "." + std::to_string(number.getZExtValue());
    if (llvm::GlobalVariable* const found = module.getNamedGlobal(name))
        return found;
    return new llvm::GlobalVariable(module, number.getType(), false, llvm::GlobalValue::PrivateLinkage,
                                    &number, name);
}

} // namespace

void pin_association_order(llvm::BasicBlock& block) {
    for (llvm::Instruction& sum : llvm::make_early_inc_range(block)) {
        if (!is_sum(&sum) || !sum.hasOneUse() || !is_sum(sum.user_back()))
            continue;
        const auto* const constant = llvm::dyn_cast<llvm::Constant>(sum.getOperand(1));
        auto* const number = constant == nullptr
                                 ? nullptr
                                 : llvm::dyn_cast_or_null<llvm::ConstantInt>(constant->getSplatValue());
        if (number == nullptr || number->getBitWidth() > 64)
            continue;
        llvm::IRBuilder<> ir(&sum);
        Value* const loaded = ir.CreateLoad(number->getType(), in_memory(*block.getModule(), *number));
        sum.setOperand(1, ir.CreateVectorSplat(
                              llvm::cast<llvm::FixedVectorType>(sum.getType())->getNumElements(), loaded));
    }
}

void pin_association_order(llvm::Function& function) {
    for (llvm::BasicBlock& block : function)
        if (block.size() >= long_block)
            pin_association_order(block);
}

} // namespace visor::jit
