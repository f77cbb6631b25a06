// Lane-mask facts: what becomes of a lane's bit in each mask of a loop while that lane runs serially
// (transform/serialize_divergent_loops.h). Most masks do not change, or say which lanes ran, so that no lane
// has to set its bit.
#pragma once

#include "jit/analysis/lane_slice.h"

namespace visor::jit {

struct MaskFact {
    enum class Kind : uint8_t { unknown, clear, set, same, unlike };
    Kind kind = Kind::unknown;
    const llvm::Value* as = nullptr; // the same as in this one, or not
    bool operator==(const MaskFact&) const = default;
};

class MaskFacts {
public:
    // Time: the loop's instructions times its masks.
    explicit MaskFacts(const LaneSlices& slices);
    // The bit that a lane has in `mask` behind its last iteration; that of a lane which does not run. Told by
    // what no iteration changes.
    [[nodiscard]] MaskFact ran(llvm::Value* mask) const;
    [[nodiscard]] MaskFact inactive(llvm::Value* mask) const;
    // Set when a lane that runs stays for another iteration; may be told by a comparison of this one.
    [[nodiscard]] MaskFact stays() const { return stays_; }

private:
    using Bits = std::map<const llvm::Value*, MaskFact>;

    [[nodiscard]] MaskFact look(const Bits& bits, llvm::Value* value) const;
    [[nodiscard]] MaskFact compute(const Bits& bits, llvm::Instruction& instruction) const;
    [[nodiscard]] MaskFact settled(MaskFact bit) const;
    // Of a whole iteration, or of one that ends where lanes leave.
    [[nodiscard]] Bits iteration(Bits bits, MaskFact stays, bool last) const;

    const LaneSlices& slices_;
    Bits ran_;
    Bits inactive_;
    MaskFact stays_;
};

} // namespace visor::jit
