#include "launch/image_property.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace visor::launch {

namespace {

using machine::Image;
using machine::Sampler;

uint64_t image_property(std::string_view name, const Image& image) {
    struct Property {
        std::string_view name;
        uint64_t (*of)(const Image& image);
    };
    constexpr uint32_t flat_bias = 1; // media block messages use sizes minus one
    constexpr std::array properties{
        Property{"image_width", [](const Image& of) -> uint64_t { return of.size[0]; }},
        Property{"image_height", [](const Image& of) -> uint64_t { return of.size[1]; }},
        Property{"image_depth", [](const Image& of) -> uint64_t { return of.size[2]; }},
        Property{"image_array_size", [](const Image& of) -> uint64_t { return of.layers; }},
        Property{"image_num_samples", [](const Image&) -> uint64_t { return 0; }},
        Property{"image_num_mip_levels", [](const Image&) -> uint64_t { return 0; }},
        Property{"image_channel_data_type",
                 [](const Image& of) -> uint64_t { return static_cast<uint64_t>(of.format.type); }},
        Property{"image_channel_order",
                 [](const Image& of) -> uint64_t { return static_cast<uint64_t>(of.format.order); }},
        Property{"image_srgb_channel_order",
                 [](const Image& of) -> uint64_t {
                     return of.format.order >= machine::ChannelOrder::srgb &&
                                    of.format.order <= machine::ChannelOrder::sbgra
                                ? static_cast<uint64_t>(of.format.order)
                                : 0;
                 }},
        Property{"flat_image_baseoffset", [](const Image& of) -> uint64_t { return of.address; }},
        Property{"flat_image_width",
                 [](const Image& of) -> uint64_t {
                     return uint64_t{of.size[0]} * machine::bytes_of_pixel(of.format) - flat_bias;
                 }},
        Property{"flat_image_height",
                 [](const Image& of) -> uint64_t { return uint64_t{of.size[1]} - flat_bias; }},
        Property{"flat_image_pitch", [](const Image& of) -> uint64_t { return of.row_pitch - flat_bias; }},
    };
    const auto found = std::ranges::find(properties, name, &Property::name);
    return found == properties.end() ? 0 : found->of(image);
}

} // namespace

uint64_t property(const PayloadItem& item, const ArgumentValue& value) {
    if (const auto* image = std::get_if<Image>(&value))
        return image_property(item.property, *image);
    const auto* sampler = std::get_if<Sampler>(&value);
    if (sampler == nullptr)
        return 0;
    constexpr uint64_t normalized = 8; // CLK_NORMALIZED_COORDS_TRUE as the compiler has it
    switch (item.kind) {
    case PayloadKind::sampler_address:
        return static_cast<uint64_t>(sampler->address);
    case PayloadKind::sampler_normalized:
        return sampler->normalized ? normalized : 0;
    default: // the mask for coordinate rounding in code: nearest and clamped samplers only
        return sampler->filter == machine::FilterMode::nearest &&
                       sampler->address == machine::AddressMode::clamp
                   ? UINT64_MAX
                   : 0;
    }
}

std::optional<Sampler> sampler_of(const InlineSampler& sampler) {
    using machine::AddressMode;
    struct Mode {
        std::string_view word;
        AddressMode mode;
    };
    constexpr std::array modes{Mode{"none", AddressMode::none}, Mode{"clamp_border", AddressMode::clamp},
                               Mode{"clamp_edge", AddressMode::clamp_to_edge},
                               Mode{"repeat", AddressMode::repeat},
                               Mode{"mirror", AddressMode::mirrored_repeat}};
    const auto mode = std::ranges::find(modes, sampler.address_mode, &Mode::word);
    const bool linear = sampler.filter_mode == "linear";
    if (mode == modes.end() || (!linear && sampler.filter_mode != "nearest"))
        return std::nullopt;
    return Sampler{mode->mode, linear ? machine::FilterMode::linear : machine::FilterMode::nearest,
                   sampler.normalized};
}

} // namespace visor::launch
