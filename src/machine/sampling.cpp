// Addressing and filtering of image reads (OpenCL C 8.2), by the specification's formulas, for all lanes of a
// message. Weights are floats; a device has fewer bits there. The loops over lanes have no branches, so that
// compilers vectorize them.
#include "machine/image_lanes.h"
#include "machine/memory.h"
#include "machine/texel_layout.h"
#include "number/checked_size.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace visor::machine {

namespace {

constexpr int32_t outside = -1; // an invalid index
constexpr uint32_t float_one = 0x3f800000;

// ---- from coordinates to indices

// Floats beyond have no fraction, and no texel.
constexpr float far_away = 1e9F;

// The largest integer that is not larger; of what is not far away.
int32_t floor_of(float value) {
    const auto truncated = static_cast<int32_t>(value);
    return truncated - static_cast<int32_t>(static_cast<float>(truncated) > value);
}

// Converts a float to an index. All that is far away counts as equally far, and NaN as far to the left.
int32_t whole(float value) {
    const float above = value > -far_away ? value : -far_away;
    return floor_of(above < far_away ? above : far_away);
}

// What a number exceeds the next smaller integer by. Zero where it is too large for a fraction, and NaN where
// it is infinite or NaN.
float fraction(float value) {
    const float rest = value - static_cast<float>(whole(value));
    return std::abs(value) < far_away ? rest : value - value;
}

// Nearest, ties to even.
float rounded(float value) {
    constexpr float no_fraction = 0x1p23F; // numbers from here on are integers
    const float magnitude = std::abs(value);
    const float whole_part = std::copysign((magnitude + no_fraction) - no_fraction, value);
    return magnitude < no_fraction ? whole_part : value;
}

// In pixels: normalized coordinates stretched, repeated ones folded into the image.
void to_pixels(const Sampler& sampler, float size, uint32_t lanes, EachLane<float>& coordinate) {
    if (!sampler.normalized)
        return;
    const auto each = [&](auto convert) {
        for (uint32_t lane = 0; lane < lanes; ++lane)
            coordinate[lane] = convert(coordinate[lane]) * size;
    };
    if (sampler.address == AddressMode::repeat)
        return each(fraction);
    if (sampler.address == AddressMode::mirrored_repeat)
        return each([](float value) { return std::abs(value - 2.0F * rounded(0.5F * value)); });
    each([](float value) { return value; });
}

// Applies the addressing mode: valid indices, or `outside`.
void address(AddressMode mode, uint32_t size, uint32_t lanes, EachLane<int32_t>& index) {
    if (size == 0) {
        std::fill_n(index.at.begin(), lanes, outside);
        return;
    }
    const auto most = static_cast<int32_t>(std::min<uint32_t>(size - 1, std::numeric_limits<int32_t>::max()));
    switch (mode) {
    case AddressMode::repeat:
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            if (index[lane] >= 0 && index[lane] <= most) [[likely]]
                continue;
            const int64_t rest = int64_t{index[lane]} % int64_t{size};
            index[lane] = static_cast<int32_t>(rest < 0 ? rest + int64_t{size} : rest);
        }
        return;
    case AddressMode::mirrored_repeat:
    case AddressMode::clamp_to_edge:
        for (uint32_t lane = 0; lane < lanes; ++lane)
            index[lane] = std::clamp(index[lane], 0, most);
        return;
    case AddressMode::none:
    case AddressMode::clamp:
        break;
    }
    for (uint32_t lane = 0; lane < lanes; ++lane)
        index[lane] = index[lane] > most ? outside : std::max(index[lane], outside);
}

// An index of each lane along a dimension, and how far it is from the image's beginning.
struct Tap {
    EachLane<int32_t> index;
    EachLane<uint64_t> distance; // bytes; undefined for `outside`

    void place(uint64_t pitch, uint32_t lanes) {
        for (uint32_t lane = 0; lane < lanes; ++lane)
            distance[lane] = static_cast<uint32_t>(index[lane]) * pitch;
    }
};

// The one or two texels of each lane along a dimension.
struct Taps {
    std::array<Tap, 2> taps;
    EachLane<float> weight; // of the second one
};

// ---- the texels of a message

// Distances from texel to texel along each dimension.
std::array<uint64_t, 3> pitches(const Image& image) {
    return {texel_layout(image.format).bytes, image.row_pitch, image.slice_pitch};
}

