#include "sampling_reference.h"

#include "machine/memory.h"
#include "number/half.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

namespace visor::machine::reference {

namespace {

// ---- decoding, by the format's name: channels ("bgra"), bits, kind

struct Name {
    bool srgb = false;
    std::string channels;
    std::string type; // "8", "16s", "32f", "565" ...
};
Name parts(ImageFormat format) {
    std::string name = name_of(format);
    Name out;
    if (name.starts_with("s")) {
        out.srgb = true;
        name.erase(0, 1);
    }
    const size_t digits = name.find_first_of("0123456789");
    out.channels = name.substr(0, digits);
    out.type = name.substr(digits);
    return out;
}

uint32_t one_of(const Name& name) {
    return name.type.ends_with("i") || name.type.ends_with("u") ? 1U : std::bit_cast<uint32_t>(1.0F);
}

uint64_t number_at(const std::byte* from, unsigned bytes) {
    uint64_t value = 0;
    std::memcpy(&value, from, bytes);
    return value;
}

int64_t sign_extended(uint64_t value, unsigned bits) {
    return (value >> (bits - 1) & 1U) != 0 ? static_cast<int64_t>(value) - (int64_t{1} << bits)
                                           : static_cast<int64_t>(value);
}

uint32_t normalized(float value, float most) {
    return std::bit_cast<uint32_t>(std::fmax(value / most, -1.0F));
}

uint32_t decoded(const std::string& type, const std::byte* from) {
    const unsigned bits = type.starts_with("8") ? 8 : type.starts_with("16") ? 16 : 32;
    const uint64_t raw = number_at(from, bits / 8);
    switch (type.back()) {
    case 's':
        return normalized(static_cast<float>(sign_extended(raw, bits)),
                          static_cast<float>((1U << (bits - 1)) - 1));
    case 'i':
        return static_cast<uint32_t>(sign_extended(raw, bits));
    case 'u':
        return static_cast<uint32_t>(raw);
    case 'f':
        return bits == 16 ? std::bit_cast<uint32_t>(number::half_to_float(static_cast<uint16_t>(raw)))
                          : static_cast<uint32_t>(raw);
    default:
        return normalized(static_cast<float>(raw), static_cast<float>((1U << bits) - 1));
    }
}

// From the word's highest used bits on.
std::array<unsigned, 4> widths(const std::string& type) {
    if (type == "565")
        return {5, 6, 5, 0};
    if (type == "555")
        return {5, 5, 5, 0};
    return {10, 10, 10, type == "1010102" ? 2U : 0U};
}

void put(Pixel& pixel, char channel, uint32_t value) {
    switch (channel) {
    case 'g':
        pixel[1] = value;
        break;
    case 'b':
        pixel[2] = value;
        break;
    case 'a':
        pixel[3] = value;
        break;
    case 'i':
        pixel = {value, value, value, value};
        break;
    case 'l':
        pixel[0] = pixel[1] = pixel[2] = value;
        break;
    default: // r, d
        pixel[0] = value;
    }
}

float from_srgb(float value) {
    return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

Pixel decode(ImageFormat format, const std::byte* from) {
    const Name name = parts(format);
    Pixel pixel{0, 0, 0, 0};
    if (name.channels.find_first_of("ai") == std::string::npos)
        pixel[3] = one_of(name);
    if (name.type.size() >= 3 && std::isdigit(name.type.back()) != 0) {
        const auto width = widths(name.type);
        unsigned used = 0;
        for (const unsigned bits : width)
            used += bits;
        const uint64_t word = number_at(from, used > 16 ? 4 : 2);
        for (size_t c = 0; c < name.channels.size() && name.channels[c] != 'x'; ++c) {
            used -= width.at(c);
            const uint64_t most = (1U << width.at(c)) - 1;
            put(pixel, name.channels[c],
                normalized(static_cast<float>(word >> used & most), static_cast<float>(most)));
        }
        return pixel;
    }
    const unsigned bytes = bytes_of_pixel(format) / static_cast<unsigned>(name.channels.size());
    for (size_t c = 0; c < name.channels.size(); ++c)
        put(pixel, name.channels[c], decoded(name.type, from + c * bytes));
    for (size_t c = 0; name.srgb && c < 3; ++c)
        pixel.at(c) = std::bit_cast<uint32_t>(from_srgb(std::bit_cast<float>(pixel.at(c))));
    return pixel;
}

// With alpha 0 for CL_A, CL_INTENSITY, CL_RA, CL_RGBA and its kin, and those with an x; 1 for all others
// (8.2).
Pixel border_of(ImageFormat format) {
    const Name name = parts(format);
    return {0, 0, 0, name.channels.find_first_of("aix") == std::string::npos ? one_of(name) : 0};
}

// ---- addressing

// Coordinates that are no numbers of an image count as very far away.
int64_t floor_of(float value) {
    constexpr double far_away = 1e9;
    if (std::isnan(value) || value < -far_away)
        return -1'000'000'000;
    return value > far_away ? 1'000'000'000 : static_cast<int64_t>(std::floor(value));
}

std::optional<int64_t> addressed(AddressMode mode, int64_t index, int64_t size) {
    switch (mode) {
    case AddressMode::repeat:
        return (index % size + size) % size;
    case AddressMode::mirrored_repeat:
    case AddressMode::clamp_to_edge:
        return index < 0 ? 0 : index >= size ? size - 1 : index;
    default:
        return index < 0 || index >= size ? std::nullopt : std::optional(index);
    }
}

float in_pixels(const Sampler& sampler, float coordinate, float size) {
    if (!sampler.normalized)
        return coordinate;
    if (sampler.address == AddressMode::repeat)
        return (coordinate - std::floor(coordinate)) * size;
    if (sampler.address == AddressMode::mirrored_repeat)
        return std::fabs(coordinate - 2.0F * std::rint(0.5F * coordinate)) * size;
    return coordinate * size;
}

std::optional<const std::byte*> texel(const Image& image, const std::array<std::optional<int64_t>, 3>& at,
                                      int64_t layer) {
    uint64_t distance = is_array(image.shape) ? static_cast<uint64_t>(layer) * image.slice_pitch : 0;
    const std::array<uint64_t, 3> pitch{bytes_of_pixel(image.format), image.row_pitch, image.slice_pitch};
    for (size_t d = 0; d < dimensions_of(image.shape); ++d) {
        if (!at.at(d))
            return std::nullopt;
        distance += static_cast<uint64_t>(*at.at(d)) * pitch.at(d);
    }
    return Memory::host(image.address) + distance;
}

Pixel read(const Image& image, const std::array<std::optional<int64_t>, 3>& at, int64_t layer) {
    const auto found = texel(image, at, layer);
    Pixel pixel = found ? decode(image.format, *found) : border_of(image.format);
    if (image.format.type != ChannelType::float32)
        return pixel;
    for (uint32_t& bits : pixel) // ruling 143
        bits = (bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits;
    return pixel;
}

} // namespace

Pixel sample(const Image& image, const Sampler& sampler, const std::array<float, 3>& coordinate,
             const std::array<int, 3>& offset) {
    const unsigned dimensions = dimensions_of(image.shape);
    int64_t layer = 0;
    if (is_array(image.shape))
        layer = *addressed(AddressMode::clamp_to_edge, floor_of(std::rint(coordinate.at(dimensions))),
                           image.layers);
    const bool linear = sampler.filter == FilterMode::linear && !is_integer(image.format.type);
    std::array<float, 4> sum{};
    Pixel nearest{};
    for (unsigned corner = 0; corner < (linear ? 1U << dimensions : 1U); ++corner) {
        std::array<std::optional<int64_t>, 3> at{};
        float weight = 1;
        for (size_t d = 0; d < dimensions; ++d) {
            const bool second = (corner >> d & 1U) != 0;
            const float u = in_pixels(sampler, coordinate.at(d), static_cast<float>(image.size.at(d))) +
                            static_cast<float>(offset.at(d));
            const float left = linear ? u - 0.5F : u;
            const float fraction = left - std::floor(left);
            const float b = std::isfinite(fraction) ? fraction : 0.0F;
            weight *= second ? b : 1.0F - b;
            at.at(d) = addressed(sampler.address, floor_of(left) + (second ? 1 : 0), image.size.at(d));
        }
        nearest = read(image, at, layer);
        for (size_t c = 0; c < 4; ++c)
            sum.at(c) += weight * std::bit_cast<float>(nearest.at(c));
    }
    if (!linear)
        return nearest;
    return {std::bit_cast<uint32_t>(sum[0]), std::bit_cast<uint32_t>(sum[1]), std::bit_cast<uint32_t>(sum[2]),
            std::bit_cast<uint32_t>(sum[3])};
}

Pixel load(const Image& image, const std::array<int, 3>& at, const Pixel& outside) {
    std::array<std::optional<int64_t>, 3> index{};
    const unsigned dimensions = dimensions_of(image.shape);
    for (size_t d = 0; d < dimensions; ++d)
        index.at(d) = addressed(AddressMode::clamp, at.at(d), image.size.at(d));
    std::optional<int64_t> layer = 0;
    if (is_array(image.shape))
        layer = addressed(AddressMode::clamp, at.at(dimensions), image.layers);
    const auto found = layer ? texel(image, index, *layer) : std::nullopt;
    return found ? decode(image.format, *found) : outside;
}

} // namespace visor::machine::reference
