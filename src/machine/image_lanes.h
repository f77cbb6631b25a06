// Texels for all lanes of a message at once: which ones their coordinates name, reads with and without a
// sampler, and writes. A lane that names no texel reads the border colour and writes nothing. Thread-safe:
// other groups may use the same texels (machine/shared_bytes.h).
//
// Shapes: each array has an element for every lane; a function reads and writes the first `lanes` of them.
#pragma once

#include "machine/each_lane.h"
#include "machine/image.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace visor::machine {

// Registers that hold a number a lane.
template <class T>
void copy_lanes(const void* from, uint32_t lanes, void* to) {
    constexpr uint32_t at_once = 8; // of a known number of bytes: no call
    uint32_t lane = 0;
    const auto copy = [&](uint32_t count) {
        std::memcpy(static_cast<T*>(to) + lane, static_cast<const T*>(from) + lane, count * sizeof(T));
    };
    for (; lane + at_once <= lanes; lane += at_once)
        copy(at_once);
    if (lane != lanes)
        copy(lanes - lane);
}

// Bits of floats, or of integers where the format has them; r g b a.
using LanePixels = std::array<EachLane<uint32_t>, 4>;
// Where lanes' texels lie. Kept in parts, so that loops over lanes make it with vector instructions.
struct LaneTexels {
    std::byte* begin = nullptr;  // of the image
    EachLane<uint64_t> distance; // bytes from there
    EachLane<int32_t> index;     // negative: the lane has no texel

    // nullptr: no texel.
    [[nodiscard]] std::byte* operator[](size_t lane) const {
        return index[lane] < 0 ? nullptr : begin + distance[lane];
    }
};
// The dimensions that the shape has, then the layer.
using LaneIndices = std::array<EachLane<int32_t>, 3>;
using LaneCoordinates = std::array<EachLane<float>, 3>;

[[nodiscard]] LaneTexels texels_at(const Image& image, const LaneIndices& indices, uint32_t lanes);

// What `to_load` (bit c: channel c) names of the texels, and `outside` where there is none. Channels that are
// not named are undefined.
void load_texels(ImageFormat format, const LaneTexels& from, uint32_t lanes, uint32_t to_load,
                 const Pixel& outside, LanePixels& out);

// The bytes of texels, dword by dword.
using LaneWords = std::array<EachLane<uint32_t>, 4>;
[[nodiscard]] LaneWords encode_texels(ImageFormat format, const LanePixels& pixels, uint32_t lanes);
void store_texel(ImageFormat format, const LaneWords& words, uint32_t lane, std::byte* to);

// The parameters of a sampler's message.
struct SampleLanes {
    LaneCoordinates coordinates; // the layer follows the dimensions; it is rounded to nearest and clamped
    LaneIndices offsets;         // in texels, added to the coordinates in pixels
    bool has_offsets = false;    // else they are zero
    // With a reference, each texel becomes one channel (red) of 1 or 0: the result of the sampler's
    // comparison between the reference and the texel's red.
    EachLane<float> reference;
    bool has_reference = false;
    uint32_t lanes = 0; // at most most_lanes
};

// The colours at the coordinates; what `to_load` names.
void sample(const Image& image, const Sampler& sampler, const SampleLanes& parameters, uint32_t to_load,
            LanePixels& out);

// One channel of the four texels that a linear filter would mix: lower left, lower right, upper right, upper
// left. Two-dimensional images; others give their first texels.
void gather(const Image& image, const Sampler& sampler, const SampleLanes& parameters, size_t channel,
            LanePixels& out);

} // namespace visor::machine
