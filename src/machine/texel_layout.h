// What the bytes of a texel are, by image format (OpenCL C 6.13.14): where each channel lies, what its bits
// mean, and which channel of the result it is.
#pragma once

#include "machine/image.h"

#include <array>
#include <cstdint>

namespace visor::machine {

enum class ChannelKind : uint8_t { unorm, snorm, signed_int, unsigned_int, half_float, float32 };

struct TexelLayout {
    // In place of a stored channel's number, in `channels`.
    static constexpr int8_t zero = -1;
    static constexpr int8_t one = -2; // of the format's type

    uint8_t bytes = 0;  // of a texel: 1, 2, 4, 8 or 16; 0: OpenCL has no such format
    uint8_t stored = 0; // channels in memory
    ChannelKind kind = ChannelKind::unorm;
    bool srgb = false;
    bool one_word = false;                                  // the channels share a word
    std::array<uint8_t, 4> first_bit{};                     // of each stored channel, in the texel's bytes
    std::array<uint8_t, 4> bits{};                          // likewise, its width
    std::array<int8_t, 4> channels{zero, zero, zero, zero}; // the stored one that r, g, b and a are
    std::array<uint8_t, 4> stores{};                        // of r g b a, the one that each stored one takes

    [[nodiscard]] constexpr bool is_integer() const {
        return kind == ChannelKind::signed_int || kind == ChannelKind::unsigned_int;
    }
};

// `bytes` is 0 for a pair that OpenCL does not have. Constant time.
[[nodiscard]] const TexelLayout& texel_layout(ImageFormat format);

} // namespace visor::machine
