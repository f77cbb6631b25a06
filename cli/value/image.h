// Images as the command line spells them: format and size, pixels from PNG and raw files, and pixels as
// elements for files, `--print` and pictures. Knows nothing of kernels or device memory.
#pragma once

#include "cli/value/array.h"
#include "machine/image.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::cli {

// `W`, `WxH`, `WxHxD`, and `/N` behind it for N layers.
struct ImageSize {
    uint32_t dimensions = 0; // 0: not given
    std::array<uint32_t, 3> size{1, 1, 1};
    uint32_t layers = 0; // 0: not given

    friend bool operator==(const ImageSize&, const ImageSize&) = default;
};
[[nodiscard]] std::expected<ImageSize, std::string> parse_image_size(std::string_view text);
[[nodiscard]] std::string size_text(const ImageSize& size);

// An image without its pixels.
struct ImageFacts {
    machine::ImageFormat format;
    ImageSize size;

    friend bool operator==(const ImageFacts&, const ImageFacts&) = default;
};
// "rgba8 64x64"
[[nodiscard]] std::string facts_text(const ImageFacts& facts);
[[nodiscard]] uint64_t pixels_of(const ImageFacts& facts);
[[nodiscard]] uint64_t bytes_of(const ImageFacts& facts);
[[nodiscard]] Element element_of(machine::ImageFormat format);
// Slowest dimension first; the channels last, unless there is one.
[[nodiscard]] Shape shape_of(const ImageFacts& facts);

// The size as `wanted` has it (an array's layers may be its last size); without, as it is written. Its
// address is the caller's. Error: a sentence part.
[[nodiscard]] std::expected<machine::Image, std::string> image_of(const ImageFacts& facts,
                                                                  std::optional<machine::ImageShape> wanted);

// `image:FORMAT:SIZE[:@FILE]`, `@x.png[:FORMAT]`
struct ImageValue {
    std::optional<machine::ImageFormat> format;
    ImageSize size;               // dimensions 0: the file's
    std::string path;             // "": zeros, or `bytes`
    std::vector<std::byte> bytes; // written out one by one; from launch files alone
};
[[nodiscard]] std::expected<ImageValue, std::string> parse_image(std::string_view text);
[[nodiscard]] std::expected<machine::ImageFormat, std::string> parse_format(std::string_view name);

struct ImageContent {
    ImageFacts facts;
    std::vector<std::byte> bytes; // empty: zeros
};
// Error: a sentence.
[[nodiscard]] std::expected<ImageContent, std::string> image_content(const ImageValue& value);

// The pixels as bytes of red, green, blue and alpha: what is normalized or a float times 255, integers as
// they are, both kept inside 0 to 255. sRGB stays sRGB, as pictures have it.
[[nodiscard]] std::vector<std::byte> rgba8_of(machine::ImageFormat format, std::span<const std::byte> pixels);

// `nearest|linear,none|clamp|clamp_edge|repeat|mirror[,normalized][,compare_less...]`
[[nodiscard]] std::expected<machine::Sampler, std::string> parse_sampler(std::string_view text);

} // namespace visor::cli
