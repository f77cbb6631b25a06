// Atomic updates of one place by several lanes as one update: what the lanes bring is reduced within the
// vector, and what each lane finds there follows from the old value and the lanes before it.
#pragma once

#include "jit/translate/atomic.h"

namespace visor::jit {

// Emits at the translator's insertion point. Vectors have an element a lane.
class AtomicReduction {
public:
    using Value = llvm::Value;

    // Whether lanes in ascending order leave the same: integers, but for exchanges.
    [[nodiscard]] static bool is_possible(AtomicOp update);

    // `first`: the sources by lane, of an update that has them. `on`: i1 by lane.
    AtomicReduction(Translator& translator, AtomicOp update, uint32_t bits, Value* first, Value* on);

    [[nodiscard]] AtomicOp update() const; // the one that takes total()
    Value* total();
    // By lane, from what update() found in memory; zero for lanes that are off.
    Value* results(Value* old);

private:
    [[nodiscard]] llvm::APInt identity() const;
    Value* merged(Value* a, Value* b);
    Value* of_lanes_before();

    llvm::IRBuilder<>& ir_;
    AtomicOp update_;
    uint32_t bits_;
    Value* on_;
    Value* values_; // identity() for lanes that are off
};

} // namespace visor::jit
