#include "cli/picture.h"

#include <gtest/gtest.h>
#include <png.h>

namespace visor::cli {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
    std::vector<std::byte> out;
    for (const int value : values)
        out.push_back(static_cast<std::byte>(value));
    return out;
}

TEST(Picture, PngHoldsThePixels) {
    const auto pixels = bytes({1, 2, 3, 255, 4, 5, 6, 128, 7, 8, 9, 0, 10, 11, 12, 255});
    const auto file = png_file({Pixels::rgba8, 2, 2, pixels});
    ASSERT_TRUE(file.has_value()) << file.error();
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    ASSERT_NE(png_image_begin_read_from_memory(&image, file->data(), file->size()), 0) << image.message;
    EXPECT_EQ(image.width, 2U);
    EXPECT_EQ(image.height, 2U);
    EXPECT_EQ(image.format & PNG_FORMAT_FLAG_ALPHA, PNG_FORMAT_FLAG_ALPHA);
    image.format = PNG_FORMAT_RGBA;
    std::vector<std::byte> back(pixels.size());
    ASSERT_NE(png_image_finish_read(&image, nullptr, back.data(), 0, nullptr), 0) << image.message;
    EXPECT_EQ(back, pixels);
}

TEST(Picture, GrayPng) {
    const auto pixels = bytes({0, 128, 255});
    const auto file = png_file({Pixels::gray8, 3, 1, pixels});
    ASSERT_TRUE(file.has_value()) << file.error();
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    ASSERT_NE(png_image_begin_read_from_memory(&image, file->data(), file->size()), 0);
    EXPECT_EQ(image.format, static_cast<png_uint_32>(PNG_FORMAT_GRAY));
    png_image_free(&image);
}

TEST(Picture, CharactersByBrightness) {
    const auto pixels = bytes({0, 255, 0, 255, 255, 0, 255, 0});
    EXPECT_EQ(terminal_view({Pixels::gray8, 4, 2, pixels}, 80, Ink::characters), "====\n")
        << "two pixels below each other make one character of their mean, 127";
    const auto wide = bytes({0, 0, 255, 255});
    EXPECT_EQ(terminal_view({Pixels::gray8, 4, 1, wide}, 2, Ink::characters), " @\n");
}

TEST(Picture, ColorShowsTwoPixelsACharacter) {
    const auto pixels = bytes({10, 20, 30, 40, 50, 60});
    EXPECT_EQ(terminal_view({Pixels::rgb8, 1, 2, pixels}, 80, Ink::color),
              "\x1b[38;2;10;20;30m\x1b[48;2;40;50;60m\xe2\x96\x80\x1b[0m\n");
}

TEST(Picture, Names) {
    EXPECT_EQ(pixels_named("rgb8"), Pixels::rgb8);
    EXPECT_EQ(pixels_named("rgb9"), std::nullopt);
    EXPECT_EQ(channels(Pixels::rgba8), 4);
}

} // namespace
} // namespace visor::cli
