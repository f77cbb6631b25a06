// Addressing and filtering of image reads (OpenCL C 8.2), by the specification's formulas. Weights are
// floats; a device has fewer bits there.
#include "machine/image.h"
#include "machine/memory.h"
#include "number/checked_size.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace visor::machine {

namespace {

constexpr int64_t outside = -1; // an invalid index

// Converts a float to an index; invalid ones are `outside`.
int64_t whole(float value) {
    constexpr float most = 1e9F;
    if (value > -most && value < most) // no NaN
        return static_cast<int64_t>(std::floor(value));
    return value > 0 ? std::numeric_limits<int32_t>::max() : std::numeric_limits<int32_t>::min();
}

// Applies the addressing mode: a valid index, or `outside`.
int64_t addressed(AddressMode mode, int64_t index, int64_t size) {
    switch (mode) {
    case AddressMode::repeat:
        index %= size;
        return index < 0 ? index + size : index;
    case AddressMode::mirrored_repeat:
    case AddressMode::clamp_to_edge:
        return std::clamp<int64_t>(index, 0, size - 1);
    case AddressMode::none:
    case AddressMode::clamp:
        break;
    }
    return index < 0 || index >= size ? outside : index;
}

// The one or two pixels of a dimension, and the weight of the second.
struct Taps {
    int64_t first = 0;
    int64_t second = 0;
    float weight = 0;
};

// In pixels: normalized coordinates stretched, repeated ones folded into the image.
float in_pixels(const Sampler& sampler, float coordinate, float size) {
    if (!sampler.normalized)
        return coordinate;
    if (sampler.address == AddressMode::repeat)
        return (coordinate - std::floor(coordinate)) * size;
    if (sampler.address == AddressMode::mirrored_repeat)
        return std::abs(coordinate - 2.0F * std::rint(0.5F * coordinate)) * size;
    return coordinate * size;
}

Taps taps(const Sampler& sampler, float coordinate, uint32_t pixels, int offset) {
    const auto size = static_cast<int64_t>(pixels);
    const float u = in_pixels(sampler, coordinate, static_cast<float>(pixels)) + static_cast<float>(offset);
    if (sampler.filter == FilterMode::nearest) {
        const int64_t at = addressed(sampler.address, whole(u), size);
        return {at, at, 0};
    }
    const float left = std::floor(u - 0.5F);
    const float weight = u - 0.5F - left;
    const int64_t first = whole(left);
    return {addressed(sampler.address, first, size), addressed(sampler.address, first + 1, size),
            std::isfinite(weight) ? weight : 0.0F};
}

Pixel read(const Image& image, const TexelPosition& position) {
    const std::byte* at = pixel_at(image, position);
    return at == nullptr ? border(image.format) : load_pixel(image.format, at);
}

bool holds(Comparison comparison, float reference, float texel) {
    switch (comparison) {
    case Comparison::never:
        return false;
    case Comparison::less:
        return reference < texel;
    case Comparison::equal:
        return reference == texel;
    case Comparison::less_or_equal:
        return reference <= texel;
    case Comparison::greater:
        return reference > texel;
    case Comparison::not_equal:
        return reference != texel;
    case Comparison::greater_or_equal:
        return reference >= texel;
    case Comparison::always:
        break;
    }
    return true;
}

// The red of a texel as the number it is.
float red(ImageFormat format, const Pixel& pixel) {
    if (!is_integer(format.type))
        return std::bit_cast<float>(pixel[0]);
    return format.type >= ChannelType::unsigned_int8 ? static_cast<float>(pixel[0])
                                                     : static_cast<float>(static_cast<int32_t>(pixel[0]));
}

} // namespace

uint64_t Image::bytes() const {
    return (number::CheckedSize(slice_pitch) * std::max<uint64_t>(size[2], layers)).or_most();
}

Image packed_image(ImageShape shape, ImageFormat format, std::array<uint32_t, 3> size, uint32_t layers) {
    Image image{shape, format, size, layers, 0, 0, 0};
    image.row_pitch = uint64_t{size[0]} * bytes_of_pixel(format); // 2^32 times 16 at most
    image.slice_pitch = (number::CheckedSize(image.row_pitch) * size[1]).or_most();
    return image;
}

