#include "jit/analysis/counted_loop.h"

#include "jit/ir/memory_intrinsics.h"

#include <llvm/IR/PatternMatch.h>

namespace visor::jit {

namespace {

namespace match = llvm::PatternMatch;
using llvm::CmpInst;

// The header phi that increments by one and has `value` as its next value.
llvm::PHINode* induction_phi(const LaneSlices& slices, llvm::Value* value) {
    llvm::Value* from = nullptr;
    value = slices.source(value);
    if (!match::match(value, match::m_Add(match::m_Value(from), match::m_One())))
        return nullptr;
    auto* const phi = llvm::dyn_cast<llvm::PHINode>(slices.source(from));
    const bool is_induction = phi != nullptr && slices.kind(phi) == LaneKind::lanes && slices.needed(*phi) &&
                              phi->getType()->getScalarType()->isIntegerTy(32) &&
                              lanes_of(phi) == slices.simd() && slices.source(slices.next(*phi)) == value;
    return is_induction ? phi : nullptr;
}

} // namespace

std::optional<CountedLoop> CountedLoop::find(const LaneSlices& slices, const MaskFacts& bits) {
    const MaskFact bit = bits.stays();
    const auto* const compare = llvm::dyn_cast_or_null<llvm::ICmpInst>(bit.as);
    if (compare == nullptr || slices.kind(compare) != LaneKind::lanes)
        return {};
    CountedLoop counted;
    CmpInst::Predicate holds = compare->getPredicate();
    if (bit.kind == MaskFact::Kind::unlike)
        holds = CmpInst::getInversePredicate(holds);
    llvm::Value* next = compare->getOperand(0);
    counted.end = compare->getOperand(1);
    if (slices.kind(slices.source(counted.end)) != LaneKind::invariant) {
        std::swap(next, counted.end);
        holds = CmpInst::getSwappedPredicate(holds);
    }
    counted.stays = holds;
    counted.index = induction_phi(slices, next);
    const bool known = holds == CmpInst::ICMP_SLT || holds == CmpInst::ICMP_ULT || holds == CmpInst::ICMP_NE;
    return known && counted.index != nullptr && slices.kind(slices.source(counted.end)) == LaneKind::invariant
               ? std::optional(counted)
               : std::nullopt;
}

} // namespace visor::jit