struct Reach {
    std::array<Taps, 3> along;
    Tap layer;
    unsigned dimensions;
    bool is_array;

    // Bit d of `corner`: the second texel of dimension d.
    [[nodiscard]] LaneTexels at(const Image& image, unsigned corner, uint32_t lanes) const {
        const auto tap = [&](unsigned d) -> const Tap& { return along[d].taps[corner >> d & 1U]; };
        LaneTexels texels;
        texels.begin = Memory::host(image.address);
        texels.index = tap(0).index;
        texels.distance = tap(0).distance;
        const auto add = [&](const Tap& more) {
            for (uint32_t lane = 0; lane < lanes; ++lane) {
                texels.index[lane] |= more.index[lane]; // negative where one is
                texels.distance[lane] += more.distance[lane];
            }
        };
        for (unsigned d = 1; d < dimensions; ++d)
            add(tap(d));
        if (is_array)
            add(layer);
        return texels;
    }
};

// Where the texels lie along one dimension; the first ones alone without a linear filter.
void reach_along(const Sampler& sampler, uint32_t size, uint64_t pitch, bool linear,
                 const EachLane<float>& coordinate, uint32_t lanes, Taps& taps) {
    auto& [first, second] = taps.taps;
    const auto place = [&](Tap& tap) {
        address(sampler.address, size, lanes, tap.index);
        tap.place(pitch, lanes);
    };
    if (!linear) {
        for (uint32_t lane = 0; lane < lanes; ++lane)
            first.index[lane] = whole(coordinate[lane]);
        return place(first);
    }
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        const float left = coordinate[lane] - 0.5F;
        const float weight = fraction(left);
        taps.weight[lane] = weight >= 0 ? weight : 0.0F; // not NaN
        first.index[lane] = whole(left);
        second.index[lane] = first.index[lane] + 1;
    }
    place(first);
    place(second);
}

void reach(const Image& image, const Sampler& sampler, bool linear, const SampleLanes& parameters,
           Reach& out) {
    const uint32_t lanes = parameters.lanes;
    const auto pitch = pitches(image);
    out.dimensions = dimensions_of(image.shape);
    out.is_array = is_array(image.shape);
    for (size_t d = 0; d < out.dimensions; ++d) {
        const auto along = [&](const EachLane<float>& coordinate) {
            reach_along(sampler, image.size[d], pitch[d], linear, coordinate, lanes, out.along[d]);
        };
        if (!sampler.normalized && !parameters.has_offsets) {
            along(parameters.coordinates[d]);
            continue;
        }
        EachLane<float> coordinate = parameters.coordinates[d];
        to_pixels(sampler, static_cast<float>(image.size[d]), lanes, coordinate);
        if (parameters.has_offsets) {
            for (uint32_t lane = 0; lane < lanes; ++lane)
                coordinate[lane] += static_cast<float>(parameters.offsets[d][lane]);
        }
        along(coordinate);
    }
    if (!out.is_array)
        return;
    for (uint32_t lane = 0; lane < lanes; ++lane)
        out.layer.index[lane] = whole(rounded(parameters.coordinates[out.dimensions][lane]));
    address(AddressMode::clamp_to_edge, image.layers, lanes, out.layer.index);
    out.layer.place(image.slice_pitch, lanes);
}

// ---- texels as a sampler reads them

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

// The number that bits of a texel are.
float number_of(ImageFormat format, uint32_t bits) {
    if (!is_integer(format.type))
        return std::bit_cast<float>(bits);
    return format.type >= ChannelType::unsigned_int8 ? static_cast<float>(bits)
                                                     : static_cast<float>(static_cast<int32_t>(bits));
}

// Single precision's denormals become zeros of their sign (ruling 143).
void flush(EachLane<uint32_t>& channel, uint32_t lanes) {
    constexpr uint32_t sign = 0x80000000;
    constexpr uint32_t exponent = 0x7f800000;
    for (uint32_t lane = 0; lane < lanes; ++lane)
        channel[lane] = (channel[lane] & exponent) == 0 ? channel[lane] & sign : channel[lane];
}

// The parameters of a read, besides its coordinates.
struct Source {
    const Image& image;
    const Sampler& sampler;
    const SampleLanes& parameters;

