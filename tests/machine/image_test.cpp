// Pixels and sampling by OpenCL C's formulas (8.2, 8.3); every value below was worked out by hand from them.
#include "machine/image_lanes.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

namespace visor::machine {
namespace {

using enum ChannelOrder;
using enum ChannelType;

uint32_t bits(float value) {
    return std::bit_cast<uint32_t>(value);
}
Pixel floats(float red, float green, float blue, float alpha) {
    return {bits(red), bits(green), bits(blue), bits(alpha)};
}

std::vector<uint8_t> packed(ImageFormat format, const Pixel& pixel) {
    std::vector<std::byte> bytes(bytes_of_pixel(format));
    pack(format, pixel, bytes.data());
    std::vector<uint8_t> out(bytes.size());
    std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
}
Pixel unpacked(ImageFormat format, const std::vector<uint8_t>& bytes) {
    EXPECT_EQ(bytes.size(), bytes_of_pixel(format));
    return unpack(format, reinterpret_cast<const std::byte*>(bytes.data()));
}

using Bytes = std::vector<uint8_t>;

// One lane of a message, between others that are elsewhere.
constexpr uint32_t lanes = 16;
constexpr uint32_t lane = 5;
SampleLanes one_sample(const std::array<float, 3>& coordinate, int offset = 0,
                       std::optional<float> reference = std::nullopt) {
    SampleLanes parameters;
    parameters.lanes = lanes;
    parameters.has_offsets = offset != 0;
    parameters.has_reference = reference.has_value();
    for (uint32_t k = 0; k < lanes; ++k) {
        for (size_t d = 0; d < 3; ++d) {
            parameters.coordinates[d][k] = k == lane ? coordinate[d] : static_cast<float>(k) - 7.25F;
            parameters.offsets[d][k] = d == 0 ? offset : 0;
        }
        parameters.reference[k] = reference.value_or(0);
    }
    return parameters;
}
Pixel of_lane(const LanePixels& pixels) {
    return {pixels[0][lane], pixels[1][lane], pixels[2][lane], pixels[3][lane]};
}
// In the layer that follows the dimensions.
Pixel sampled(const Image& image, const Sampler& sampler, const std::array<float, 3>& coordinate,
              int offset = 0, std::optional<float> reference = std::nullopt) {
    LanePixels pixels;
    sample(image, sampler, one_sample(coordinate, offset, reference), 15, pixels);
    return of_lane(pixels);
}
const std::byte* texel(const Image& image, const std::array<int32_t, 3>& at) {
    LaneIndices indices;
    for (size_t d = 0; d < 3; ++d) {
        indices[d].at.fill(-1);
        indices[d][lane] = at[d];
    }
    return texels_at(image, indices, lanes)[lane];
}

TEST(Pixels, NormalizedBytes) {
    EXPECT_EQ(packed({rgba, unorm_int8}, floats(0, 1, 0.5F, 2)), (Bytes{0, 255, 128, 255})); // 127.5 to even
    EXPECT_EQ(packed({rgba, unorm_int8}, floats(-1, NAN, 0.1F, 0.003F)), (Bytes{0, 0, 26, 1}));
    EXPECT_EQ(packed({bgra, unorm_int8}, floats(1, 0, 0, 1)), (Bytes{0, 0, 255, 255}));
    EXPECT_EQ(packed({argb, unorm_int8}, floats(1, 0, 0, 0)), (Bytes{0, 255, 0, 0}));
    EXPECT_EQ(unpacked({rgba, unorm_int8}, {255, 0, 51, 102}), floats(1, 0, 0.2F, 0.4F));
    EXPECT_EQ(unpacked({bgra, unorm_int8}, {255, 0, 51, 0}), floats(0.2F, 0, 1, 0));
    EXPECT_EQ(packed({rg, snorm_int8}, floats(-1, 1, 0, 0)), (Bytes{0x81, 0x7f}));
    EXPECT_EQ(unpacked({rg, snorm_int8}, {0x80, 0x7f}), floats(-1, 1, 0, 1)); // -128 is -1, too
}

TEST(Pixels, ChannelsThatAreMissing) {
    EXPECT_EQ(unpacked({r, float32}, {0, 0, 0, 0x40}), floats(2, 0, 0, 1));
    EXPECT_EQ(unpacked({a, unorm_int8}, {255}), floats(0, 0, 0, 1));
    EXPECT_EQ(unpacked({ra, unorm_int8}, {0, 255}), floats(0, 0, 0, 1));
    EXPECT_EQ(unpacked({intensity, unorm_int8}, {255}), floats(1, 1, 1, 1));
    EXPECT_EQ(unpacked({luminance, unorm_int8}, {255}), floats(1, 1, 1, 1));
    EXPECT_EQ(unpacked({luminance, unorm_int8}, {0}), floats(0, 0, 0, 1));
    EXPECT_EQ(unpacked({r, unsigned_int8}, {7}), (Pixel{7, 0, 0, 1}));
}

TEST(Pixels, IntegersSaturate) {
    const Pixel wide{300, static_cast<uint32_t>(-300), 5, static_cast<uint32_t>(-5)};
    EXPECT_EQ(packed({rgba, signed_int8}, wide), (Bytes{127, 0x80, 5, 0xfb}));
    EXPECT_EQ(packed({rgba, unsigned_int8}, wide), (Bytes{255, 255, 5, 255})); // as unsigned numbers
    EXPECT_EQ(packed({r, signed_int32}, wide), (Bytes{0x2c, 1, 0, 0}));
    EXPECT_EQ(unpacked({rg, signed_int16}, {0xff, 0xff, 1, 0}), (Pixel{UINT32_MAX, 1, 0, 1}));
}

TEST(Pixels, HalvesAndPackedWords) {
    EXPECT_EQ(packed({r, half_float}, floats(1, 0, 0, 0)), (Bytes{0x00, 0x3c}));
    EXPECT_EQ(unpacked({r, half_float}, {0x00, 0xc0}), floats(-2, 0, 0, 1));
    EXPECT_EQ(packed({rgb, unorm_short_565}, floats(1, 0, 0, 0)), (Bytes{0x00, 0xf8}));
    EXPECT_EQ(packed({rgb, unorm_short_565}, floats(0, 1, 0, 0)), (Bytes{0xe0, 0x07}));
    EXPECT_EQ(unpacked({rgb, unorm_short_565}, {0x1f, 0x00}), floats(0, 0, 1, 1));
    EXPECT_EQ(packed({rgb, unorm_int_101010}, floats(0, 0, 1, 0)), (Bytes{0xff, 0x03, 0, 0}));
}

TEST(Pixels, SrgbBendsColoursButNotAlpha) {
    EXPECT_EQ(packed({srgba, unorm_int8}, floats(0.5F, 1, 0, 0.5F)), (Bytes{188, 255, 0, 128}));
    const Pixel half = unpacked({srgba, unorm_int8}, {188, 255, 0, 128});
    EXPECT_NEAR(std::bit_cast<float>(half[0]), 0.5029, 1e-4); // ((188/255 + 0.055) / 1.055)^2.4
    EXPECT_EQ(half[1], bits(1));
    EXPECT_EQ(half[3], bits(128.0F / 255.0F));
}

TEST(Pixels, PairsThatOpenClDoesNotHave) {
    EXPECT_EQ(bytes_of_pixel({rgb, unorm_int8}), 0U);
    EXPECT_EQ(bytes_of_pixel({rgba, unorm_short_565}), 0U);
    EXPECT_EQ(bytes_of_pixel({srgba, float32}), 0U);
    EXPECT_EQ(bytes_of_pixel({rgba, float32}), 16U);
}

TEST(Pixels, Names) {
    EXPECT_EQ(format_named("rgba8"), (ImageFormat{rgba, unorm_int8}));
    EXPECT_EQ(format_named("r32f"), (ImageFormat{r, float32}));
    EXPECT_EQ(format_named("rg16i"), (ImageFormat{rg, signed_int16}));
    EXPECT_EQ(format_named("rgb565"), (ImageFormat{rgb, unorm_short_565}));
    EXPECT_EQ(format_named("srgba8"), (ImageFormat{srgba, unorm_int8}));
    EXPECT_FALSE(format_named("rgb8"));
    EXPECT_FALSE(format_named("rgba"));
    EXPECT_FALSE(format_named(""));
}

// Four pixels in a row: 0, 1, 2, 3.
class Row : public testing::Test {
protected:
    Row() : image_(packed_image(ImageShape::d1, {r, float32}, {4, 1, 1}, 1)) {
        image_.address = reinterpret_cast<uint64_t>(pixels_.data());
    }
    [[nodiscard]] float at(const Sampler& sampler, float x, int offset = 0) const {
        return std::bit_cast<float>(sampled(image_, sampler, {x, 0, 0}, offset)[0]);
    }

