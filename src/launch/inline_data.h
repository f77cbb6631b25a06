// Register offsets of the cross-thread payload when its first bytes are inline data: these have a register of
// their own, and the rest begins at the next one. It does not interpret the bytes.
#pragma once

#include <cstdint>
#include <optional>

namespace visor::launch {

class InlineData {
public:
    // `bytes` 0: no inline data, so the payload is contiguous.
    InlineData(uint32_t bytes, uint32_t grf_bytes)
        : bytes_(bytes), gap_(bytes == 0 ? 0 : grf_bytes - bytes) {}

    [[nodiscard]] static bool is_possible(uint32_t bytes, uint32_t grf_bytes) {
        return bytes <= grf_bytes && bytes % 4 == 0;
    }

    // The offset from the payload's first register.
    [[nodiscard]] uint32_t place(uint32_t payload_offset) const {
        return payload_offset < bytes_ ? payload_offset : payload_offset + gap_;
    }

    // Whether the bytes are contiguous.
    [[nodiscard]] bool holds_together(uint32_t payload_offset, uint32_t bytes) const {
        return gap_ == 0 || payload_offset >= bytes_ || bytes <= bytes_ - payload_offset;
    }

    // A contiguous piece of the payload from an offset on.
    struct Piece {
        uint32_t offset = 0;
        uint32_t bytes = UINT32_MAX;
    };
    // Nothing: in the gap between the inline data and the next register.
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
