// Arrays as files and generators give them and results take them: an element type, a shape (slowest dimension
// first, as NumPy has it), bytes in that order. Sizes are checked here once, against overflow.
#pragma once

#include "cli/value/element.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace visor::cli {

using Shape = std::vector<uint64_t>;

// "512x512" and "64". Error: a sentence part.
[[nodiscard]] std::expected<Shape, std::string> parse_shape(std::string_view text);
[[nodiscard]] std::string shape_text(const Shape& shape);
// Elements and bytes; error when 64 bits do not hold them.
[[nodiscard]] std::expected<uint64_t, std::string> elements_of(const Shape& shape);
[[nodiscard]] std::expected<uint64_t, std::string> bytes_of(Element element, const Shape& shape);

struct Array {
    Element element = Element::u8;
    Shape shape;
    std::vector<std::byte> bytes;
};

} // namespace visor::cli
