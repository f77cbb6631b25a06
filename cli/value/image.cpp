#include "cli/value/image.h"

#include "cli/value/array_file.h"
#include "cli/value/picture.h"
#include "diagnostic/diagnostic.h"
#include "file/file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::cli {

namespace {

using machine::ChannelOrder;
using machine::ChannelType;
using machine::ImageFormat;
using machine::ImageShape;

constexpr uint32_t largest_side = 16384;    // of images in two and three dimensions
constexpr uint32_t largest_row = 1U << 27U; // of one-dimensional ones
constexpr uint32_t most_layers = 2048;      //
constexpr uint64_t most_bytes = uint64_t{4} << 30U;

std::string format_hint(std::string_view name) {
    std::vector<std::string> names;
    for (const ImageFormat format : machine::formats())
        names.push_back(machine::name_of(format));
    return did_you_mean(name, {names.begin(), names.end()});
}

// What a picture's pixel means is sRGB on either side, so that its numbers are not bent.
ImageFormat unbent(ImageFormat format) {
    if (format.order == ChannelOrder::srgba)
        format.order = ChannelOrder::rgba;
    if (format.order == ChannelOrder::sbgra)
        format.order = ChannelOrder::bgra;
    return format;
}

// A byte of a picture as an image's pixel has it.
uint32_t channel_from(uint8_t value, bool integer) {
    return integer ? uint32_t{value} : std::bit_cast<uint32_t>(static_cast<float>(value) / 255.0F);
}

uint8_t channel_to(uint32_t bits, ChannelType type) {
    if (type >= ChannelType::unsigned_int8 && machine::is_integer(type))
        return static_cast<uint8_t>(std::min<uint32_t>(bits, UINT8_MAX));
    if (machine::is_integer(type))
        return static_cast<uint8_t>(std::clamp<int32_t>(static_cast<int32_t>(bits), 0, UINT8_MAX));
    const float value = std::bit_cast<float>(bits);
    return value > 0 ? static_cast<uint8_t>(std::lrint(std::min(value, 1.0F) * 255.0F)) : uint8_t{0};
}

std::vector<std::byte> packed(const Rgba8& picture, ImageFormat format) {
    const ImageFormat plain = unbent(format);
    const bool integer = machine::is_integer(format.type);
    const size_t step = machine::bytes_of_pixel(format);
    const size_t count = picture.bytes.size() / 4;
    std::vector<std::byte> out(count * step);
    for (size_t i = 0; i < count; ++i) {
        machine::Pixel pixel{};
        for (size_t c = 0; c < pixel.size(); ++c)
            pixel[c] = channel_from(std::to_integer<uint8_t>(picture.bytes[i * 4 + c]), integer);
        machine::pack(plain, pixel, out.data() + i * step);
    }
    return out;
}

std::expected<ImageContent, std::string> from_png(const ImageValue& value, std::span<const std::byte> file) {
    const auto picture = read_png(file);
    if (!picture)
        return std::unexpected(fmt::format("`{}`: {}", value.path, picture.error()));
    ImageContent out;
    out.facts.format = value.format.value_or(ImageFormat{});
    out.facts.size = {2, {picture->width, picture->height, 1}, 0};
    if (value.size.dimensions != 0) {
        if (pixels_of({out.facts.format, value.size}) != pixels_of(out.facts))
            return std::unexpected(fmt::format("`{}`: a picture of {} does not make an image of {}",
                                               value.path, size_text(out.facts.size), size_text(value.size)));
        out.facts.size = value.size;
    }
    out.bytes = packed(*picture, out.facts.format);
    return out;
}

// Raw pixels, or a NumPy file's: whatever its type, the bytes are the pixels.
std::expected<ImageContent, std::string> from_raw(const ImageValue& value) {
    ArrayFile file;
    file.path = value.path;
    auto array = read_array(file);
    if (!array)
        return std::unexpected(array.error());
    ImageContent out{{*value.format, value.size}, std::move(array->array.bytes)};
    if (out.bytes.size() != bytes_of(out.facts))
        return std::unexpected(fmt::format("`{}`: an image of {} has {} bytes, the file has {}", value.path,
                                           facts_text(out.facts), bytes_of(out.facts), out.bytes.size()));
    return out;
}

struct AddressWord {
    std::string_view word;
    machine::AddressMode mode;
};
constexpr std::array address_words{AddressWord{"none", machine::AddressMode::none},
                                   AddressWord{"clamp", machine::AddressMode::clamp},
                                   AddressWord{"clamp_edge", machine::AddressMode::clamp_to_edge},
                                   AddressWord{"repeat", machine::AddressMode::repeat},
                                   AddressWord{"mirror", machine::AddressMode::mirrored_repeat}};
// In the order of machine::Comparison.
constexpr std::array<std::string_view, 8> comparison_words{
    "compare_never",   "compare_less",      "compare_equal",         "compare_less_equal",
    "compare_greater", "compare_not_equal", "compare_greater_equal", "compare_always"};

} // namespace