    void read(const LaneTexels& texels, uint32_t to_load, LanePixels& out) const {
        const uint32_t lanes = parameters.lanes;
        constexpr uint32_t red = 1;
        const uint32_t loaded = parameters.has_reference ? red : to_load;
        load_texels(image.format, texels, lanes, loaded, border(image.format), out);
        if (image.format.type == ChannelType::float32) {
            for (size_t c = 0; c < 4; ++c)
                if ((loaded >> c & 1U) != 0)
                    flush(out[c], lanes);
        }
        for (uint32_t lane = 0; parameters.has_reference && lane < lanes; ++lane) {
            const bool good =
                holds(sampler.comparison, parameters.reference[lane], number_of(image.format, out[0][lane]));
            out[0][lane] = good ? float_one : 0;
            out[1][lane] = 0;
            out[2][lane] = 0;
            out[3][lane] = float_one;
        }
    }
    [[nodiscard]] bool has_integers() const {
        return is_integer(image.format.type) && !parameters.has_reference;
    }
};

// A corner's share: the product of its weights along the dimensions.
EachLane<float> weights(const Reach& reach, unsigned corner, uint32_t lanes) {
    EachLane<float> weight;
    for (unsigned d = 0; d < reach.dimensions; ++d) {
        const bool is_second = (corner >> d & 1U) != 0;
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            const float second = reach.along[d].weight[lane];
            const float one = is_second ? second : 1.0F - second;
            weight[lane] = d == 0 ? one : weight[lane] * one;
        }
    }
    return weight;
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

LaneTexels texels_at(const Image& image, const LaneIndices& indices, uint32_t lanes) {
    Reach found;
    const auto pitch = pitches(image);
    const auto place = [&](Tap& tap, size_t d, uint32_t size, uint64_t bytes) {
        tap.index = indices[d];
        address(AddressMode::none, size, lanes, tap.index);
        tap.place(bytes, lanes);
    };
    found.dimensions = dimensions_of(image.shape);
    found.is_array = is_array(image.shape);
    for (size_t d = 0; d < found.dimensions; ++d)
        place(found.along[d].taps[0], d, image.size[d], pitch[d]);
    if (found.is_array)
        place(found.layer, found.dimensions, image.layers, image.slice_pitch);
    return found.at(image, 0, lanes);
}

void sample(const Image& image, const Sampler& sampler, const SampleLanes& parameters, uint32_t to_load,
            LanePixels& out) {
    const Source source{image, sampler, parameters};
    const uint32_t lanes = parameters.lanes;
    // Integers are not interpolated.
    const bool linear = sampler.filter == FilterMode::linear && !source.has_integers();
    Reach found;
    reach(image, sampler, linear, parameters, found);
    if (!linear)
        return source.read(found.at(image, 0, lanes), to_load, out);
    std::array<EachLane<float>, 4> sum{};
    for (unsigned corner = 0; corner < 1U << found.dimensions; ++corner) {
        const EachLane<float> weight = weights(found, corner, lanes);
        LanePixels texels;
        source.read(found.at(image, corner, lanes), to_load, texels);
        for (size_t c = 0; c < 4; ++c) {
            for (uint32_t lane = 0; (to_load >> c & 1U) != 0 && lane < lanes; ++lane)
                sum[c][lane] += weight[lane] * std::bit_cast<float>(texels[c][lane]);
        }
    }
    for (size_t c = 0; c < 4; ++c) {
        for (uint32_t lane = 0; (to_load >> c & 1U) != 0 && lane < lanes; ++lane)
            out[c][lane] = std::bit_cast<uint32_t>(sum[c][lane]);
    }
}

void gather(const Image& image, const Sampler& sampler, const SampleLanes& parameters, size_t channel,
            LanePixels& out) {
    const Source source{image, sampler, parameters};
    Reach found;
    reach(image, sampler, true, parameters, found);
    enum : uint8_t { upper_left, upper_right, lower_left, lower_right };
    constexpr std::array corners{lower_left, lower_right, upper_right, upper_left};
    for (size_t c = 0; c < 4; ++c) {
        // Bits of the dimensions that the image lacks name its first texels.
        const unsigned corner = corners[c] & ((1U << found.dimensions) - 1);
        LanePixels texels;
        source.read(found.at(image, corner, parameters.lanes), 1U << channel, texels);
        out[c] = texels[channel];
    }
}

} // namespace visor::machine
