#include "capture/layout.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

namespace visor::capture {

namespace {

using machine::AddressMode;
using machine::FilterMode;
using machine::ImageShape;

// File names have 255 bytes at most, and other parts.
constexpr size_t longest_name = 100;

// A hash that stays the same: FNV-1a.
uint64_t hash_of(std::string_view text) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char letter : text)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    return hash;
}

std::string short_name(std::string_view kernel) {
    std::string name(kernel.substr(0, longest_name));
    std::ranges::replace(name, '/', '_');
    return kernel.size() <= longest_name ? name : fmt::format("{}_{:016x}", name, hash_of(kernel));
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

// The numbers of a line; nothing: it has something else, too.
std::optional<std::vector<uint64_t>> numbers_of(std::string_view line) {
    std::vector<uint64_t> numbers;
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (line.empty())
            return numbers;
        uint64_t number = 0;
        const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), number);
        if (problem != std::errc{})
            return std::nullopt;
        numbers.push_back(number);
        line.remove_prefix(static_cast<size_t>(end - line.data()));
    }
}

// OpenCL's numbers of memory object types (CL_MEM_OBJECT_IMAGE2D ...).
struct ObjectType {
    uint64_t number;
    ImageShape shape;
};
constexpr std::array object_types{
    ObjectType{0x10f1, ImageShape::d2},       ObjectType{0x10f2, ImageShape::d3},
    ObjectType{0x10f3, ImageShape::d2_array}, ObjectType{0x10f4, ImageShape::d1},
    ObjectType{0x10f5, ImageShape::d1_array}, ObjectType{0x10f6, ImageShape::d1_buffer}};

// What OpenCL calls the region of the whole image: an array's layers are its last size.
std::array<uint64_t, 3> region_of(const machine::Image& image) {
    std::array<uint64_t, 3> region{image.size[0], image.size[1], image.size[2]};
    if (image.shape == ImageShape::d1_array)
        region[1] = image.layers;
    if (image.shape == ImageShape::d2_array)
        region[2] = image.layers;
    return region;
}

struct Word {
    AddressMode mode;
    std::string_view text;
};
// The first that occurs is taken: a name stands before its substrings.
constexpr std::array address_modes{Word{AddressMode::clamp_to_edge, "CL_ADDRESS_CLAMP_TO_EDGE"},
                                   Word{AddressMode::clamp, "CL_ADDRESS_CLAMP"},
                                   Word{AddressMode::mirrored_repeat, "CL_ADDRESS_MIRRORED_REPEAT"},
                                   Word{AddressMode::repeat, "CL_ADDRESS_REPEAT"},
                                   Word{AddressMode::none, "CL_ADDRESS_NONE"}};

struct Scalar {
    std::string_view type;
    std::string_view element;
    uint64_t bytes;
};
constexpr std::array scalars{Scalar{"char", "i8", 1},    Scalar{"uchar", "u8", 1},  Scalar{"short", "i16", 2},
                             Scalar{"ushort", "u16", 2}, Scalar{"half", "f16", 2},  Scalar{"int", "i32", 4},
                             Scalar{"uint", "u32", 4},   Scalar{"float", "f32", 4}, Scalar{"long", "i64", 8},
                             Scalar{"ulong", "u64", 8},  Scalar{"double", "f64", 8}};

} // namespace

std::string_view element_behind(std::string_view type_name, uint64_t bytes) {
    type_name = type_name.substr(0, type_name.find('*'));
    type_name = type_name.substr(0, type_name.find_last_not_of("0123456789 ") + 1); // a vector's size
    const auto* const found = std::ranges::find(scalars, type_name, &Scalar::type);
    return found == scalars.end() || bytes % found->bytes != 0 ? "u8" : found->element;
}

std::string folder_name(uint64_t number, std::string_view kernel) {
    return fmt::format("Enqueue_{}_{}", number, short_name(kernel));
}

std::string buffer_file(uint64_t number, std::string_view kernel, size_t argument, uint64_t object) {
    return fmt::format("Enqueue_{:04}_Kernel_{}_Arg_{}_Buffer_{:04}.bin", number, short_name(kernel),
                       argument, object);
}

std::string image_file(uint64_t number, std::string_view kernel, size_t argument, uint64_t object,
                       const machine::Image& image) {
    const auto region = region_of(image);
    return fmt::format("Enqueue_{:04}_Kernel_{}_Arg_{}_Image_{:04}_{}x{}x{}_{}bpp.raw", number,
                       short_name(kernel), argument, object, region[0], region[1], region[2],
                       8 * machine::bytes_of_pixel(image.format));
}

