#include "jit/ir/state_pointer.h"

#include "jit/engine/runtime_abi.h"

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

namespace {

constexpr const char* state_mark = "visor.state"; // on the load

constexpr auto state_bytes = static_cast<int64_t>(sizeof(State));

// True if the pointer is `member` bytes after the begin of a State on all paths. Offsets by whole States lead
// to another thread's.
bool leads_to(const llvm::Value& pointer, int64_t member, const llvm::DataLayout& layout) {
    std::set<Origin> seen; // with the member that is expected at each, less than a State's bytes
    std::vector<Origin> open;
    const auto visit = [&](const llvm::Value& value, int64_t expected) {
        const Origin origin = origin_of(value, layout);
        const int64_t remaining = (expected - origin.distance) % state_bytes;
        open.push_back({origin.begin, remaining < 0 ? remaining + state_bytes : remaining});
    };
    visit(pointer, member);
    while (!open.empty()) {
        const Origin next = open.back();
        open.pop_back();
        if (!next.begin->getType()->isPointerTy())
            return false;
        if (!seen.insert(next).second)
            continue;
        if (const auto* const join = llvm::dyn_cast<llvm::PHINode>(next.begin)) {
            for (const llvm::Value* const incoming : join->incoming_values())
                visit(*incoming, next.distance);
        } else if (const auto* const choice = llvm::dyn_cast<llvm::SelectInst>(next.begin)) {
            visit(*choice->getTrueValue(), next.distance);
            visit(*choice->getFalseValue(), next.distance);
        } else if (next.distance != 0) {
            return false;
        } else if (const auto* const argument = llvm::dyn_cast<llvm::Argument>(next.begin)) {
            if (argument->getArgNo() != 0 || argument->getParent()->hasLocalLinkage())
                return false;
        } else if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(next.begin)) {
            visit(*load->getPointerOperand(), offsetof(State, group));
        } else {
            return false;
        }
    }
    return true;
}

} // namespace

bool is_state(const llvm::Value& pointer, const llvm::DataLayout& layout) {
    return leads_to(pointer, 0, layout);
}

std::optional<size_t> member_of_state(const llvm::Value& pointer, const llvm::DataLayout& layout) {
    // Follows one path; leads_to() compares the others.
    constexpr unsigned max_path = 64;
    Origin origin = origin_of(pointer, layout);
    for (unsigned k = 0; k < max_path && !is_state(*origin.begin, layout); ++k) {
        const auto* const join = llvm::dyn_cast<llvm::PHINode>(origin.begin);
        const auto* const choice = llvm::dyn_cast<llvm::SelectInst>(origin.begin);
        const llvm::Value* const from = join != nullptr     ? join->getIncomingValue(0)
                                        : choice != nullptr ? choice->getTrueValue()
                                                            : nullptr;
        if (from == nullptr)
            return std::nullopt;
        const Origin earlier = origin_of(*from, layout);
        origin = {earlier.begin, earlier.distance + origin.distance};
    }
    const bool inside = origin.distance >= 0 && origin.distance < state_bytes;
    return inside && leads_to(pointer, origin.distance, layout)
               ? std::optional(static_cast<size_t>(origin.distance))
               : std::nullopt;
}

bool SpeculatableLoad::classof(const llvm::Value* value) {
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(value);
    return load != nullptr && load->getMetadata(state_mark) != nullptr;
}

SpeculatableLoad* mark_speculatable(llvm::LoadInst& load) {
    load.setMetadata(state_mark, llvm::MDNode::get(load.getContext(), {}));
    return llvm::cast<SpeculatableLoad>(&load);
}

} // namespace visor::jit
