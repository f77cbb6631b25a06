// What the image messages share: which image and sampler a state variable selects, coordinates from payloads,
// and results lane by lane and channel by channel.
#pragma once

#include "interp/memory_access.h"
#include "machine/image.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace visor::interp {

// nullptr: nothing, or no image, is bound there; every access is then out of bounds.
[[nodiscard]] const machine::Image* image(machine::Thread& thread, const PreparedInstruction& instruction,
                                          const PreparedOperand& surface);
// Likewise for a binding-table index in hand.
[[nodiscard]] const machine::Image* image_at(const machine::Thread& thread, uint32_t binding_table_index);
// What nothing was moved to, or the launch does not have, reads like `CLK_ADDRESS_NONE | CLK_FILTER_NEAREST`;
// of S31, and of a general variable, that is a fault.
[[nodiscard]] machine::Sampler sampler(machine::Thread& thread, const PreparedInstruction& instruction,
                                       const PreparedOperand& operand);

// Pixels that lanes' addresses are host addresses of; 0 is outside.
class PixelTarget {
public:
    [[nodiscard]] static bool admits(const Message& /*message*/, unsigned /*lane*/, Span /*span*/) {
        return true;
    }
    [[nodiscard]] static std::byte* find(uint64_t address, uint32_t /*bytes*/) {
        return reinterpret_cast<std::byte*>(address);
    }
    [[nodiscard]] static SurfaceView view() { return {.space = machine::Space::surface}; }
};

using LaneValues = std::array<uint32_t, max_lanes>;

// The place of a lane: u and v and r name dimensions as far as the shape has them, then the layer.
[[nodiscard]] machine::TexelPosition place_of(machine::ImageShape shape, const std::array<int64_t, 3>& uvr);

// How a result's channels stand in registers: `mask` bit c = channel c (r g b a) is there.
struct Channels {
    uint32_t mask = 0;
    uint32_t lane_bytes = 4;    // 2: the low half, or a half float
    uint32_t channel_bytes = 0; // from one channel to the next
};
[[nodiscard]] uint32_t bytes_of(const Channels& channels, uint32_t lanes);

// Bytes of an image's rows, for messages that move them without a conversion.
struct Rectangle {
    int64_t x = 0;       // bytes from the image's left edge
    int64_t y = 0;       // rows
    uint32_t width = 0;  // bytes
    uint32_t height = 0; // rows

    // In registers a row begins at a multiple of the width rounded up to a power of two.
    [[nodiscard]] uint32_t register_pitch() const { return std::max(std::bit_ceil(width), 4U); }
    [[nodiscard]] uint32_t register_bytes() const { return register_pitch() * height; }
};
// "Valid value is [1, 64]" say the pages of media blocks and of typed ones.
[[nodiscard]] constexpr bool is_legal(const Rectangle& rectangle) {
    constexpr uint32_t most = 64;
    return rectangle.width - 1 < most && rectangle.height - 1 < most;
}
// What reads outside the image give; what is behind the width in registers stays as it is.
enum class Beyond : uint8_t { zero, edge_dword };
// `registers` has register_bytes(). Without an image all of the rectangle lies outside, and reads are zero.
void load_rectangle(const machine::Image* image, const Rectangle& rectangle, Beyond beyond,
                    std::byte* registers);
// What lies outside is not written.
void store_rectangle(const machine::Image* image, const Rectangle& rectangle, const std::byte* registers);

} // namespace visor::interp