std::expected<ImageSize, std::string> parse_image_size(std::string_view text) {
    const auto wrong = [&](std::string_view why) {
        return std::unexpected(
            fmt::format("`{}` is no image size such as 64, 640x480, 16x16x16 or 16x16/4{}", text, why));
    };
    const size_t slash = text.find('/');
    const auto shape = parse_shape(text.substr(0, slash));
    if (!shape || shape->size() > 3)
        return wrong("");
    ImageSize out;
    out.dimensions = static_cast<uint32_t>(shape->size());
    const uint64_t most = shape->size() == 1 && slash == std::string_view::npos ? largest_row : largest_side;
    for (size_t d = 0; d < shape->size(); ++d) {
        if ((*shape)[d] == 0 || (*shape)[d] > most)
            return wrong(fmt::format(": a side has 1 to {} pixels", most));
        out.size[d] = static_cast<uint32_t>((*shape)[d]);
    }
    if (slash != std::string_view::npos) {
        const auto layers = parse_unsigned(text.substr(slash + 1));
        if (!layers || *layers == 0 || *layers > most_layers || out.dimensions == 3)
            return wrong(fmt::format(": one or two sizes may have 1 to {} layers", most_layers));
        out.layers = static_cast<uint32_t>(*layers);
    }
    return out;
}

std::string size_text(const ImageSize& size) {
    const std::span<const uint32_t> sides(size.size.data(), size.dimensions);
    return fmt::format("{}{}", fmt::join(sides, "x"),
                       size.layers == 0 ? "" : fmt::format("/{}", size.layers));
}

std::string facts_text(const ImageFacts& facts) {
    return fmt::format("{} {}", machine::name_of(facts.format), size_text(facts.size));
}

uint64_t pixels_of(const ImageFacts& facts) {
    uint64_t count = std::max(facts.size.layers, 1U); // sides are bounded: at most 2^56
    for (const uint32_t side : facts.size.size)
        count *= side;
    return count;
}

uint64_t bytes_of(const ImageFacts& facts) {
    return pixels_of(facts) * machine::bytes_of_pixel(facts.format);
}

Element element_of(ImageFormat format) {
    switch (format.type) {
    case ChannelType::snorm_int8:
    case ChannelType::signed_int8:
        return Element::i8;
    case ChannelType::snorm_int16:
    case ChannelType::signed_int16:
        return Element::i16;
    case ChannelType::signed_int32:
        return Element::i32;
    case ChannelType::half_float:
        return Element::f16;
    case ChannelType::float32:
        return Element::f32;
    default:
        break;
    }
    switch (machine::layout_of(format).bytes) {
    case 1:
        return Element::u8;
    case 2:
        return Element::u16;
    default:
        return Element::u32;
    }
}

Shape shape_of(const ImageFacts& facts) {
    Shape shape;
    if (facts.size.layers != 0)
        shape.push_back(facts.size.layers);
    for (size_t d = facts.size.dimensions; d-- > 0;)
        shape.push_back(facts.size.size[d]);
    if (const uint32_t numbers = machine::layout_of(facts.format).numbers; numbers > 1)
        shape.push_back(numbers);
    return shape;
}

std::expected<machine::Image, std::string> image_of(const ImageFacts& facts,
                                                    std::optional<ImageShape> wanted) {
    const ImageSize& given = facts.size;
    std::array<uint32_t, 3> size = given.size;
    uint32_t layers = std::max(given.layers, 1U);
    if (!wanted) {
        constexpr std::array plain{ImageShape::d1, ImageShape::d2, ImageShape::d3};
        constexpr std::array layered{ImageShape::d1_array, ImageShape::d2_array, ImageShape::d3};
        const size_t at = std::clamp(given.dimensions, 1U, 3U) - 1;
        return machine::packed_image(given.layers == 0 ? plain[at] : layered[at], facts.format, size, layers);
    }
    const unsigned dimensions = machine::dimensions_of(*wanted);
    const bool array = machine::is_array(*wanted);
    uint32_t named = given.dimensions;
    if (array && given.layers == 0 && named == dimensions + 1) { // the last size counts the layers
        layers = size[dimensions];
        size[dimensions] = 1;
        named = dimensions;
    }
    // Sizes of 1 behind may be left out or be written.
    const bool is_flat =
        std::all_of(size.begin() + dimensions, size.end(), [](uint32_t s) { return s == 1; });
    if (!is_flat || (given.layers != 0 && !array) || named < dimensions - (dimensions == 3 ? 1U : 0U))
        return std::unexpected(fmt::format("has {} dimension{}{}, given a size of {}", dimensions,
                                           dimensions == 1 ? "" : "s", array ? " and layers" : "",
                                           size_text(given)));
    return machine::packed_image(*wanted, facts.format, size, layers);
}

std::expected<ImageFormat, std::string> parse_format(std::string_view name) {
    if (const auto format = machine::format_named(name))
        return *format;
    return std::unexpected(
        fmt::format("`{}` is no image format{}; there are rgba8, bgra8, r32f, rg16u, rgb565 "
                    "and the like: channels r rg ra rgba bgra argb srgba a l i d, bits 8 16 "
                    "32, and s (snorm), i, u (integers) or f behind them",
                    name, format_hint(name)));
}

