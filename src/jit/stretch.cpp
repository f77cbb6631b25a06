#include "jit/stretch.h"

#include "jit/affine.h"
#include "jit/stand_in.h"

#include <llvm/ADT/PostOrderIterator.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr int64_t farthest = INT32_MAX;

// root * factor + number, as far as wrapping does not matter: what is touched is looked at anyhow.
struct Sum {
    Value* root = nullptr;
    int64_t factor = 1;
    int64_t number = 0;
};

Sum sum_of(Value* value) {
    Sum sum{.root = value};
    for (unsigned turn = 0; turn < 16; ++turn) {
        if (auto* const cast = llvm::dyn_cast<llvm::CastInst>(sum.root)) {
            if (!cast->getSrcTy()->isIntegerTy())
                return sum;
            sum.root = cast->getOperand(0);
            continue;
        }
        const auto* const binary = llvm::dyn_cast<llvm::BinaryOperator>(sum.root);
        const auto* const by =
            binary == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(binary->getOperand(1));
        if (by == nullptr || by->getBitWidth() > 64)
            return sum;
        const int64_t number = by->getSExtValue();
        Sum next = sum;
        switch (binary->getOpcode()) {
        case llvm::Instruction::And: // low bits cleared
            if (!by->getValue().isNegatedPowerOf2())
                return sum;
            break;
        case llvm::Instruction::Add:
        case llvm::Instruction::Or:
            if (number < -farthest || number > farthest)
                return sum;
            next.number += next.factor * number;
            break;
        case llvm::Instruction::Shl:
            if (number < 0 || number > 16)
                return sum;
            next.factor <<= number;
            break;
        default:
            return sum;
        }
        if (std::abs(next.number) > farthest || next.factor > farthest)
            return sum;
        next.root = binary->getOperand(0);
        sum = next;
    }
    return sum;
}

bool is_flat(const llvm::CallInst& call) {
    return is_stand_in(call, stand_in::admits);
}

// Whether lanes' places are asked for there. Shared local memory and scratch are near anyhow.
bool is_noted(const llvm::CallInst& call, bool stores) {
    const bool surface =
        is_stand_in(call, stand_in::load_surface) || (stores && is_stand_in(call, stand_in::store_surface));
    return is_flat(call) || (surface && !is_scratch(call) && !masks_offsets(call.getArgOperand(5)));
}

void note(Stretches& stretches, const std::optional<Affine::Form>& form, llvm::CallInst& call) {
    Value* const places = call.getArgOperand(0);
    if (!form || form->lowest() != 0 || form->uniform() || form->highest() > longest_stretch)
        return;
    const uint32_t lanes = lanes_of(places);
    const int64_t step = form->highest() / (lanes - 1);
    const int64_t bytes = step * lanes;
    const Sum sum = sum_of(form->base);
    const int64_t number = sum.number + displacement_of(call);
    Value* const where = is_flat(call) ? nullptr : call.getArgOperand(3);
    Stretch& stretch = stretches[{{where, sum.root}, sum.factor}];
    if (stretch.count == 0)
        stretch = {.first = &call,
                   .base = form->base,
                   .step = step,
                   .lanes = lanes,
                   .at = number,
                   .low = number,
                   .high = number};
    stretch.low = std::min(stretch.low, number);
    stretch.high = std::max(stretch.high, number + bytes);
    stretch.bytes += bytes;
    ++stretch.count;
}

} // namespace

bool Stretch::flat() const {
    return is_flat(*first);
}

llvm::Value* Stretch::surface() const {
    return flat() ? nullptr : first->getArgOperand(3);
}

llvm::Value* Stretch::begin(llvm::IRBuilder<>& ir) const {
    return ir.CreateAdd(ir.CreateZExt(base, ir.getInt64Ty()),
                        ir.getInt64(static_cast<uint64_t>(low - at + displacement_of(*first))));
}

Stretches find_stretches(llvm::Function& function, bool stores) {
    Affine affine(function, 0);
    const llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&function);
    std::vector<llvm::CallInst*> calls;
    for (llvm::BasicBlock* const block : blocks)
        for (llvm::Instruction& instruction : *block)
            if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
                call != nullptr && is_noted(*call, stores))
                calls.push_back(call);
    Stretches stretches;
    std::optional<Affine::Form> form;
    const llvm::CallInst* before = nullptr;
    for (llvm::CallInst* const call : calls) {
        Value* const places = call->getArgOperand(0);
        // Asked once for all units of a message: these stay side by side (access_together.cpp).
        if (before == nullptr || before->getArgOperand(0) != places ||
            before->getParent() != call->getParent())
            form = lanes_of(places) < 2 ? std::nullopt : affine.form(places, 0, call);
        note(stretches, form, *call);
        before = call;
    }
    return stretches;
}

} // namespace visor::jit
