// What becomes of a lane's bit in each mask of a loop while the lane runs by itself
// (transform/serialize_divergent_loops.h): most masks stay what they were, or tell which lanes ran, so that
// no lane has to put its bit there.
#pragma once

#include "jit/analysis/lane_slice.h"

namespace visor::jit {

struct LaneBit {
    enum class Kind : uint8_t { unknown, clear, set, same, unlike };
    Kind kind = Kind::unknown;
    const llvm::Value* as = nullptr; // the same as in this one, or not
    bool operator==(const LaneBit&) const = default;
};

class LaneBits {
public:
    // Time: the loop's instructions times its masks.
    explicit LaneBits(const LaneSlices& slices);
    // The bit that a lane has in `mask` behind its last turn; that of a lane which does not run. Told by what
    // no turn changes.
    [[nodiscard]] LaneBit ran(llvm::Value* mask) const;
    [[nodiscard]] LaneBit rested(llvm::Value* mask) const;
    // Set when a lane that runs stays for another turn; may be told by a comparison of this one.
    [[nodiscard]] LaneBit stays() const { return stays_; }

private:
    using Bits = std::map<const llvm::Value*, LaneBit>;

    [[nodiscard]] LaneBit look(const Bits& bits, llvm::Value* value) const;
    [[nodiscard]] LaneBit compute(const Bits& bits, llvm::Instruction& instruction) const;
    [[nodiscard]] LaneBit settled(LaneBit bit) const;
    // Of a whole turn, or of one that ends where lanes leave.
    [[nodiscard]] Bits turn(Bits bits, LaneBit stays, bool last) const;

    const LaneSlices& slices_;
    Bits ran_;
    Bits rested_;
    LaneBit stays_;
};

} // namespace visor::jit
