// A reload is the only way for a value to get over a stop of the thread: what a variable is between two stops
// is either reloaded or computed there. Saved variables have memory of their own, which only their saves
// write; predicates and addresses (no vectors) share theirs with the interpreter.
#include "jit/transform/eliminate_redundant_saves.h"

#include "jit/ir/kept_copy.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <vector>

namespace visor::jit {

namespace {

constexpr size_t max_phis = 256; // of one value

using Slot = KeptCopy::Slot;

std::optional<Slot> slot_of(const llvm::Instruction& code) {
    const auto* const copy = llvm::dyn_cast<KeptCopy>(&code);
    return copy == nullptr ? std::nullopt : std::optional(copy->slot());
}

using Phis = llvm::SmallPtrSet<const llvm::PHINode*, 16>;

// Whether the value is on every path what was reloaded from the slot.
bool is_reload(const llvm::Value* value, const Slot& slot, Phis& phis) {
    std::vector<const llvm::Value*> left{value};
    while (!left.empty()) {
        const llvm::Value* const one = left.back();
        left.pop_back();
        if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(one)) {
            if (phis.insert(phi).second)
                left.insert(left.end(), phi->value_op_begin(), phi->value_op_end());
            if (phis.size() > max_phis)
                return false;
            continue;
        }
        const auto* const load = llvm::dyn_cast<llvm::LoadInst>(one);
        if (load == nullptr || load->getType() != value->getType() || slot_of(*load) != slot)
            return false;
    }
    return true;
}

} // namespace

void eliminate_redundant_saves(llvm::Function& function) {
    std::vector<llvm::StoreInst*> redundant;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        if (store == nullptr || !store->getValueOperand()->getType()->isVectorTy())
            continue;
        const auto slot = slot_of(*store);
        Phis phis;
        if (slot && is_reload(store->getValueOperand(), *slot, phis))
            redundant.push_back(store);
    }
    for (llvm::StoreInst* const store : redundant)
        store->eraseFromParent();
}

} // namespace visor::jit
