// Counted loops of a lane: a lane steps through memory up to a bound known before its first iteration, so
// that trip count and extent are computed once instead of checked in each.
#pragma once

#include "jit/analysis/mask_facts.h"

#include <optional>

namespace visor::jit {

struct CountedLoop {
    llvm::PHINode* index = nullptr; // i32 by lane; one more in each iteration
    llvm::Value* end = nullptr;     // by lane, does not change
    // A lane stays while this holds of the index for the next iteration, and the end.
    llvm::CmpInst::Predicate stays = llvm::CmpInst::ICMP_NE;

    static std::optional<CountedLoop> find(const LaneSlices& slices, const MaskFacts& bits);
};

} // namespace visor::jit
