// Images and samplers as a kernel sees them: pixels in device memory, what their bytes mean, and how a
// coordinate selects them (OpenCL C 6.13.14 and 8.2: addressing, filtering, conversions). Out-of-bounds reads
// give the border color; such writes are dropped. Nothing here knows an instruction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::machine {

// OpenCL's numbers (CL_R ...), because kernels can query them.
enum class ChannelOrder : uint16_t {
    r = 0x10b0,
    a,
    rg,
    ra,
    rgb,
    rgba,
    bgra,
    argb,
    intensity,
    luminance,
    rx,
    rgx,
    rgbx,
    depth,
    depth_stencil,
    srgb,
    srgbx,
    srgba,
    sbgra,
    abgr,
};
enum class ChannelType : uint16_t {
    snorm_int8 = 0x10d0,
    snorm_int16,
    unorm_int8,
    unorm_int16,
    unorm_short_565,
    unorm_short_555,
    unorm_int_101010,
    signed_int8,
    signed_int16,
    signed_int32,
    unsigned_int8,
    unsigned_int16,
    unsigned_int32,
    half_float,
    float32,
    unorm_int24,
    unorm_int_101010_2,
};

struct ImageFormat {
    ChannelOrder order = ChannelOrder::rgba;
    ChannelType type = ChannelType::unorm_int8;

    friend bool operator==(const ImageFormat&, const ImageFormat&) = default;
};
// 0 when OpenCL has no such pair.
[[nodiscard]] uint32_t bytes_of_pixel(ImageFormat format);
[[nodiscard]] bool is_integer(ChannelType type);
// "rgba8", "r32f", "bgra8", "rgba16i", "rgb565" ...; the command line's words.
[[nodiscard]] std::optional<ImageFormat> format_named(std::string_view name);
[[nodiscard]] std::string name_of(ImageFormat format); // "" of a pair that OpenCL does not have
// All that have a name.
[[nodiscard]] std::vector<ImageFormat> formats();
// A pixel's layout in memory: one number for each channel, or a word with all channels.
struct ChannelLayout {
    uint32_t numbers = 0; // of a pixel
    uint32_t bytes = 0;   // of each
};
[[nodiscard]] ChannelLayout layout_of(ImageFormat format);

enum class ImageShape : uint8_t { d1, d1_buffer, d1_array, d2, d2_array, d3 };

struct Image {
    ImageShape shape = ImageShape::d2;
    ImageFormat format;
    std::array<uint32_t, 3> size{1, 1, 1}; // pixels; 1 in dimensions that the shape lacks
    uint32_t layers = 1;                   // of an array
    uint64_t row_pitch = 0;                // bytes from a row to the next
    uint64_t slice_pitch = 0;              // bytes from a slice, or a layer, to the next
    uint64_t address = 0;

    [[nodiscard]] uint64_t bytes() const; // all of it
};
// Fields of a device's surface state (RENDER_SURFACE_STATE of the programmer's reference manuals): the
// surface type and the surface format; 511 (raw) for a format without a code.
[[nodiscard]] uint32_t surface_type(ImageShape shape);
[[nodiscard]] uint32_t surface_format(ImageFormat format);

// Rows and slices without gaps.
[[nodiscard]] Image packed_image(ImageShape shape, ImageFormat format, std::array<uint32_t, 3> size,
                                 uint32_t layers);

// Bits of floats, or of integers where the channel type is one; in the order r g b a.
using Pixel = std::array<uint32_t, 4>;

[[nodiscard]] Pixel unpack(ImageFormat format, const std::byte* bytes);
void pack(ImageFormat format, const Pixel& pixel, std::byte* bytes);
// The border color under `clamp`: zeros, and one in an alpha that the format lacks.
[[nodiscard]] Pixel border(ImageFormat format);

enum class AddressMode : uint8_t { none = 0, clamp = 1, clamp_to_edge = 2, repeat = 3, mirrored_repeat = 4 };
enum class FilterMode : uint8_t { nearest, linear };
// The comparison of the reference with the texel for which a message with comparison gives 1. OpenCL has no
// such samplers: only hand-written launches set it.
enum class Comparison : uint8_t {
    never,
    less,
    equal,
    less_or_equal,
    greater,
    not_equal,
    greater_or_equal,
    always
};
struct Sampler {
    AddressMode address = AddressMode::none;
    FilterMode filter = FilterMode::nearest;
    bool normalized = false;
    Comparison comparison = Comparison::never;

    friend bool operator==(const Sampler&, const Sampler&) = default;
};

[[nodiscard]] constexpr unsigned dimensions_of(ImageShape shape) {
    switch (shape) {
    case ImageShape::d1:
    case ImageShape::d1_buffer:
    case ImageShape::d1_array:
        return 1;
    case ImageShape::d2:
    case ImageShape::d2_array:
        return 2;
    case ImageShape::d3:
        break;
    }
    return 3;
}
[[nodiscard]] constexpr bool is_array(ImageShape shape) {
    return shape == ImageShape::d1_array || shape == ImageShape::d2_array;
}

} // namespace visor::machine