std::expected<ImageValue, std::string> parse_image(std::string_view text) {
    const auto wrong = [&](std::string_view why) {
        return std::unexpected(fmt::format("`{}`: {}", text, why));
    };
    ImageValue value;
    if (text.starts_with('@')) { // @x.png[:FORMAT]
        constexpr std::string_view ending = ".png";
        const size_t colon = text.rfind(':');
        const bool has_format = !text.ends_with(ending) && colon != std::string_view::npos;
        value.path = text.substr(1, has_format ? colon - 1 : std::string_view::npos);
        if (!has_format)
            return value;
        const auto format = parse_format(text.substr(colon + 1));
        if (!format)
            return wrong(format.error());
        value.format = *format;
        return value;
    }
    std::string_view rest = text.substr(std::min(text.find(':') + 1, text.size())); // behind `image:`
    const size_t colon = rest.find(':');
    if (colon == std::string_view::npos)
        return wrong("expected image:FORMAT:WxH[xD][/LAYERS][:@FILE]");
    const auto format = parse_format(rest.substr(0, colon));
    if (!format)
        return wrong(format.error());
    rest.remove_prefix(colon + 1);
    const size_t end = rest.find(':');
    const auto size = parse_image_size(rest.substr(0, end));
    if (!size)
        return wrong(size.error());
    value.format = *format;
    value.size = *size;
    if (bytes_of(ImageFacts{*format, *size}) > most_bytes)
        return wrong(fmt::format("an image has at most {} GiB", most_bytes >> 30U));
    if (end == std::string_view::npos)
        return value;
    rest.remove_prefix(end + 1);
    if (rest.size() < 2 || rest.front() != '@')
        return wrong("behind the size there may be @FILE");
    value.path = rest.substr(1);
    return value;
}

std::expected<ImageContent, std::string> image_content(const ImageValue& value) {
    if (value.path.empty())
        return ImageContent{{value.format.value_or(ImageFormat{}), value.size}, value.bytes};
    if (!value.path.ends_with(".png"))
        return from_raw(value);
    const auto file = read_file(value.path);
    if (!file)
        return std::unexpected(file.error());
    return from_png(value, std::as_bytes(std::span(*file)));
}

std::vector<std::byte> rgba8_of(ImageFormat format, std::span<const std::byte> pixels) {
    const ImageFormat plain = unbent(format);
    const size_t step = machine::bytes_of_pixel(format);
    std::vector<std::byte> out(pixels.size() / step * 4);
    for (size_t i = 0; i * 4 < out.size(); ++i) {
        const machine::Pixel pixel = machine::unpack(plain, pixels.data() + i * step);
        for (size_t c = 0; c < pixel.size(); ++c)
            out[i * 4 + c] = std::byte{channel_to(pixel[c], format.type)};
        // The missing alpha of an integer image is 1, and means that there is none.
        const bool has_alpha = machine::border(format)[3] == 0;
        if (!has_alpha)
            out[i * 4 + 3] = std::byte{UINT8_MAX};
    }
    return out;
}

std::expected<machine::Sampler, std::string> parse_sampler(std::string_view text) {
    machine::Sampler sampler;
    std::string_view rest = text;
    bool filter = false;
    bool address = false;
    while (true) {
        const std::string_view word = rest.substr(0, rest.find(','));
        const auto mode = std::ranges::find(address_words, word, &AddressWord::word);
        const auto comparison = std::ranges::find(comparison_words, word);
        if (word == "nearest" || word == "linear") {
            sampler.filter = word == "linear" ? machine::FilterMode::linear : machine::FilterMode::nearest;
            filter = true;
        } else if (word == "normalized") {
            sampler.normalized = true;
        } else if (mode != address_words.end()) {
            sampler.address = mode->mode;
            address = true;
        } else if (comparison != comparison_words.end()) {
            sampler.comparison = static_cast<machine::Comparison>(comparison - comparison_words.begin());
        } else {
            const std::vector<std::string_view> words{"nearest",    "linear", "none",   "clamp",
                                                      "clamp_edge", "repeat", "mirror", "normalized"};
            return std::unexpected(fmt::format("`{}`: `{}` is no property of a sampler{}; there are {}", text,
                                               word, did_you_mean(word, words), fmt::join(words, " ")));
        }
        if (word.size() == rest.size())
            break;
        rest.remove_prefix(word.size() + 1);
    }
    if (!filter || !address)
        return std::unexpected(
            fmt::format("`{}`: a sampler needs a filter (nearest, linear) and an address mode "
                        "(none, clamp, clamp_edge, repeat, mirror)",
                        text));
    const bool folds = sampler.address == machine::AddressMode::repeat ||
                       sampler.address == machine::AddressMode::mirrored_repeat;
    if (folds && !sampler.normalized)
        return std::unexpected(fmt::format(
            "`{}`: OpenCL repeats and mirrors only normalized coordinates: add `,normalized`", text));
    return sampler;
}

} // namespace visor::cli
