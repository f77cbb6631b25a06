// Texts as the Intercept Layer for OpenCL Applications 3.0.6 writes them.
#include "capture/layout.h"

#include <gtest/gtest.h>

namespace visor::capture {
namespace {

using machine::AddressMode;
using machine::ChannelOrder;
using machine::ChannelType;
using machine::FilterMode;
using machine::ImageShape;

TEST(Layout, NamesOfFiles) {
    EXPECT_EQ(folder_name(3, "saxpy"), "Enqueue_3_saxpy");
    EXPECT_EQ(buffer_file(3, "saxpy", 1, 2), "Enqueue_0003_Kernel_saxpy_Arg_1_Buffer_0002.bin");
    EXPECT_EQ(buffer_file(12345, "k", 10, 12345), "Enqueue_12345_Kernel_k_Arg_10_Buffer_12345.bin");
    const machine::Image image =
        machine::packed_image(ImageShape::d2, {ChannelOrder::rgba, ChannelType::unorm_int8}, {5, 3, 1}, 1);
    EXPECT_EQ(image_file(8, "picture", 0, 8, image),
              "Enqueue_0008_Kernel_picture_Arg_0_Image_0008_5x3x1_32bpp.raw");
}

TEST(Layout, ALongNameIsCutAndStaysItsOwn) {
    const std::string a = folder_name(0, std::string(3000, 'x') + "a");
    const std::string b = folder_name(0, std::string(3000, 'x') + "b");
    EXPECT_LT(a.size(), 160U);
    EXPECT_NE(a, b);
    EXPECT_EQ(folder_name(0, "../../etc"), "Enqueue_0_.._.._etc");
}

TEST(Layout, Sizes) {
    EXPECT_EQ(text_of(Sizes{2, {640, 480, 1}, {0, 0, 0}, {0, 7, 0}}), "640 480 \n0 0 \n0 7 \n");
    const auto sizes = parse_sizes("640 480 \n16 8 \n0 7 \n");
    ASSERT_TRUE(sizes.has_value());
    EXPECT_EQ(sizes->dimensions, 2U);
    EXPECT_EQ(sizes->global, (std::array<uint64_t, 3>{640, 480, 1}));
    EXPECT_EQ(sizes->local, (std::array<uint64_t, 3>{16, 8, 0}));
    EXPECT_EQ(sizes->offset, (std::array<uint64_t, 3>{0, 7, 0}));
    for (const char* text : {"", "1\n1\n", "1\n1 1\n0\n", "1 1 1 1\n1 1 1 1\n0 0 0 0\n", "a\nb\nc\n",
                             "-1\n1\n0\n", "99999999999999999999999\n1\n0\n"})
        EXPECT_FALSE(parse_sizes(text).has_value()) << text;
}

TEST(Layout, Samplers) {
    const char* const text = "CL_SAMPLER_NORMALIZED_COORDS = CL_FALSE, CL_SAMPLER_ADDRESSING_MODE = "
                             "CL_ADDRESS_CLAMP_TO_EDGE, CL_SAMPLER_FILTER_MODE = CL_FILTER_LINEAR";
    const machine::Sampler sampler = parse_sampler(text);
    EXPECT_FALSE(sampler.normalized);
    EXPECT_EQ(sampler.address, AddressMode::clamp_to_edge);
    EXPECT_EQ(sampler.filter, FilterMode::linear);
    EXPECT_EQ(text_of(sampler), text);
    for (const AddressMode mode : {AddressMode::none, AddressMode::clamp, AddressMode::clamp_to_edge,
                                   AddressMode::repeat, AddressMode::mirrored_repeat}) {
        machine::Sampler one;
        one.address = mode;
        one.normalized = true;
        EXPECT_EQ(parse_sampler(text_of(one)).address, mode);
        EXPECT_TRUE(parse_sampler(text_of(one)).normalized);
    }
}

TEST(Layout, MetadataOfImages) {
    // Width, height, depth, bytes of a pixel, both pitches, CL_UNORM_INT8, CL_RGBA, CL_MEM_OBJECT_IMAGE2D.
    const char* const text = "5\n3\n1\n4\n20\n0\n4306\n4277\n4337";
    const auto image = parse_metadata(text);
    ASSERT_TRUE(image.has_value()) << image.error();
    EXPECT_EQ(image->shape, ImageShape::d2);
    EXPECT_EQ(image->format, (machine::ImageFormat{ChannelOrder::rgba, ChannelType::unorm_int8}));
    EXPECT_EQ(image->size, (std::array<uint32_t, 3>{5, 3, 1}));
    EXPECT_EQ(image->row_pitch, 20U);
    EXPECT_EQ(metadata_of(*image), text);
    const auto layers = parse_metadata("8\n4\n3\n4\n32\n128\n4306\n4277\n4339");
    ASSERT_TRUE(layers.has_value());
    EXPECT_EQ(layers->shape, ImageShape::d2_array);
    EXPECT_EQ(layers->layers, 3U);
    EXPECT_EQ(metadata_of(*layers), "8\n4\n3\n4\n32\n128\n4306\n4277\n4339");
}

TEST(Layout, WhatIsNoImageIsRefused) {
    for (const char* text : {"", "5\n3\n1\n4\n20\n0\n4306\n4277", "5\n3\n1\n4\n20\n0\n4306\n4277\n1",
                             "5\n3\n1\n4\n20\n0\n1\n1\n4337", "5000000000\n3\n1\n4\n20\n0\n4306\n4277\n4337",
                             "a\nb\nc\nd\ne\nf\ng\nh\ni"})
        EXPECT_FALSE(parse_metadata(text).has_value()) << text;
}

TEST(Layout, NumbersBehindPointers) {
    EXPECT_EQ(element_behind("float*", 64), "f32");
    EXPECT_EQ(element_behind("float4*", 64), "f32");
    EXPECT_EQ(element_behind("uchar*", 3), "u8");
    EXPECT_EQ(element_behind("ulong16*", 128), "u64");
    EXPECT_EQ(element_behind("float*", 63), "u8");
    EXPECT_EQ(element_behind("struct pair*", 64), "u8");
    EXPECT_EQ(element_behind("", 64), "u8");
}

} // namespace
} // namespace visor::capture
