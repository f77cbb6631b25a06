// Arrays of pixels as pictures: PNG files, and a small view in the terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::cli {

enum class Pixels : uint8_t { gray8, rgb8, rgba8 };
inline constexpr size_t pixels_count = 3;

[[nodiscard]] uint8_t channels(Pixels pixels);
[[nodiscard]] std::optional<Pixels> pixels_named(std::string_view name);
[[nodiscard]] std::vector<std::string_view> pixels_names();

struct Picture {
    Pixels pixels = Pixels::rgba8;
    uint32_t width = 0;
    uint32_t height = 0;
    std::span<const std::byte> bytes; // width * height * channels, rows from the top
};

[[nodiscard]] std::expected<std::vector<std::byte>, std::string> png_file(const Picture& picture);

// A PNG's pixels with 8 bits a channel; gray ones have it in all three, opaque ones an alpha of 255.
struct Rgba8 {
    uint32_t width = 0;
    uint32_t height = 0;
    std::vector<std::byte> bytes;
};
// Untrusted: nothing is allocated before the size is known to be that of a picture. Error: a sentence part.
[[nodiscard]] std::expected<Rgba8, std::string> read_png(std::span<const std::byte> file);

// `bytes` are red, green, blue, alpha; the others are left out.
[[nodiscard]] std::vector<std::byte> only_channels(std::span<const std::byte> bytes, Pixels pixels);

enum class Ink : uint8_t { characters, color }; // ASCII by brightness, or two 24-bit pixels a character
// At most `columns` wide, lines end with a newline.
[[nodiscard]] std::string terminal_view(const Picture& picture, uint32_t columns, Ink ink);

} // namespace visor::cli
