// Atomics in tier 1 code: those that are alike are calls of one function, since emitting the same loop over
// lanes again and again takes longer than the rest of a kernel.
#pragma once

#include "jit/translate/atomic.h"

namespace visor::jit {

struct AtomicCall {
    AtomicOp update = AtomicOp::add;
    uint32_t bits = 32;
    bool bfloat = false;
    const SurfaceWindow* window = nullptr; // null: flat addresses, of which lanes that are on may use theirs
    uint32_t lanes = 1;
    bool has_result = true; // somebody wants the results
    // By lane: a vector, or the number of the only lane.
    llvm::Value* addresses = nullptr; // masked offsets of 32 bits, or addresses of 64
    llvm::Value* first = nullptr;     // null: the update has no such source
    llvm::Value* second = nullptr;
    llvm::Value* on = nullptr; // an integer, bit k for lane k
};

struct AtomicResult {
    llvm::Value* done = nullptr;    // i1; false: nothing was, since a lane that is on is not aligned
    llvm::Value* results = nullptr; // where lane after lane's result is then, if wanted; zero of lanes that
                                    // are off, or outside
};

AtomicResult call_atomic(Translator& translator, Messages& messages, const AtomicCall& call);

} // namespace visor::jit
