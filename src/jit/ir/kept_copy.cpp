#include "jit/ir/kept_copy.h"

#include <llvm/IR/Constants.h>

namespace visor::jit {

namespace {

constexpr const char* kept_mark = "visor.kept"; // operands: entry, variable, piece

} // namespace

bool KeptCopy::classof(const llvm::Value* value) {
    const auto* const code = llvm::dyn_cast<llvm::Instruction>(value);
    const llvm::MDNode* const mark = code != nullptr && llvm::isa<llvm::LoadInst, llvm::StoreInst>(code)
                                         ? code->getMetadata(kept_mark)
                                         : nullptr;
    return mark != nullptr && mark->getNumOperands() == 3;
}

KeptCopy::Slot KeptCopy::slot() const {
    const llvm::MDNode& mark = *identity();
    return {mark.getOperand(1).get(), mark.getOperand(2).get()};
}

const llvm::MDNode* KeptCopy::identity() const {
    return getMetadata(kept_mark);
}

void mark_kept_copy(llvm::Instruction& copy, uint64_t entry, uint64_t variable, uint64_t piece) {
    auto* const type = llvm::Type::getInt64Ty(copy.getContext());
    const auto number = [&](uint64_t value) -> llvm::Metadata* {
        return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, value));
    };
    copy.setMetadata(kept_mark,
                     llvm::MDNode::get(copy.getContext(), {number(entry), number(variable), number(piece)}));
}

} // namespace visor::jit
