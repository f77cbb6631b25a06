// Images and coordinates drawn at random, for tests of what samplers read: mostly around the image, and all
// that is odd.
#pragma once

#include "machine/image.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>

namespace visor::machine {

class Draw {
public:
    explicit Draw(uint32_t seed) : random_(seed) {}

    uint32_t bits() { return static_cast<uint32_t>(random_()); }
    uint32_t below(uint32_t end) { return bits() % end; }
    // Mostly around an image of `size` texels.
    float coordinate(bool normalized, uint32_t size) {
        constexpr std::array odd{0.0F,
                                 -0.0F,
                                 std::numeric_limits<float>::quiet_NaN(),
                                 std::numeric_limits<float>::infinity(),
                                 -std::numeric_limits<float>::infinity(),
                                 std::numeric_limits<float>::denorm_min(),
                                 -std::numeric_limits<float>::denorm_min(),
                                 3e38F,
                                 -2147483648.0F,
                                 2147483648.0F,
                                 999999936.0F,
                                 1e9F,
                                 8388607.5F,
                                 -4194304.5F,
                                 0.5F,
                                 -1e-10F};
        const uint32_t kind = below(8);
        if (kind == 0)
            return odd.at(below(odd.size()));
        if (kind == 1)
            return std::bit_cast<float>(bits());
        const float reach = normalized ? 3.0F : static_cast<float>(size) * 2 + 4;
        const float value = (static_cast<float>(below(1U << 24U)) / 0x1p24F - 0.33F) * reach;
        return kind == 2 ? std::round(value * 2) / 2 : value; // also borders and middles of texels
    }
    int index(uint32_t size) {
        constexpr std::array odd{std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), -1};
        const uint32_t kind = below(8);
        if (kind == 0)
            return odd.at(below(odd.size()));
        return kind == 1 ? static_cast<int>(bits()) : static_cast<int>(below(size + 2)) - 1;
    }
    void fill(std::span<std::byte> bytes) {
        for (std::byte& one : bytes)
            one = static_cast<std::byte>(bits() >> 8U);
    }

private:
    std::mt19937 random_;
};

// Small, sometimes with gaps between rows; without an address.
inline Image drawn_image(Draw& draw, ImageShape shape, ImageFormat format) {
    std::array<uint32_t, 3> size{draw.below(9) + 1, 1, 1};
    for (unsigned d = 1; d < dimensions_of(shape); ++d)
        size.at(d) = draw.below(5) + 1;
    Image image = packed_image(shape, format, size, is_array(shape) ? draw.below(4) + 1 : 1);
    image.row_pitch += uint64_t{draw.below(2)} * bytes_of_pixel(format);
    image.slice_pitch = image.row_pitch * image.size[1];
    return image;
}

inline bool is_nan(uint32_t bits) {
    return (bits & 0x7fffffffU) > 0x7f800000U;
}
// NaN's bits are nobody's promise.
inline bool same(ImageFormat format, uint32_t a, uint32_t b) {
    return a == b || (!is_integer(format.type) && is_nan(a) && is_nan(b));
}

inline constexpr std::array sampled_shapes{ImageShape::d1, ImageShape::d1_array, ImageShape::d2,
                                           ImageShape::d2_array, ImageShape::d3};
inline constexpr std::array address_modes{AddressMode::none, AddressMode::clamp, AddressMode::clamp_to_edge,
                                          AddressMode::repeat, AddressMode::mirrored_repeat};

} // namespace visor::machine
