#include "cli/value/output.h"

#include "cli/value/array_file.h"
#include "cli/value/npy.h"
#include "diagnostic/diagnostic.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>

namespace visor::cli {

namespace {

bool is_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}
bool looks_like_shape(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789x") == std::string_view::npos;
}

std::optional<FileForm> form_of(std::string_view path, bool picture) {
    if (path == "-")
        return picture ? FileForm::terminal : FileForm::bin;
    if (path.ends_with(".npy"))
        return FileForm::npy;
    if (path.ends_with(".bin"))
        return FileForm::bin;
    if (path.ends_with(".png"))
        return FileForm::png;
    return std::nullopt;
}

// Takes `:last` off the end of `text` when `accept` likes it.
template <class Accept>
void take_suffix(std::string_view& text, Accept accept) {
    const size_t colon = text.rfind(':');
    if (colon != std::string_view::npos && colon > 0 && accept(text.substr(colon + 1)))
        text.remove_suffix(text.size() - colon);
}

std::string unknown_file(std::string_view text, std::string_view path) {
    const size_t colon = path.rfind(':');
    if (colon != std::string_view::npos && form_of(path.substr(0, colon), false)) {
        std::vector<std::string_view> types = element_names();
        const auto pictures = pixels_names();
        types.insert(types.end(), pictures.begin(), pictures.end());
        const std::string_view word = path.substr(colon + 1);
        return fmt::format("`{}`: `{}` is no TYPE{}; there are {}", text, word, did_you_mean(word, types),
                           fmt::join(types, " "));
    }
    return fmt::format("`{}`: the file's name must end with .npy, .bin or .png, or be `-`", text);
}

using Sizes = std::expected<OutputRequest, std::string>;

Sizes settle_picture(OutputRequest request, const ArrayFacts& array, uint64_t bytes) {
    const Shape& shape = array.shape;
    if (request.element)
        return std::unexpected(fmt::format("a picture's TYPE is one of {}", fmt::join(pixels_names(), " ")));
    if (!request.pixels) { // ROWSxCOLUMNS[xCHANNELS] of bytes says it all
        if (size_of(array.element) != 1 || shape.size() < 2 || shape.size() > 3)
            return std::unexpected("a picture needs its pixel format and size, as in `:rgba8:640x480`");
        const uint64_t last = shape.size() == 3 ? shape[2] : 1;
        for (size_t i = 0; i < pixels_count; ++i)
            if (channels(static_cast<Pixels>(i)) == last)
                request.pixels = static_cast<Pixels>(i);
        if (!request.pixels)
            return std::unexpected(fmt::format("a picture has 1, 3 or 4 channels, not {}", last));
    }
    if (request.shape.empty() && shape.size() >= 2)
        request.shape = {shape[1], shape[0]};
    if (request.shape.size() != 2)
        return std::unexpected("a picture needs its size, as in `:rgba8:640x480` (width x height)");
    const uint64_t width = request.shape[0];
    const uint64_t height = request.shape[1];
    constexpr uint64_t largest = 65536;
    if (width == 0 || height == 0 || width > largest || height > largest)
        return std::unexpected(
            fmt::format("a picture has 1 to {} pixels a side, not {}x{}", largest, width, height));
    const uint64_t needed = width * height * channels(*request.pixels);
    if (needed != bytes)
        return std::unexpected(fmt::format("a {}x{} picture of {} has {} bytes, the array has {}", width,
                                           height, pixels_names()[static_cast<size_t>(*request.pixels)],
                                           needed, bytes));
    return request;
}

// Layers and slices stand below each other.
Sizes settle_image(OutputRequest request, const ImageFacts& image) {
    if (request.element)
        return std::unexpected(fmt::format("a picture's TYPE is one of {}", fmt::join(pixels_names(), " ")));
    const uint64_t width = image.size.size[0];
    const uint64_t height = pixels_of(image) / width;
    if (!request.shape.empty() && request.shape != Shape{width, height})
        return std::unexpected(fmt::format("the image makes a picture of {}x{}, not {}", width, height,
                                           shape_text(request.shape)));
    constexpr uint64_t largest = 65536;
    if (width > largest || height > largest)
        return std::unexpected(
            fmt::format("a picture has 1 to {} pixels a side, not {}x{}", largest, width, height));
    request.shape = {width, height};
    request.convert = image.format;
    if (!request.pixels) {
        using machine::ChannelOrder;
        const ChannelOrder order = image.format.order;
        const bool gray =
            order == ChannelOrder::r || order == ChannelOrder::luminance || order == ChannelOrder::depth;
        const bool has_alpha = machine::border(image.format)[3] == 0 && order != ChannelOrder::rgbx;
        request.pixels = gray ? Pixels::gray8 : has_alpha ? Pixels::rgba8 : Pixels::rgb8;
    }
    return request;
}

Sizes settle_array(OutputRequest request, const ArrayFacts& array, uint64_t bytes) {
    if (request.pixels)
        return std::unexpected("a pixel format goes with a .png file");
    if (!request.element)
        request.element = array.element;
    if (request.shape.empty()) {
        auto shape = reshaped(array.element, array.shape, *request.element);
        if (!shape)
            return std::unexpected(shape.error());
        request.shape = std::move(*shape);
    }
    const auto needed = bytes_of(*request.element, request.shape);
    if (!needed)
        return std::unexpected(needed.error());
    if (*needed != bytes)
        return std::unexpected(fmt::format("{} of {} has {} bytes, the array has {}",
                                           shape_text(request.shape), name_of(*request.element), *needed,
                                           bytes));
    return request;
}

} // namespace

