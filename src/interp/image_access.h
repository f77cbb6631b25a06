// Shared by the image messages: the image and sampler that a state variable selects, coordinates from
// payloads, and results by lane and channel.
#pragma once

#include "interp/memory_access.h"
#include "machine/image_lanes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace visor::interp {

// nullptr: nothing, or no image, is bound there; every access is then out of bounds.
[[nodiscard]] const machine::Image* image(machine::Thread& thread, const PreparedInstruction& instruction,
                                          const PreparedOperand& surface);
// The same for a binding-table index.
[[nodiscard]] const machine::Image* image_at(const machine::Thread& thread, uint32_t binding_table_index);
// A sampler that was never set, or that the launch does not have, is `CLK_ADDRESS_NONE |
// CLK_FILTER_NEAREST`. For S31, and for a general variable, that is a fault.
[[nodiscard]] machine::Sampler sampler(machine::Thread& thread, const PreparedInstruction& instruction,
                                       const PreparedOperand& operand);

// Pixels: the addresses of lanes are host addresses, or 0 out of bounds.
class PixelTarget {
public:
    [[nodiscard]] static bool check_range(const Message& /*message*/, unsigned /*lane*/, Span /*span*/) {
        return true;
    }
    [[nodiscard]] static std::byte* find(uint64_t address, uint32_t /*bytes*/) {
        return reinterpret_cast<std::byte*>(address);
    }
    [[nodiscard]] static SurfaceView view() { return {.space = machine::Space::surface}; }
};

// The layout of a result's channels in registers: `mask` bit c = channel c (r g b a) is present.
struct Channels {
    uint32_t mask = 0;
    uint32_t lane_bytes = 4;    // 2: the low half, or a half float
    uint32_t channel_bytes = 0; // from one channel to the next
};
[[nodiscard]] uint32_t bytes_of(const Channels& channels, uint32_t lanes);

void set_all(machine::LanePixels& pixels, const machine::Pixel& pixel);
// Writes the enabled lanes' channels to registers; `type` has lane_bytes, and floats of 16 bits are rounded
// to nearest even.
void write_channels(std::byte* to, isa::Type type, const Channels& channels,
                    const machine::LanePixels& pixels, uint32_t lanes, uint32_t enabled);
// Stores pixels of 32-bit channels, in the order of lanes or the schedule's. Channels that the message omits
// keep the image's values. `from`: registers; nullptr: zeros.
void store_pixels(machine::Thread& thread, const machine::Image& image, const machine::LaneTexels& texels,
                  const Channels& channels, const std::byte* from, uint32_t lanes, uint32_t enabled);

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
// The pages of media blocks and of typed blocks: "Valid value is [1, 64]".
[[nodiscard]] constexpr bool is_legal(const Rectangle& rectangle) {
    constexpr uint32_t most = 64;
    return rectangle.width - 1 < most && rectangle.height - 1 < most;
}
// The result of reads outside the image. Register bytes after the width keep their values.
enum class OutOfBoundsRead : uint8_t { zero, edge_dword };
// `registers` has register_bytes(). Without an image the whole rectangle is out of bounds, and reads zero.
void load_rectangle(const machine::Image* image, const Rectangle& rectangle, OutOfBoundsRead out_of_bounds,
                    std::byte* registers);
// Bytes outside the image are not written.
void store_rectangle(const machine::Image* image, const Rectangle& rectangle, const std::byte* registers);

} // namespace visor::interp
