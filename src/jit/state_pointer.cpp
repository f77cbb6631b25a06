#include "jit/state_pointer.h"

#include "jit/state.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <set>
#include <vector>

namespace visor::jit {

Origin origin_of(const llvm::Value& pointer, const llvm::DataLayout& layout) {
    Origin origin{.begin = &pointer, .distance = 0};
    while (const auto* const step = llvm::dyn_cast<llvm::GEPOperator>(origin.begin)) {
        llvm::APInt bytes(64, 0);
        if (!step->getType()->isPointerTy() || !step->accumulateConstantOffset(layout, bytes))
            break;
        origin.distance += bytes.getSExtValue();
        origin.begin = step->getPointerOperand();
    }
    return origin;
}

bool is_state(const llvm::Value& pointer, const llvm::DataLayout& layout) {
    std::set<const llvm::Value*> seen;
    std::vector<const llvm::Value*> open{&pointer};
    // Whole States further; what is not is found out where it is looked at.
    const auto look_at = [&](const llvm::Value& value) {
        const Origin origin = origin_of(value, layout);
        const bool whole = origin.distance % static_cast<int64_t>(sizeof(State)) == 0;
        open.push_back(whole ? origin.begin : nullptr);
    };
    while (!open.empty()) {
        const llvm::Value* const next = open.back();
        open.pop_back();
        if (next == nullptr || !next->getType()->isPointerTy())
            return false;
        if (!seen.insert(next).second)
            continue;
        if (const auto* const argument = llvm::dyn_cast<llvm::Argument>(next)) {
            if (argument->getArgNo() != 0 || argument->getParent()->hasLocalLinkage())
                return false;
        } else if (const auto* const join = llvm::dyn_cast<llvm::PHINode>(next)) {
            for (const llvm::Value* const incoming : join->incoming_values())
                look_at(*incoming);
        } else if (const auto* const choice = llvm::dyn_cast<llvm::SelectInst>(next)) {
            look_at(*choice->getTrueValue());
            look_at(*choice->getFalseValue());
        } else {
            const auto* const load = llvm::dyn_cast<llvm::LoadInst>(next);
            if (load == nullptr)
                return false;
            const Origin member = origin_of(*load->getPointerOperand(), layout);
            if (member.distance != offsetof(State, group))
                return false;
            open.push_back(member.begin);
        }
    }
    return true;
}

} // namespace visor::jit