ArrayFacts array_facts(const ImageFacts& image) {
    return {element_of(image.format), shape_of(image), image};
}

std::expected<OutputRequest, std::string> parse_output(std::string_view text) {
    OutputRequest request;
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return std::unexpected(fmt::format("`{}`: expected NAME=FILE[:TYPE][:SHAPE]", text));
    request.name = text.substr(0, equals);
    std::string_view path = text.substr(equals + 1);
    std::string wrong;
    take_suffix(path, [&](std::string_view word) {
        if (!looks_like_shape(word))
            return false;
        auto shape = parse_shape(word);
        if (shape)
            request.shape = std::move(*shape);
        else
            wrong = shape.error();
        return true;
    });
    if (!wrong.empty())
        return std::unexpected(fmt::format("`{}`: {}", text, wrong));
    take_suffix(path, [&](std::string_view word) {
        request.element = element_named(word);
        request.pixels = pixels_named(word);
        return request.element || request.pixels;
    });
    const auto form = form_of(path, request.pixels.has_value());
    if (!form)
        return std::unexpected(unknown_file(text, path));
    request.form = *form;
    request.path = path;
    return request;
}

std::expected<PrintRequest, std::string> parse_print(std::string_view text) {
    PrintRequest request;
    std::string_view rest = text;
    const std::string expected = fmt::format("`{}`: expected NAME[:N][:TYPE]", text);
    request.name = rest.substr(0, rest.find(':'));
    if (request.name.empty())
        return std::unexpected(expected);
    rest.remove_prefix(request.name.size());
    while (!rest.empty()) {
        rest.remove_prefix(1);
        const std::string_view word = rest.substr(0, rest.find(':'));
        if (is_digits(word) && !request.count && !request.element) {
            const auto count = parse_unsigned(word);
            if (!count)
                return std::unexpected(fmt::format("`{}`: {}", text, count.error()));
            request.count = *count;
        } else if (!request.element) {
            request.element = element_named(word);
            if (!request.element)
                return std::unexpected(fmt::format("`{}`: {}", text, unknown_element(word)));
        } else {
            return std::unexpected(expected);
        }
        rest.remove_prefix(word.size());
    }
    return request;
}

std::expected<OutputRequest, std::string> settle(const OutputRequest& request, const ArrayFacts& array) {
    const auto bytes = bytes_of(array.element, array.shape);
    if (!bytes)
        return std::unexpected(bytes.error());
    const bool picture = request.form == FileForm::png || request.form == FileForm::terminal;
    auto settled = !picture      ? settle_array(request, array, *bytes)
                   : array.image ? settle_image(request, *array.image)
                                 : settle_picture(request, array, *bytes);
    if (!settled)
        return std::unexpected(fmt::format("--out {}={}: {}", request.name, request.path, settled.error()));
    return settled;
}

std::expected<PrintRequest, std::string> settle(const PrintRequest& request, const ArrayFacts& array) {
    PrintRequest settled = request;
    if (!settled.element)
        settled.element = array.element;
    const auto shape = reshaped(array.element, array.shape, *settled.element);
    if (!shape)
        return std::unexpected(fmt::format("--print {}: {}", request.name, shape.error()));
    return settled;
}

std::expected<void, std::string> write_output(const OutputRequest& request, std::span<const std::byte> bytes,
                                              const Terminal& terminal, OutputFile& file) {
    if (request.form == FileForm::npy)
        if (auto put = file.write(npy_header(*request.element, request.shape)); !put)
            return put;
    if (request.form == FileForm::npy || request.form == FileForm::bin)
        return file.write(bytes);
    std::vector<std::byte> converted;
    if (request.convert)
        converted = only_channels(rgba8_of(*request.convert, bytes), *request.pixels);
    const Picture picture{*request.pixels, static_cast<uint32_t>(request.shape[0]),
                          static_cast<uint32_t>(request.shape[1]),
                          request.convert ? std::span<const std::byte>(converted) : bytes};
    if (request.form == FileForm::terminal)
        return file.write(terminal_view(picture, terminal.columns, terminal.ink));
    const auto png = png_file(picture);
    if (!png)
        return std::unexpected(fmt::format("cannot write `{}`: {}", request.path, png.error()));
    return file.write(*png);
}

std::string print_line(const PrintRequest& request, std::span<const std::byte> bytes) {
    const size_t size = size_of(*request.element);
    const uint64_t all = bytes.size() / size;
    const uint64_t shown = std::min(all, request.count.value_or(default_print_count));
    fmt::memory_buffer line;
    fmt::format_to(std::back_inserter(line), "{} =", request.name);
    for (uint64_t i = 0; i < shown; ++i)
        fmt::format_to(std::back_inserter(line), " {}",
                       number_text(bytes.data() + i * size, *request.element));
    if (shown < all && !request.count) // who gave N knows that there is more
        fmt::format_to(std::back_inserter(line), " ...");
    line.push_back('\n');
    return fmt::to_string(line);
}

} // namespace visor::cli
