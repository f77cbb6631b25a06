#include "jit/analysis/mask_facts.h"

namespace visor::jit {

namespace {

using llvm::Value;
using Kind = MaskFact::Kind;

constexpr MaskFact clear{.kind = Kind::clear};
constexpr MaskFact set{.kind = Kind::set};

MaskFact both(MaskFact one, MaskFact other) {
    if (one == clear || other == clear)
        return clear;
    if (one == set || one == other)
        return other;
    return other == set ? one : MaskFact{};
}
MaskFact any(MaskFact one, MaskFact other) {
    if (one == set || other == set)
        return set;
    if (one == clear || one == other)
        return other;
    return other == clear ? one : MaskFact{};
}
MaskFact opposite(MaskFact bit) {
    switch (bit.kind) {
    case Kind::clear:
        return set;
    case Kind::set:
        return clear;
    case Kind::same:
        return {.kind = Kind::unlike, .as = bit.as};
    case Kind::unlike:
        return {.kind = Kind::same, .as = bit.as};
    default:
        return {};
    }
}
MaskFact differs(MaskFact one, MaskFact other) {
    if (one == clear || other == clear)
        return one == clear ? other : one;
    if (one == set || other == set)
        return opposite(one == set ? other : one);
    return one == other && one.kind != Kind::unknown ? clear : MaskFact{};
}

// A lane's bits of a constant.
MaskFact of_constant(const llvm::Constant& constant, uint32_t simd) {
    const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(&constant);
    const bool all = number != nullptr ? number->getValue().countr_one() >= simd : constant.isAllOnesValue();
    const bool none = number != nullptr ? number->getValue().countr_zero() >= simd : constant.isNullValue();
    return all ? set : none ? clear : MaskFact{.kind = Kind::same, .as = &constant};
}

bool is_mask(const Value& value, uint32_t simd) {
    const auto* const lanes = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
    return lanes != nullptr ? lanes->getNumElements() == simd && lanes->getScalarSizeInBits() == 1
                            : value.getType()->isIntegerTy() && value.getType()->getIntegerBitWidth() >= simd;
}

} // namespace

MaskFacts::MaskFacts(const LaneSlices& slices) : slices_(slices) {
    const llvm::PHINode* const on = slices.chain().mask;
    Bits first;
    for (llvm::PHINode* const phi : slices.needed_phis())
        if (is_mask(*phi, slices.simd()))
            first[phi] = lookup({}, slices.first(*phi));
    if (on != nullptr) {
        first[on] = clear;
        inactive_ = iteration(first, {}, true);
        first[on] = set;
    }
    // Optimistic: a phi keeps its initial value.
    for (bool settled = false; !settled;) {
        const Bits after = iteration(first, set, false);
        settled = true;
        for (auto& [phi, bit] : first)
            if (phi != on && bit.kind != Kind::unknown &&
                lookup(after, slices.next(*llvm::cast<llvm::PHINode>(phi))) != bit) {
                bit = {};
                settled = false;
            }
    }
    ran_ = iteration(first, clear, true);
    if (on != nullptr)
        stays_ = lookup(iteration(first, {}, true), slices.next(*on));
}

MaskFact MaskFacts::settled(MaskFact bit) const {
    return bit.as == nullptr || slices_.kind(bit.as) == LaneKind::invariant ? bit : MaskFact{};
}
MaskFact MaskFacts::ran(Value* mask) const {
    return settled(lookup(ran_, mask));
}
MaskFact MaskFacts::inactive(Value* mask) const {
    return settled(lookup(inactive_, mask));
}

MaskFact MaskFacts::lookup(const Bits& bits, Value* value) const {
    value = slices_.source(value);
    if (const auto found = bits.find(value); found != bits.end())
        return found->second;
    if (slices_.kind(value) != LaneKind::invariant || !is_mask(*value, slices_.simd()))
        return {};
    const auto* const constant = llvm::dyn_cast<llvm::Constant>(value);
    return constant != nullptr ? of_constant(*constant, slices_.simd())
                               : MaskFact{.kind = Kind::same, .as = value};
}

MaskFact MaskFacts::compute(const Bits& bits, llvm::Instruction& instruction) const {
    const auto operand = [&](unsigned k) { return lookup(bits, instruction.getOperand(k)); };
    switch (instruction.getOpcode()) {
    case llvm::Instruction::And:
        return both(operand(0), operand(1));
    case llvm::Instruction::Or:
        return any(operand(0), operand(1));
    case llvm::Instruction::Xor:
        return differs(operand(0), operand(1));
    case llvm::Instruction::ZExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::BitCast:
        return operand(0);
    case llvm::Instruction::ICmp:
        return {.kind = Kind::same, .as = &instruction};
    default:
        return {};
    }
}

MaskFacts::Bits MaskFacts::iteration(Bits bits, MaskFact stays, bool last) const {
    const LaneChain& chain = slices_.chain();
    const Value* const decides = chain.mask == nullptr ? nullptr : slices_.source(slices_.next(*chain.mask));
    for (llvm::BasicBlock* const block : chain.blocks) {
        for (llvm::Instruction& instruction : *block) {
            if (llvm::isa<llvm::PHINode>(instruction) || !slices_.needed(instruction) ||
                slices_.kind(&instruction) == LaneKind::invariant || !is_mask(instruction, slices_.simd()))
                continue;
            const bool known = &instruction == decides && stays.kind != Kind::unknown;
            bits[&instruction] = known ? stays : compute(bits, instruction);
        }
        if (last && block == chain.leaves->getParent())
            break;
    }
    return bits;
}

} // namespace visor::jit
