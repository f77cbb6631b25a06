#include "jit/ir/safepoint.h"

#include <llvm/IR/MDBuilder.h>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr const char* poll_mark = "visor.poll"; // on the branch

} // namespace

bool SafepointPoll::classof(const Value* value) {
    const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(value);
    return branch != nullptr && branch->isConditional() && branch->getMetadata(poll_mark) != nullptr;
}

Value* SafepointPoll::instruction_count() const {
    const auto as_or = [](const Value* value) {
        const auto* const code = llvm::dyn_cast<llvm::BinaryOperator>(value);
        return code != nullptr && code->getOpcode() == llvm::Instruction::Or ? code : nullptr;
    };
    const llvm::BinaryOperator* const stops = as_or(getCondition());
    if (stops == nullptr || as_or(stops->getOperand(0)) != nullptr)
        return nullptr;
    const auto* const spent = llvm::dyn_cast<llvm::ICmpInst>(stops->getOperand(1));
    return spent != nullptr && spent->getPredicate() == llvm::CmpInst::ICMP_UGE ? spent->getOperand(0)
                                                                                : nullptr;
}

Value* create_poll_condition(llvm::IRBuilder<>& ir, Value* stopped, Value* count, Value* fuel) {
    return ir.CreateOr(stopped, ir.CreateICmpUGE(count, fuel));
}

SafepointPoll* create_safepoint_poll(llvm::IRBuilder<>& ir, Value* condition, llvm::BasicBlock* slow_path,
                                     llvm::BasicBlock* fast_path) {
    llvm::BranchInst* const branch = ir.CreateCondBr(
        condition, slow_path, fast_path, llvm::MDBuilder(ir.getContext()).createBranchWeights(1, 1000));
    branch->setMetadata(poll_mark, llvm::MDNode::get(branch->getContext(), {}));
    return llvm::cast<SafepointPoll>(branch);
}

} // namespace visor::jit