std::string text_of(const Sizes& sizes) {
    std::string text;
    for (const auto* line : {&sizes.global, &sizes.local, &sizes.offset}) {
        for (size_t d = 0; d < sizes.dimensions; ++d)
            text += fmt::format("{} ", (*line)[d]);
        text += '\n';
    }
    return text;
}

std::expected<Sizes, std::string> parse_sizes(std::string_view text) {
    const auto lines = lines_of(text);
    Sizes sizes;
    const std::array places{&sizes.global, &sizes.local, &sizes.offset};
    for (size_t k = 0; k < places.size(); ++k) {
        const auto numbers = k < lines.size() ? numbers_of(lines[k]) : std::nullopt;
        if (!numbers || numbers->empty() || numbers->size() > 3 ||
            (k != 0 && numbers->size() != sizes.dimensions))
            return std::unexpected(
                fmt::format("{} has three lines of one to three numbers: global sizes, local sizes, offsets",
                            sizes_file));
        sizes.dimensions = static_cast<uint32_t>(numbers->size());
        std::ranges::copy(*numbers, places[k]->begin());
    }
    return sizes;
}

std::string text_of(const machine::Sampler& sampler) {
    const auto* const mode = std::ranges::find(address_modes, sampler.address, &Word::mode);
    return fmt::format("CL_SAMPLER_NORMALIZED_COORDS = {}, CL_SAMPLER_ADDRESSING_MODE = {}, "
                       "CL_SAMPLER_FILTER_MODE = CL_FILTER_{}",
                       sampler.normalized ? "CL_TRUE" : "CL_FALSE", mode->text,
                       sampler.filter == FilterMode::linear ? "LINEAR" : "NEAREST");
}

machine::Sampler parse_sampler(std::string_view text) {
    machine::Sampler sampler;
    // What a property that is not given is, as OpenCL has it.
    sampler.normalized = !text.contains("CL_FALSE");
    sampler.filter = text.contains("CL_FILTER_LINEAR") ? FilterMode::linear : FilterMode::nearest;
    sampler.address = AddressMode::clamp;
    const auto* const mode =
        std::ranges::find_if(address_modes, [&](const Word& word) { return text.contains(word.text); });
    if (mode != address_modes.end())
        sampler.address = mode->mode;
    return sampler;
}

std::string metadata_of(const machine::Image& image) {
    const auto region = region_of(image);
    const auto* const type = std::ranges::find(object_types, image.shape, &ObjectType::shape);
    const uint64_t pixel = machine::bytes_of_pixel(image.format);
    const bool has_slices = image.shape == ImageShape::d3 || image.shape == ImageShape::d1_array ||
                            image.shape == ImageShape::d2_array;
    const uint64_t rows = image.shape == ImageShape::d1_array ? 1 : region[1];
    return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", region[0], region[1], region[2], pixel,
                       region[0] * pixel, has_slices ? region[0] * rows * pixel : 0,
                       static_cast<unsigned>(image.format.type), static_cast<unsigned>(image.format.order),
                       type->number);
}

std::expected<machine::Image, std::string> parse_metadata(std::string_view text) {
    constexpr size_t count = 9;
    std::array<uint64_t, count> numbers{};
    const auto lines = lines_of(text);
    for (size_t k = 0; k < count; ++k) {
        const auto line = k < lines.size() ? numbers_of(lines[k]) : std::nullopt;
        if (!line || line->size() != 1 || line->front() > UINT32_MAX)
            return std::unexpected(fmt::format("an image's metadata are {} lines of a number each", count));
        numbers[k] = line->front();
    }
    const auto* const type = std::ranges::find(object_types, numbers[8], &ObjectType::number);
    if (type == object_types.end())
        return std::unexpected(fmt::format("{} is no type of an image", numbers[8]));
    const machine::ImageFormat format{static_cast<machine::ChannelOrder>(numbers[7]),
                                      static_cast<machine::ChannelType>(numbers[6])};
    if (numbers[7] > UINT16_MAX || numbers[6] > UINT16_MAX || machine::name_of(format).empty())
        return std::unexpected(fmt::format("channel order {} with channel type {} is no format of an image",
                                           numbers[7], numbers[6]));
    std::array<uint32_t, 3> size{};
    std::ranges::transform(numbers.begin(), numbers.begin() + 3, size.begin(),
                           [](uint64_t number) { return std::max(static_cast<uint32_t>(number), 1U); });
    uint32_t layers = 1;
    if (type->shape == ImageShape::d1_array)
        layers = std::exchange(size[1], 1);
    if (type->shape == ImageShape::d2_array)
        layers = std::exchange(size[2], 1);
    return machine::packed_image(type->shape, format, size, layers);
}

} // namespace visor::capture
