// Lane-mask facts: the final bit of a lane in each mask of a serialized loop
// (transform/serialize_divergent_loops.h). Most masks are invariant, or equal the set of active lanes: no
// lane has to set its bit.
#pragma once

#include "jit/analysis/lane_slice.h"

namespace visor::jit {

struct MaskFact {
    enum class Kind : uint8_t { unknown, clear, set, same, unlike };
    Kind kind = Kind::unknown;
    const llvm::Value* as = nullptr; // same, unlike: the mask that has this bit, or its complement
    bool operator==(const MaskFact&) const = default;
};

class MaskFacts {
public:
    // Time: the loop's instructions times its masks.
    explicit MaskFacts(const LaneSlices& slices);
    // A lane's bit in `mask` after its last iteration, and an inactive lane's bit. In terms of invariants.
    [[nodiscard]] MaskFact ran(llvm::Value* mask) const;
    [[nodiscard]] MaskFact inactive(llvm::Value* mask) const;
    // Set if an active lane continues with another iteration; may refer to a comparison of this one.
    [[nodiscard]] MaskFact stays() const { return stays_; }

private:
    using Bits = std::map<const llvm::Value*, MaskFact>;

    [[nodiscard]] MaskFact lookup(const Bits& bits, llvm::Value* value) const;
    [[nodiscard]] MaskFact compute(const Bits& bits, llvm::Instruction& instruction) const;
    [[nodiscard]] MaskFact settled(MaskFact bit) const;
    // Of a whole iteration, or of one that ends at the exiting block.
    [[nodiscard]] Bits iteration(Bits bits, MaskFact stays, bool last) const;

    const LaneSlices& slices_;
    Bits ran_;
    Bits inactive_;
    MaskFact stays_;
};

} // namespace visor::jit
