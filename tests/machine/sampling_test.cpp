// Reads by lanes against the specification's formulas, one coordinate at a time: each format, shape, address
// mode, filter and kind of coordinate. The images lie between pages that nobody may touch.
#include "drawn_image.h"
#include "sampling_reference.h"

#include "machine/image_lanes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <iostream>
#include <span>
#include <sys/mman.h>

namespace visor::machine {
namespace {

constexpr size_t page = 4096;
constexpr size_t pages = 4;

// Memory between two guard pages.
class Guarded {
public:
    Guarded() : all_(mmap(nullptr, (pages + 2) * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        EXPECT_EQ(mprotect(begin(), pages * page, PROT_READ | PROT_WRITE), 0);
    }
    ~Guarded() { munmap(all_, (pages + 2) * page); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;
    Guarded(Guarded&&) = delete;
    Guarded& operator=(Guarded&&) = delete;

    [[nodiscard]] std::byte* begin() const { return static_cast<std::byte*>(all_) + page; }
    // The last `bytes` of it, or the first.
    [[nodiscard]] std::byte* place(size_t bytes, bool last) const {
        return last ? begin() + pages * page - bytes : begin();
    }

private:
    void* all_;
};

Image drawn_image(Draw& draw, const Guarded& memory, ImageShape shape, ImageFormat format) {
    Image image = drawn_image(draw, shape, format);
    const size_t bytes = image.bytes();
    std::byte* const at = memory.place(bytes, draw.below(2) != 0);
    draw.fill({at, bytes});
    image.address = reinterpret_cast<uint64_t>(at);
    return image;
}

Pixel of_lane(const LanePixels& pixels, size_t lane) {
    return {pixels[0][lane], pixels[1][lane], pixels[2][lane], pixels[3][lane]};
}

void compare_samples(Draw& draw, const Image& image, const Sampler& sampler, uint32_t lanes) {
    SampleLanes parameters;
    parameters.lanes = lanes;
    parameters.has_reference = false;
    parameters.has_offsets = draw.below(2) != 0;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        for (size_t d = 0; d < 3; ++d) {
            parameters.coordinates.at(d)[lane] = draw.coordinate(sampler.normalized, image.size.at(d));
            parameters.offsets.at(d)[lane] = static_cast<int>(draw.below(17)) - 8;
        }
    }
    LanePixels found;
    const uint32_t to_load = draw.below(15) + 1;
    sample(image, sampler, parameters, to_load, found);
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        std::array<float, 3> coordinate{};
        std::array<int, 3> offset{};
        for (size_t d = 0; d < 3; ++d) {
            coordinate.at(d) = parameters.coordinates.at(d)[lane];
            offset.at(d) = parameters.has_offsets ? parameters.offsets.at(d)[lane] : 0;
        }
        const Pixel expected = reference::sample(image, sampler, coordinate, offset);
        const Pixel got = of_lane(found, lane);
        for (size_t c = 0; c < 4; ++c) {
            if ((to_load >> c & 1U) == 0)
                continue;
            ASSERT_TRUE(same(image.format, got.at(c), expected.at(c)))
                << name_of(image.format) << " shape " << static_cast<int>(image.shape) << " mode "
                << static_cast<int>(sampler.address) << " filter " << static_cast<int>(sampler.filter)
                << " normalized " << sampler.normalized << " at " << coordinate[0] << ' ' << coordinate[1]
                << ' ' << coordinate[2] << " channel " << c << ": " << std::hex << got.at(c) << ", not "
                << expected.at(c);
        }
    }
}

// At least a million coordinates.
TEST(Sampling, LanesGiveWhatTheFormulasGive) {
    const Guarded memory;
    Draw draw(1);
    constexpr int messages = 8;
    size_t coordinates = 0;
    for (const ImageFormat format : formats()) {
        for (const ImageShape shape : sampled_shapes) {
            for (const AddressMode mode : address_modes) {
                for (int kind = 0; kind < 4; ++kind) {
                    const Sampler sampler{mode, (kind & 1) != 0 ? FilterMode::linear : FilterMode::nearest,
                                          (kind & 2) != 0};
                    for (int i = 0; i < messages; ++i) {
                        const Image image = drawn_image(draw, memory, shape, format);
                        const uint32_t lanes = 8U << (i % 3);
                        ASSERT_NO_FATAL_FAILURE(compare_samples(draw, image, sampler, lanes));
                        coordinates += lanes;
                    }
                }
            }
        }
    }
    std::cout << coordinates << " coordinates\n";
    EXPECT_GE(coordinates, 1'000'000U);
}

TEST(Sampling, LoadsGiveTheTexelsAndTheBorder) {
    const Guarded memory;
    Draw draw(2);
    const Pixel outside{1, 2, 3, 4};
    for (const ImageFormat format : formats()) {
        for (const ImageShape shape : sampled_shapes) {
            const Image image = drawn_image(draw, memory, shape, format);
            constexpr uint32_t lanes = 32;
            LaneIndices indices;
            for (uint32_t lane = 0; lane < lanes; ++lane) {
                for (size_t d = 0; d < 3; ++d)
                    indices.at(d)[lane] =
                        draw.index(d < dimensions_of(shape) ? image.size.at(d) : image.layers);
            }
            LanePixels found;
            load_texels(format, texels_at(image, indices, lanes), lanes, 15, outside, found);
            for (uint32_t lane = 0; lane < lanes; ++lane) {
                const Pixel expected =
                    reference::load(image, {indices[0][lane], indices[1][lane], indices[2][lane]}, outside);
                ASSERT_EQ(of_lane(found, lane), expected) << name_of(format) << " lane " << lane;
            }
        }
    }
}

// What was loaded, stored and loaded again is the same; tests of pack have the bytes.
TEST(Sampling, StoresKeepWhatWasLoaded) {
    const Guarded memory;
    Draw draw(3);
    for (const ImageFormat format : formats()) {
        constexpr uint32_t lanes = 16;
        std::vector<std::byte> bytes(size_t{lanes} * bytes_of_pixel(format));
        draw.fill(bytes);
        const Image image = [&] {
            Image one = packed_image(ImageShape::d1, format, {lanes, 1, 1}, 1);
            one.address = reinterpret_cast<uint64_t>(bytes.data());
            return one;
        }();
        LaneIndices indices;
        for (uint32_t lane = 0; lane < lanes; ++lane)
            indices[0][lane] = static_cast<int>(lane);
        const LaneTexels texels = texels_at(image, indices, lanes);
        LanePixels first;
        load_texels(format, texels, lanes, 15, {}, first);
        const LaneWords words = encode_texels(format, first, lanes);
        std::byte* const to = memory.place(bytes.size(), true);
        for (uint32_t lane = 0; lane < lanes; ++lane)
            store_texel(format, words, lane, to + size_t{lane} * bytes_of_pixel(format));
        Image copy = image;
        copy.address = reinterpret_cast<uint64_t>(to);
        LanePixels second;
        load_texels(format, texels_at(copy, indices, lanes), lanes, 15, {}, second);
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            for (size_t c = 0; c < 4; ++c)
                EXPECT_TRUE(same(format, first.at(c)[lane], second.at(c)[lane])) << name_of(format);
        }
    }
}

} // namespace
} // namespace visor::machine
