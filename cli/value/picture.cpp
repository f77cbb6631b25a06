#include "cli/value/picture.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <png.h>

namespace visor::cli {

namespace {

struct PixelsFacts {
    const char* name;
    uint8_t channels;
    png_uint_32 format;
};
constexpr std::array<PixelsFacts, pixels_count> pixels_facts{
    {{"gray8", 1, PNG_FORMAT_GRAY}, {"rgb8", 3, PNG_FORMAT_RGB}, {"rgba8", 4, PNG_FORMAT_RGBA}}};

const PixelsFacts& facts(Pixels pixels) {
    return pixels_facts[static_cast<size_t>(pixels)];
}

struct Rgb {
    unsigned red = 0;
    unsigned green = 0;
    unsigned blue = 0;
};

// The mean colour of the picture's part that cell (column, row) of a grid covers.
Rgb mean(const Picture& picture, uint32_t column, uint32_t row, uint32_t columns, uint32_t rows) {
    const auto edge = [](uint32_t i, uint32_t cells, uint32_t pixels) {
        return static_cast<uint32_t>(uint64_t{i} * pixels / cells);
    };
    const uint32_t left = edge(column, columns, picture.width);
    const uint32_t top = edge(row, rows, picture.height);
    const uint32_t right = std::max(left + 1, edge(column + 1, columns, picture.width));
    const uint32_t bottom = std::max(top + 1, edge(row + 1, rows, picture.height));
    const size_t step = channels(picture.pixels);
    const size_t green = step > 1 ? 1 : 0;
    std::array<uint64_t, 3> sum{};
    for (uint32_t y = top; y < bottom; ++y)
        for (uint32_t x = left; x < right; ++x) {
            const std::byte* pixel = picture.bytes.data() + (size_t{y} * picture.width + x) * step;
            sum[0] += static_cast<uint8_t>(pixel[0]);
            sum[1] += static_cast<uint8_t>(pixel[green]);
            sum[2] += static_cast<uint8_t>(pixel[green * 2]);
        }
    const uint64_t count = uint64_t{right - left} * (bottom - top);
    return {static_cast<unsigned>(sum[0] / count), static_cast<unsigned>(sum[1] / count),
            static_cast<unsigned>(sum[2] / count)};
}

char character(Rgb color) {
    static constexpr std::string_view dark_to_light = " .:-=+*#%@";
    const unsigned brightness = (color.red * 3 + color.green * 6 + color.blue) / 10;
    return dark_to_light[brightness * (dark_to_light.size() - 1) / 255];
}

} // namespace

uint8_t channels(Pixels pixels) {
    return facts(pixels).channels;
}

std::optional<Pixels> pixels_named(std::string_view name) {
    for (size_t i = 0; i < pixels_facts.size(); ++i)
        if (name == pixels_facts[i].name)
            return static_cast<Pixels>(i);
    return std::nullopt;
}

std::vector<std::string_view> pixels_names() {
    std::vector<std::string_view> names;
    for (const PixelsFacts& pixels : pixels_facts)
        names.emplace_back(pixels.name);
    return names;
}

std::expected<std::vector<std::byte>, std::string> png_file(const Picture& picture) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = picture.width;
    image.height = picture.height;
    image.format = facts(picture.pixels).format;
    const auto stride = static_cast<png_int_32>(uint64_t{picture.width} * channels(picture.pixels));
    png_alloc_size_t size = 0;
    if (png_image_write_to_memory(&image, nullptr, &size, 0, picture.bytes.data(), stride, nullptr) == 0)
        return std::unexpected(fmt::format("libpng: {}", image.message));
    std::vector<std::byte> file(size);
    if (png_image_write_to_memory(&image, file.data(), &size, 0, picture.bytes.data(), stride, nullptr) == 0)
        return std::unexpected(fmt::format("libpng: {}", image.message));
    file.resize(size);
    return file;
}

std::expected<Rgba8, std::string> read_png(std::span<const std::byte> file) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&image, file.data(), file.size()) == 0)
        return std::unexpected(fmt::format("this is no PNG that libpng reads: {}", image.message));
    constexpr png_uint_32 largest = 16384;
    if (image.width == 0 || image.height == 0 || image.width > largest || image.height > largest) {
        const Rgba8 told{image.width, image.height, {}};
        png_image_free(&image);
        return std::unexpected(
            fmt::format("a picture has 1 to {} pixels a side, not {}x{}", largest, told.width, told.height));
    }
    // Deflate makes at most about 1032 bytes of one: what a header promises beyond that is not there.
    constexpr uint64_t most_of_a_byte = 1040;
    if (uint64_t{image.height} * (image.width / 8 + 1) > most_of_a_byte * file.size()) {
        png_image_free(&image);
        return std::unexpected("the file is too short for the size that it names");
    }
    image.format = PNG_FORMAT_RGBA;
    image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB; // else libpng bends the channels of 16-bit files
    Rgba8 out{image.width, image.height, std::vector<std::byte>(size_t{image.width} * image.height * 4)};
    if (png_image_finish_read(&image, nullptr, out.bytes.data(), 0, nullptr) == 0)
        return std::unexpected(fmt::format("libpng: {}", image.message));
    return out;
}

std::vector<std::byte> only_channels(std::span<const std::byte> bytes, Pixels pixels) {
    const size_t count = channels(pixels);
    std::vector<std::byte> out;
    out.reserve(bytes.size() / 4 * count);
    for (size_t at = 0; at + 4 <= bytes.size(); at += 4)
        out.insert(out.end(), bytes.begin() + static_cast<ptrdiff_t>(at),
                   bytes.begin() + static_cast<ptrdiff_t>(at + count));
    return out;
}

std::string terminal_view(const Picture& picture, uint32_t columns, Ink ink) {
    columns = std::clamp<uint32_t>(columns, 1, picture.width);
    // A character is about twice as high as it is wide.
    const auto pixel_rows = static_cast<uint32_t>(uint64_t{picture.height} * columns / picture.width);
    const uint32_t rows = std::clamp<uint32_t>((pixel_rows + 1) / 2, 1, picture.height);
    std::string out;
    for (uint32_t row = 0; row < rows; ++row) {
        for (uint32_t column = 0; column < columns; ++column) {
            if (ink == Ink::characters) {
                out += character(mean(picture, column, row, columns, rows));
                continue;
            }
            const Rgb upper = mean(picture, column, row * 2, columns, rows * 2);
            const Rgb lower = mean(picture, column, row * 2 + 1, columns, rows * 2);
            out += fmt::format("\x1b[38;2;{};{};{}m\x1b[48;2;{};{};{}m\u2580", upper.red, upper.green,
                               upper.blue, lower.red, lower.green, lower.blue);
        }
        out += ink == Ink::color ? "\x1b[0m\n" : "\n";
    }
    return out;
}

} // namespace visor::cli
