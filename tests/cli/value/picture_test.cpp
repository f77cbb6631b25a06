#include "cli/value/picture.h"

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

TEST(Picture, ReadsWhatItWrites) {
    const auto pixels = bytes({1, 2, 3, 255, 4, 5, 6, 128, 7, 8, 9, 0, 10, 11, 12, 255});
    const auto back = read_png(*png_file({Pixels::rgba8, 2, 2, pixels}));
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(back->width, 2U);
    EXPECT_EQ(back->height, 2U);
    EXPECT_EQ(back->bytes, pixels);
    const auto gray = read_png(*png_file({Pixels::gray8, 2, 1, bytes({5, 200})}));
    ASSERT_TRUE(gray) << gray.error();
    EXPECT_EQ(gray->bytes, bytes({5, 5, 5, 255, 200, 200, 200, 255}));
}

// A file of 16 bits a channel keeps its upper eight, rounded: 0x1234 * 255 / 65535 = 18.13, 0xff80 -> 254.5.
TEST(Picture, SixteenBitsAreRoundedAndNotBent) {
    const auto wide = [](std::initializer_list<int> values) { // big-endian samples, written by hand below
        std::vector<std::byte> out;
        for (const int value : values) {
            out.push_back(static_cast<std::byte>(value >> 8));
            out.push_back(static_cast<std::byte>(value));
        }
        return out;
    };
    std::vector<std::byte> row = wide({0x1234, 0x8080, 0xffff});
    std::vector<std::byte> file;
    png_structp writer = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(writer);
    png_set_write_fn(
        writer, &file,
        [](png_structp to, png_bytep from, size_t count) {
            auto* all = static_cast<std::vector<std::byte>*>(png_get_io_ptr(to));
            const auto* begin = reinterpret_cast<const std::byte*>(from);
            all->insert(all->end(), begin, begin + count);
        },
        nullptr);
    png_set_IHDR(writer, info, 1, 1, 16, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(writer, info);
    png_write_row(writer, reinterpret_cast<png_const_bytep>(row.data()));
    png_write_end(writer, info);
    png_destroy_write_struct(&writer, &info);
    const auto back = read_png(file);
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(back->bytes, bytes({0x12, 0x80, 0xff, 255}));
}

TEST(Picture, DamagedFilesAreRefused) {
    auto file = *png_file({Pixels::rgba8, 2, 2, std::vector<std::byte>(16)});
    EXPECT_FALSE(read_png({}));
    EXPECT_FALSE(read_png(bytes({1, 2, 3})));
    for (size_t cut = 0; cut + 20 < file.size(); ++cut)
        EXPECT_FALSE(read_png(std::span(file).first(cut))) << cut;
    for (size_t at = 0; at < file.size(); ++at) { // a good file or an error, and never a crash
        auto damaged = file;
        damaged[at] ^= std::byte{0x55};
        const auto read = read_png(damaged);
        EXPECT_TRUE(!read || read->bytes.size() == 16U) << at;
    }
}

TEST(Picture, SizesAreBelievedOnlyWithTheBytesForThem) {
    // A header of 16000 x 16000 before nothing: a gibibyte is not allocated for it.
    const auto header =
        bytes({0x89, 'P',  'N',  'G', 13, 10,   26,   10, 0, 0, 0, 13, 'I',  'H',  'D',  'R', 0,
               0,    0x3e, 0x80, 0,   0,  0x3e, 0x80, 8,  6, 0, 0, 0,  0x8a, 0xc5, 0xb9, 0x52});
    const auto read = read_png(header);
    ASSERT_FALSE(read);
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
