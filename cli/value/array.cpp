#include "cli/value/array.h"

#include "number/checked_size.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::cli {

std::expected<Shape, std::string> parse_shape(std::string_view text) {
    Shape shape;
    std::string_view rest = text;
    while (true) {
        const size_t cross = rest.find('x');
        const std::string_view part = rest.substr(0, cross);
        const bool digits = !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
        const auto size = parse_unsigned(digits ? part : "");
        if (!size)
            return std::unexpected(fmt::format("`{}` is no shape such as 64 or 512x512", text));
        shape.push_back(*size);
        if (cross == std::string_view::npos)
            break;
        rest.remove_prefix(cross + 1);
    }
    if (const auto count = elements_of(shape); !count)
        return std::unexpected(count.error());
    return shape;
}

std::string shape_text(const Shape& shape) {
    return fmt::format("{}", fmt::join(shape, "x"));
}

std::expected<uint64_t, std::string> elements_of(const Shape& shape) {
    number::CheckedSize count = 1;
    for (const uint64_t size : shape)
        count = count * size;
    if (!count.fits())
        return std::unexpected(
            fmt::format("the shape {} has more elements than 64 bits count", shape_text(shape)));
    return count.or_most();
}

std::expected<uint64_t, std::string> bytes_of(Element element, const Shape& shape) {
    const auto count = elements_of(shape);
    if (!count)
        return std::unexpected(count.error());
    const number::CheckedSize bytes = number::CheckedSize(*count) * size_of(element);
    if (!bytes.fits())
        return std::unexpected(
            fmt::format("the shape {} has more bytes than 64 bits count", shape_text(shape)));
    return bytes.or_most();
}

} // namespace visor::cli
