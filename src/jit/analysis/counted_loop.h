// Counted loops of a lane: a bound known before the first iteration limits the lane's index. Trip count and
// extent are computed once instead of checked in each iteration.
#pragma once

#include "jit/analysis/mask_facts.h"

#include <optional>

namespace visor::jit {

struct CountedLoop {
    llvm::PHINode* index = nullptr; // i32 per lane; the induction variable, with step 1
    llvm::Value* end = nullptr;     // per lane, loop-invariant
    // A lane continues while this holds for the next index and the end.
    llvm::CmpInst::Predicate stays = llvm::CmpInst::ICMP_NE;

    static std::optional<CountedLoop> find(const LaneSlices& slices, const MaskFacts& bits);
};

} // namespace visor::jit