    std::array<float, 4> pixels_{0, 1, 2, 3};
    Image image_;
};

TEST_F(Row, NearestTakesThePixelThatHoldsTheCoordinate) {
    const Sampler edge{AddressMode::clamp_to_edge, FilterMode::nearest, false};
    EXPECT_EQ(at(edge, 0.99F), 0);
    EXPECT_EQ(at(edge, 1), 1);
    EXPECT_EQ(at(edge, -5), 0);
    EXPECT_EQ(at(edge, 100), 3);
    EXPECT_EQ(at(edge, 1, 2), 3);
    const Sampler clamp{AddressMode::clamp, FilterMode::nearest, false};
    EXPECT_EQ(at(clamp, 3.5F), 3);
    EXPECT_EQ(at(clamp, 4), 0);                                // the border
    EXPECT_EQ(sampled(image_, clamp, {-1, 0, 0})[3], bits(1)); // alpha of the border of R is 1
}

TEST_F(Row, NormalizedCoordinatesRepeat) {
    const Sampler repeat{AddressMode::repeat, FilterMode::nearest, true};
    EXPECT_EQ(at(repeat, 0.3F), 1);  // 1.2
    EXPECT_EQ(at(repeat, 1.3F), 1);  //
    EXPECT_EQ(at(repeat, -0.1F), 3); // 0.9 * 4 = 3.6
    const Sampler mirror{AddressMode::mirrored_repeat, FilterMode::nearest, true};
    EXPECT_EQ(at(mirror, 0.3F), 1);
    EXPECT_EQ(at(mirror, 1.1F), 3); // 0.9 from the left
    EXPECT_EQ(at(mirror, -0.3F), 1);
}

TEST_F(Row, LinearMixesNeighbours) {
    const Sampler edge{AddressMode::clamp_to_edge, FilterMode::linear, false};
    EXPECT_EQ(at(edge, 1.5F), 1); // the middle of a pixel is the pixel
    EXPECT_EQ(at(edge, 2), 1.5F);
    EXPECT_EQ(at(edge, 1.75F), 1.25F);
    EXPECT_EQ(at(edge, 0), 0);
    EXPECT_EQ(at(edge, 4), 3);
    const Sampler clamp{AddressMode::clamp, FilterMode::linear, false};
    EXPECT_EQ(at(clamp, 4), 1.5F); // half of it is border
    const Sampler repeat{AddressMode::repeat, FilterMode::linear, true};
    EXPECT_EQ(at(repeat, 0), 1.5F); // between the last and the first
}

TEST_F(Row, WhatIsNoCoordinateLiesOutside) {
    const Sampler clamp{AddressMode::clamp, FilterMode::nearest, false};
    for (const float x : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(), 3e38F})
        EXPECT_EQ(at(clamp, x), 0);
    const Sampler edge{AddressMode::clamp_to_edge, FilterMode::linear, true};
    EXPECT_EQ(at(edge, std::numeric_limits<float>::infinity()), 3);
}

TEST(Pixels, EveryFormatHasItsName) {
    for (const ImageFormat format : formats()) {
        EXPECT_EQ(format_named(name_of(format)), format) << name_of(format);
        const ChannelLayout layout = layout_of(format);
        EXPECT_EQ(layout.numbers * layout.bytes, bytes_of_pixel(format)) << name_of(format);
    }
    EXPECT_EQ(name_of({rgb, unorm_int8}), "");
    EXPECT_EQ(layout_of({rgb, unorm_short_565}).bytes, 2U);
    EXPECT_EQ(layout_of({rgba, half_float}).numbers, 4U);
}

TEST_F(Row, ReferencesAreComparedBeforeTheFilter) {
    Sampler less{AddressMode::clamp, FilterMode::linear, false, Comparison::less};
    const auto compared = [&](float x, float reference) {
        return sampled(image_, less, {x, 0, 0}, 0, reference);
    };
    EXPECT_EQ(compared(2, 1.5F), floats(0.5F, 0, 0, 1)); // of the texels 1 and 2 one is greater
    EXPECT_EQ(compared(2.25F, 1.5F), floats(0.75F, 0, 0, 1));
    EXPECT_EQ(compared(4, -1), floats(1, 0, 0, 1)); // the border is 0
    EXPECT_EQ(compared(4, 1), floats(0.5F, 0, 0, 1));
    EXPECT_EQ(compared(2, NAN), floats(0, 0, 0, 1));
    less.comparison = Comparison::not_equal;
    EXPECT_EQ(compared(2, NAN), floats(1, 0, 0, 1));
}

TEST(Images, IntegersAreNeverMixed) {
    std::array<uint8_t, 2> pixels{10, 20};
    Image image = packed_image(ImageShape::d1, {r, unsigned_int8}, {2, 1, 1}, 1);
    image.address = reinterpret_cast<uint64_t>(pixels.data());
    const Sampler linear{AddressMode::clamp_to_edge, FilterMode::linear, false};
    EXPECT_EQ(sampled(image, linear, {1.25F, 0, 0})[0], 20U); // the texel that holds the coordinate
}

// More than any memory has, not a few bytes: 2^32 - 1 pixels a side, and pitches of a caller.
TEST(Images, SizesThatDoNotFitAreTheMostThereIs) {
    EXPECT_EQ(packed_image(ImageShape::d2, {r, unsigned_int8}, {UINT32_MAX, UINT32_MAX, 1}, 1).bytes(),
              18446744065119617025U); // (2^32 - 1)^2
    EXPECT_EQ(packed_image(ImageShape::d2, {r, float32}, {UINT32_MAX, UINT32_MAX, 1}, 1).bytes(), UINT64_MAX);
    EXPECT_EQ(packed_image(ImageShape::d3, {r, unsigned_int8}, {65536, 65536, 65536}, 1).bytes(),
              281474976710656U);
    EXPECT_EQ(packed_image(ImageShape::d2_array, {r, float32}, {1U << 31U, 1U << 31U, 1}, 4).bytes(),
              UINT64_MAX);
    Image image = packed_image(ImageShape::d2_array, {r, float32}, {4, 4, 1}, 2);
    image.slice_pitch = uint64_t{1} << 63U;
    EXPECT_EQ(image.bytes(), UINT64_MAX);
}

TEST(Images, LayersAndSlices) {
    std::array<uint8_t, 12> pixels{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    Image array = packed_image(ImageShape::d2_array, {r, unsigned_int8}, {2, 2, 1}, 3);
    array.address = reinterpret_cast<uint64_t>(pixels.data());
    EXPECT_EQ(array.bytes(), 12U);
    const Sampler nearest{AddressMode::clamp, FilterMode::nearest, false};
    EXPECT_EQ(sampled(array, nearest, {1, 1, 1})[0], 7U);
    EXPECT_EQ(sampled(array, nearest, {0, 0, 7})[0], 8U);    // layers stay inside
    EXPECT_EQ(sampled(array, nearest, {0, 0, 1.6F})[0], 8U); // and are rounded
    Image volume = packed_image(ImageShape::d3, {r, unsigned_int8}, {2, 2, 3}, 1);
    volume.address = array.address;
    EXPECT_EQ(sampled(volume, nearest, {1, 0, 2})[0], 9U);
    EXPECT_EQ(texel(volume, {0, 0, 3}), nullptr);
    EXPECT_EQ(texel(volume, {-1, 0, 0}), nullptr);
    EXPECT_EQ(texel(array, {0, 0, 3}), nullptr);
}

TEST(Images, GatherTakesTheFourTexelsAround) {
    std::array<uint8_t, 4> pixels{1, 2, 3, 4}; // upper row 1 2, lower row 3 4
    Image image = packed_image(ImageShape::d2, {r, unsigned_int8}, {2, 2, 1}, 1);
    image.address = reinterpret_cast<uint64_t>(pixels.data());
    const Sampler sampler{AddressMode::clamp_to_edge, FilterMode::nearest, false};
    LanePixels found;
    gather(image, sampler, one_sample({1, 1, 0}), 0, found);
    EXPECT_EQ(of_lane(found), (Pixel{3, 4, 2, 1}));
}

} // namespace
} // namespace visor::machine
