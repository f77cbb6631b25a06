#include "jit/analysis/element_origin.h"

#include "jit/ir/memory_intrinsics.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <optional>

namespace visor::jit {

namespace {

using llvm::Value;

// Limit on chains of shuffles.
constexpr uint32_t max_chain = 64;

std::optional<uint64_t> number_of(const Value* value) {
    const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(value);
    return constant == nullptr ? std::nullopt : std::optional(constant->getZExtValue());
}

// The operand that element `index`, of `size` bytes, comes from; none if it was computed here.
std::optional<ElementOrigin> before(Value* value, uint32_t index, uint32_t size, uint32_t rest) {
    if (auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(value)) {
        const int from = shuffle->getMaskValue(index);
        const auto count = static_cast<int>(lanes_of(shuffle->getOperand(0)));
        if (from < 0)
            return ElementOrigin{};
        return ElementOrigin{shuffle->getOperand(from < count ? 0 : 1),
                             static_cast<uint32_t>(from % count) * size + rest};
    }
    if (auto* const insert = llvm::dyn_cast<llvm::InsertElementInst>(value)) {
        const auto position = number_of(insert->getOperand(2));
        if (!position)
            return std::nullopt;
        return *position == index ? ElementOrigin{insert->getOperand(1), rest}
                                  : ElementOrigin{insert->getOperand(0), index * size + rest};
    }
    if (auto* const extract = llvm::dyn_cast<llvm::ExtractElementInst>(value)) {
        const auto position = number_of(extract->getIndexOperand());
        if (!position)
            return std::nullopt;
        return ElementOrigin{extract->getVectorOperand(), static_cast<uint32_t>(*position) * size + rest};
    }
    if (auto* const blend = llvm::dyn_cast<llvm::SelectInst>(value)) {
        const auto* const mask = llvm::dyn_cast<llvm::Constant>(blend->getCondition());
        const llvm::Constant* const bit =
            mask == nullptr || !mask->getType()->isVectorTy() ? nullptr : mask->getAggregateElement(index);
        const auto first = bit == nullptr ? std::nullopt : number_of(bit);
        if (!first)
            return std::nullopt;
        return ElementOrigin{*first != 0 ? blend->getTrueValue() : blend->getFalseValue(),
                             index * size + rest};
    }
    return std::nullopt;
}

} // namespace

bool moves_elements(const Value& value) {
    if (const auto* const blend = llvm::dyn_cast<llvm::SelectInst>(&value))
        return llvm::isa<llvm::Constant>(blend->getCondition()) &&
               blend->getCondition()->getType()->isVectorTy();
    return llvm::isa<llvm::ShuffleVectorInst, llvm::InsertElementInst>(value);
}

ElementOrigin origin(Value* vector, uint32_t byte, uint32_t bytes, const KeptValues& kept, bool through) {
    ElementOrigin at{vector, byte};
    for (uint32_t iteration = 0; iteration < max_chain && at.value != nullptr; ++iteration) {
        if (const auto copy = kept.find(at.value); copy != kept.end()) {
            if (!through)
                return at;
            at.value = copy->second;
            continue;
        }
        if (auto* const cast = llvm::dyn_cast<llvm::BitCastInst>(at.value)) {
            if (!cast->getOperand(0)->getType()->isVectorTy())
                return at;
            at.value = cast->getOperand(0);
            continue;
        }
        const uint32_t size = std::max(at.value->getType()->getScalarSizeInBits() / 8, 1U);
        if (at.byte % size + bytes > size)
            return at; // spans several elements
        const auto from = before(at.value, at.byte / size, size, at.byte % size);
        if (!from)
            return at;
        at = *from;
    }
    return at;
}

} // namespace visor::jit
