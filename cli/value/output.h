// What a run leaves behind: `--out NAME=FILE[:TYPE][:SHAPE]` and `--print NAME[:N][:TYPE]`. A request is
// checked against its array before the run, so that a mistake does not cost one.
#pragma once

#include "cli/value/array.h"
#include "cli/value/image.h"
#include "cli/value/picture.h"
#include "file/file.h"

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace visor::cli {

enum class FileForm : uint8_t { npy, bin, png, terminal };

struct OutputRequest {
    std::string name;
    std::string path;
    FileForm form = FileForm::npy;
    std::optional<Element> element;
    std::optional<Pixels> pixels;                // png, terminal
    Shape shape;                                 // empty: the array's. Pictures: width x height
    std::optional<machine::ImageFormat> convert; // picture of an image: what its pixels are now
};

inline constexpr uint64_t default_print_count = 64;

struct PrintRequest {
    std::string name;
    std::optional<uint64_t> count;
    std::optional<Element> element;
};

// What an output needs to know of its array.
struct ArrayFacts {
    Element element = Element::u8;
    Shape shape;
    std::optional<ImageFacts> image = std::nullopt; // of an image: what its elements are
};
[[nodiscard]] ArrayFacts array_facts(const ImageFacts& image);

// Error: a sentence.
[[nodiscard]] std::expected<OutputRequest, std::string> parse_output(std::string_view text);
[[nodiscard]] std::expected<PrintRequest, std::string> parse_print(std::string_view text);

// The request with type and shape filled in from the array. Error: why it does not fit.
[[nodiscard]] std::expected<OutputRequest, std::string> settle(const OutputRequest& request,
                                                               const ArrayFacts& array);
[[nodiscard]] std::expected<PrintRequest, std::string> settle(const PrintRequest& request,
                                                              const ArrayFacts& array);

// How pictures for `-` are drawn.
struct Terminal {
    uint32_t columns = 80;
    Ink ink = Ink::characters;
};

// Both take a settled request. The file is written, not yet committed.
[[nodiscard]] std::expected<void, std::string> write_output(const OutputRequest& request,
                                                            std::span<const std::byte> bytes,
                                                            const Terminal& terminal, OutputFile& file);
// "y = 1 2 3 ...", one line.
[[nodiscard]] std::string print_line(const PrintRequest& request, std::span<const std::byte> bytes);

} // namespace visor::cli
