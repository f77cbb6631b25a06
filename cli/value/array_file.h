// `@FILE` arguments: a NumPy file with its own type, or raw bytes that the argument or its parameter gives a
// type.
#pragma once

#include "cli/value/array.h"
#include "cli/value/value.h"

#include <expected>
#include <string>

namespace visor::cli {

struct FileArray {
    Array array;
    bool typed = true; // false: raw bytes without a type; array.element is u8
};

// Error: a sentence that names the file.
[[nodiscard]] std::expected<FileArray, std::string> read_array(const ArrayFile& file);

// The same bytes as another type: their number must be a multiple of its size. The last dimension changes, or
// the shape becomes flat where that does not go.
[[nodiscard]] std::expected<Shape, std::string> reshaped(Element from, const Shape& shape, Element to);

} // namespace visor::cli