std::byte* pixel_at(const Image& image, const TexelPosition& position) {
    for (size_t d = 0; d < 3; ++d) {
        if (position.at[d] < 0 || position.at[d] >= int64_t{image.size[d]})
            return nullptr;
    }
    if (position.layer < 0 || position.layer >= int64_t{image.layers})
        return nullptr;
    const auto at = [&](size_t d) { return static_cast<uint64_t>(position.at[d]); };
    const uint64_t slice = is_array(image.shape) ? static_cast<uint64_t>(position.layer) : at(2);
    const uint64_t offset =
        slice * image.slice_pitch + at(1) * image.row_pitch + at(0) * bytes_of_pixel(image.format);
    return Memory::host(image.address) + offset;
}

namespace {

// Single precision's denormals become zeros of their sign (ruling 143).
Pixel flushed(Pixel pixel) {
    constexpr uint32_t sign = 0x80000000;
    constexpr uint32_t exponent = 0x7f800000;
    for (uint32_t& channel : pixel)
        channel = (channel & exponent) == 0 ? channel & sign : channel;
    return pixel;
}

// The parameters of a read, besides its coordinate.
struct Source {
    const Image& image;
    const Sampler& sampler;
    std::optional<float> reference;

    [[nodiscard]] Pixel texel(const TexelPosition& position) const {
        const Pixel found = read(image, position);
        const Pixel pixel = image.format.type == ChannelType::float32 ? flushed(found) : found;
        if (!reference)
            return pixel;
        const bool good = holds(sampler.comparison, *reference, red(image.format, pixel));
        constexpr uint32_t one = 0x3f800000;
        return {good ? one : 0, 0, 0, one};
    }
    [[nodiscard]] bool has_integers() const { return is_integer(image.format.type) && !reference; }
};

// The texels that a coordinate selects.
struct Reach {
    std::array<Taps, 3> along{};
    TexelPosition position; // only the layer

    // Bit d of `corner`: the second texel of dimension d.
    [[nodiscard]] Pixel at(const Source& source, unsigned corner) const {
        TexelPosition found = position;
        for (size_t d = 0; d < dimensions_of(source.image.shape); ++d)
            found.at[d] = (corner >> d & 1U) != 0 ? along[d].second : along[d].first;
        return source.texel(found);
    }
};

Reach reach(const Image& image, const Sampler& sampler, const std::array<float, 3>& coordinate, float layer,
            const std::array<int, 3>& offset) {
    Reach out;
    for (size_t d = 0; d < dimensions_of(image.shape); ++d)
        out.along[d] = taps(sampler, coordinate[d], image.size[d], offset[d]);
    if (is_array(image.shape))
        out.position.layer = std::clamp<int64_t>(whole(std::rint(layer)), 0, int64_t{image.layers} - 1);
    return out;
}

} // namespace

Pixel sample(const Image& image, const Sampler& given, const std::array<float, 3>& coordinate, float layer,
             const std::array<int, 3>& offset, std::optional<float> reference) {
    Sampler sampler = given;
    const Source source{image, given, reference};
    if (source.has_integers()) // integers are not interpolated
        sampler.filter = FilterMode::nearest;
    const unsigned dimensions = dimensions_of(image.shape);
    const Reach found = reach(image, sampler, coordinate, layer, offset);
    if (sampler.filter == FilterMode::nearest)
        return found.at(source, 0);
    std::array<float, 4> sum{};
    for (unsigned corner = 0; corner < 1U << dimensions; ++corner) {
        float weight = 1;
        for (size_t d = 0; d < dimensions; ++d)
            weight *= (corner >> d & 1U) != 0 ? found.along[d].weight : 1.0F - found.along[d].weight;
        const Pixel pixel = found.at(source, corner);
        for (size_t channel = 0; channel < 4; ++channel)
            sum[channel] += weight * std::bit_cast<float>(pixel[channel]);
    }
    Pixel result{};
    for (size_t channel = 0; channel < 4; ++channel)
        result[channel] = std::bit_cast<uint32_t>(sum[channel]);
    return result;
}

Pixel gather(const Image& image, const Sampler& sampler, const std::array<float, 3>& coordinate, float layer,
             const std::array<int, 3>& offset, size_t channel, std::optional<float> reference) {
    Sampler around = sampler;
    around.filter = FilterMode::linear;
    const Source source{image, sampler, reference};
    const Reach found = reach(image, around, coordinate, layer, offset);
    enum : uint8_t { upper_left, upper_right, lower_left, lower_right };
    return {found.at(source, lower_left)[channel], found.at(source, lower_right)[channel],
            found.at(source, upper_right)[channel], found.at(source, upper_left)[channel]};
}

} // namespace visor::machine
