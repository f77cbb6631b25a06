// A lane that goes through memory step by step, up to an end that it knows in front of its first turn: how
// many turns it makes, and how far it comes, is asked once, instead of in each.
#pragma once

#include "jit/analysis/mask_facts.h"

#include <optional>

namespace visor::jit {

struct LaneWalk {
    llvm::PHINode* index = nullptr; // i32 by lane; one more in each turn
    llvm::Value* end = nullptr;     // by lane, does not change
    // A lane stays while this holds of the index for the next turn, and the end.
    llvm::CmpInst::Predicate stays = llvm::CmpInst::ICMP_NE;

    static std::optional<LaneWalk> find(const LaneSlices& slices, const LaneBits& bits);
};

} // namespace visor::jit
