// What OpenCL says of images (OpenCL C 3.0, "Image Read and Write Functions"; chapter 8 on addressing,
// filters and formats), worked out in double precision from the specification's formulas and independent of
// Visor. Results of float reads are an exact value with the distance that a correct implementation may keep
// from it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace oracle {

// The numbers of the OpenCL headers.
namespace cl {
enum Order : uint32_t {
    R = 0x10B0,
    A = 0x10B1,
    RG = 0x10B2,
    RA = 0x10B3,
    RGB = 0x10B4,
    RGBA = 0x10B5,
    BGRA = 0x10B6,
    ARGB = 0x10B7,
    INTENSITY = 0x10B8,
    LUMINANCE = 0x10B9,
    DEPTH = 0x10BD,
    sRGBA = 0x10C1,
    sBGRA = 0x10C2,
    ABGR = 0x10C3,
};
enum Type : uint32_t {
    SNORM_INT8 = 0x10D0,
    SNORM_INT16,
    UNORM_INT8,
    UNORM_INT16,
    UNORM_SHORT_565,
    UNORM_SHORT_555,
    UNORM_INT_101010,
    SIGNED_INT8,
    SIGNED_INT16,
    SIGNED_INT32,
    UNSIGNED_INT8,
    UNSIGNED_INT16,
    UNSIGNED_INT32,
    HALF_FLOAT,
    FLOAT,
};
} // namespace cl

enum class Numbers : uint8_t { floats, signed_integers, unsigned_integers };

struct ImageFormat {
    std::string name; // Visor's word for it
    cl::Order order;
    cl::Type type;
};
// What the tests go through.
[[nodiscard]] const std::vector<ImageFormat>& image_formats();
[[nodiscard]] size_t pixel_bytes(const ImageFormat& format);
[[nodiscard]] Numbers numbers_of(const ImageFormat& format);
// From one normalized number to the next, of the coarsest channel; 0 of other numbers.
[[nodiscard]] double step_of(const ImageFormat& format);

enum class Dimension : uint8_t { d1, d1_buffer, d1_array, d2, d2_array, d3 };

struct HostImage {
    ImageFormat format;
    Dimension dimension = Dimension::d2;
    std::array<size_t, 3> size{1, 1, 1};
    size_t layers = 1;
    std::vector<std::byte> pixels;

    [[nodiscard]] size_t count() const { return size[0] * size[1] * size[2] * layers; }
    [[nodiscard]] unsigned sides() const;
    [[nodiscard]] bool has_layers() const;
};

// The order of OpenCL's CLK_ADDRESS numbers.
enum class Address : uint8_t { none, clamp, clamp_edge, repeat, mirror };
struct HostSampler {
    Address address = Address::none;
    bool linear = false;
    bool normalized = false;
};

// Red, green, blue, alpha. Of integers `value` is the number.
struct Color {
    std::array<double, 4> value{};
    std::array<double, 4> allowed{}; // distance, beside half a unit of the float's last place
};

// A read at a float coordinate; with an array, the coordinate behind the sides is the layer.
[[nodiscard]] Color read(const HostImage& image, const HostSampler& sampler, const std::array<float, 4>& at);
// A read at an integer coordinate without a sampler, or with one that does not normalise: the border outside.
[[nodiscard]] Color read(const HostImage& image, const HostSampler& sampler,
                         const std::array<int32_t, 4>& at);

// The bytes of a pixel that was written; floats or integers as numbers_of says.
[[nodiscard]] std::vector<std::byte> written(const ImageFormat& format, const std::array<float, 4>& color);
[[nodiscard]] std::vector<std::byte> written(const ImageFormat& format, const std::array<int32_t, 4>& color);
[[nodiscard]] std::vector<std::byte> written(const ImageFormat& format, const std::array<uint32_t, 4>& color);

// A pixel's colour.
[[nodiscard]] std::array<double, 4> color_of(const ImageFormat& format, const std::byte* pixel);

} // namespace oracle
