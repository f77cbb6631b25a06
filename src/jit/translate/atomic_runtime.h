// Atomics in tier 1 code: those of one form call one function. Emitting the same loop over lanes for each
// takes longer than the rest of a kernel.
#pragma once

#include "jit/translate/atomic.h"

namespace visor::jit {

struct AtomicUpdate {
    AtomicOp update = AtomicOp::add;
    uint32_t bits = 32;
    bool bfloat = false;
    const SurfaceWindow* window = nullptr; // null: flat addresses, already range-checked
    uint32_t lanes = 1;
    bool has_result = true; // the results are used
    // Per lane: a vector, or a scalar for one lane.
    llvm::Value* addresses = nullptr; // masked 32-bit offsets, or 64-bit addresses
    llvm::Value* first = nullptr;     // null: the update has no such source
    llvm::Value* second = nullptr;
    llvm::Value* on = nullptr; // an integer, bit k for lane k
};

struct AtomicResult {
    llvm::Value* done = nullptr;    // i1; false: an active lane is misaligned, and no lane was updated
    llvm::Value* results = nullptr; // pointer to the results by lane, if used; zero for lanes that are
                                    // inactive or out of bounds
};

AtomicResult call_atomic(Translator& translator, Messages& messages, const AtomicUpdate& call);

} // namespace visor::jit
