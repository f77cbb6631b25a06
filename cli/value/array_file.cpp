#include "cli/value/array_file.h"

#include "cli/value/npy.h"
#include "file/file.h"

#include <fmt/format.h>

namespace visor::cli {

std::expected<Shape, std::string> reshaped(Element from, const Shape& shape, Element to) {
    if (size_of(from) == size_of(to))
        return shape;
    const auto bytes = bytes_of(from, shape);
    if (!bytes)
        return std::unexpected(bytes.error());
    if (*bytes % size_of(to) != 0)
        return std::unexpected(fmt::format("{} bytes are no whole number of {}, of {} bytes each", *bytes,
                                           name_of(to), size_of(to)));
    const uint64_t row = shape.empty() ? size_of(from) : shape.back() * size_of(from);
    if (shape.empty() || row % size_of(to) != 0)
        return Shape{*bytes / size_of(to)};
    Shape out = shape;
    out.back() = row / size_of(to);
    return out;
}

std::expected<FileArray, std::string> read_array(const ArrayFile& file) {
    const auto content = read_file(file.path, most_array_bytes);
    if (!content)
        return std::unexpected(content.error());
    const auto bytes = std::as_bytes(std::span(*content));
    const auto wrong = [&](const std::string& why) {
        return std::unexpected(fmt::format("`{}`: {}", file.path, why));
    };
    FileArray result;
    if (is_npy(bytes) || file.path.ends_with(".npy")) {
        auto array = read_npy(bytes);
        if (!array)
            return wrong(array.error());
        result.array = std::move(*array);
    } else {
        result.typed = file.element.has_value();
        result.array = Array{Element::u8, {bytes.size()}, {bytes.begin(), bytes.end()}};
    }
    if (result.array.bytes.empty())
        return wrong("it holds no elements");
    if (file.element) {
        auto shape = reshaped(result.array.element, result.array.shape, *file.element);
        if (!shape)
            return wrong(shape.error());
        result.array.shape = std::move(*shape);
        result.array.element = *file.element;
    }
    return result;
}

} // namespace visor::cli
