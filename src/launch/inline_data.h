// Where the bytes of the cross-thread payload lie in registers, when its first ones are inline data: those
// lie in a register of their own, and what follows begins the next one. What the bytes are is not its
// business.
#pragma once

#include <cstdint>
#include <optional>

namespace visor::launch {

class InlineData {
public:
    // `bytes` 0: there are none, and the payload lies in one piece.
    InlineData(uint32_t bytes, uint32_t grf_bytes)
        : bytes_(bytes), gap_(bytes == 0 ? 0 : grf_bytes - bytes) {}

    [[nodiscard]] static bool is_possible(uint32_t bytes, uint32_t grf_bytes) {
        return bytes <= grf_bytes && bytes % 4 == 0;
    }

    // From the register that begins the payload.
    [[nodiscard]] uint32_t place(uint32_t payload_offset) const {
        return payload_offset < bytes_ ? payload_offset : payload_offset + gap_;
    }

    // Whether the bytes lie one behind the other.
    [[nodiscard]] bool holds_together(uint32_t payload_offset, uint32_t bytes) const {
        return gap_ == 0 || payload_offset >= bytes_ || bytes <= bytes_ - payload_offset;
    }

    // The payload from a place on, as far as it goes on there.
    struct Piece {
        uint32_t offset = 0;
        uint32_t bytes = UINT32_MAX;
    };
    // Nothing: between the inline data and the next register, where no payload lies.
    [[nodiscard]] std::optional<Piece> piece_at(uint32_t place) const {
        if (gap_ == 0)
            return Piece{place};
        if (place < bytes_)
            return Piece{place, bytes_ - place};
        return place < bytes_ + gap_ ? std::nullopt : std::optional(Piece{place - gap_});
    }

private:
    uint32_t bytes_;
    uint32_t gap_;
};

} // namespace visor::launch
