// NumPy's array file, .npy: versions 1 to 3 read, version 1 written. Refuses, by name, what has no place in a
// kernel's memory: Fortran order, big-endian numbers, object and text types.
#pragma once

#include "cli/value/array.h"

#include <expected>
#include <span>
#include <string>

namespace visor::cli {

[[nodiscard]] bool is_npy(std::span<const std::byte> file);
// Error: what is wrong with the file, as a sentence part ("its header is cut off").
[[nodiscard]] std::expected<Array, std::string> read_npy(std::span<const std::byte> file);
// What precedes the data. bf16, which NumPy does not have, is written as its 16 bits, u16.
[[nodiscard]] std::string npy_header(Element element, const Shape& shape);

} // namespace visor::cli
