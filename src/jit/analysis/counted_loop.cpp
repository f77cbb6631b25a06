#include "jit/analysis/counted_loop.h"

#include "jit/ir/memory_intrinsics.h"

#include <llvm/IR/PatternMatch.h>

namespace visor::jit {

namespace {

namespace match = llvm::PatternMatch;
using llvm::CmpInst;

// The phi that is one more in each iteration, and of which `value` is the next iteration's.
llvm::PHINode* walked(const LaneSlices& slices, llvm::Value* value) {
    llvm::Value* from = nullptr;
    value = slices.source(value);
    if (!match::match(value, match::m_Add(match::m_Value(from), match::m_One())))
        return nullptr;
    auto* const phi = llvm::dyn_cast<llvm::PHINode>(slices.source(from));
    const bool walks = phi != nullptr && slices.kind(phi) == LaneKind::lanes && slices.needed(*phi) &&
                       phi->getType()->getScalarType()->isIntegerTy(32) && lanes_of(phi) == slices.simd() &&
                       slices.source(slices.next(*phi)) == value;
    return walks ? phi : nullptr;
}

} // namespace

std::optional<CountedLoop> CountedLoop::find(const LaneSlices& slices, const MaskFacts& bits) {
    const MaskFact bit = bits.stays();
    const auto* const compare = llvm::dyn_cast_or_null<llvm::ICmpInst>(bit.as);
    if (compare == nullptr || slices.kind(compare) != LaneKind::lanes)
        return {};
    CountedLoop walk;
    CmpInst::Predicate holds = compare->getPredicate();
    if (bit.kind == MaskFact::Kind::unlike)
        holds = CmpInst::getInversePredicate(holds);
    llvm::Value* next = compare->getOperand(0);
    walk.end = compare->getOperand(1);
    if (slices.kind(slices.source(walk.end)) != LaneKind::invariant) {
        std::swap(next, walk.end);
        holds = CmpInst::getSwappedPredicate(holds);
    }
    walk.stays = holds;
    walk.index = walked(slices, next);
    const bool known = holds == CmpInst::ICMP_SLT || holds == CmpInst::ICMP_ULT || holds == CmpInst::ICMP_NE;
    return known && walk.index != nullptr && slices.kind(slices.source(walk.end)) == LaneKind::invariant
               ? std::optional(walk)
               : std::nullopt;
}

} // namespace visor::jit
