// Names of pixel formats: channels, bits, and their type ("" unorm, "s" snorm, "i" "u" integers, "f" floats).
// bytes_of_pixel decides which pairs exist.
#include "machine/image.h"

#include <algorithm>
#include <array>

namespace visor::machine {

namespace {

struct OrderName {
    std::string_view name;
    ChannelOrder order;
};
// Longer names first: "rgba" before "rgb" before "rg" before "r".
constexpr std::array order_names{
    OrderName{"srgba", ChannelOrder::srgba}, OrderName{"sbgra", ChannelOrder::sbgra},
    OrderName{"rgba", ChannelOrder::rgba},   OrderName{"bgra", ChannelOrder::bgra},
    OrderName{"argb", ChannelOrder::argb},   OrderName{"abgr", ChannelOrder::abgr},
    OrderName{"rgbx", ChannelOrder::rgbx},   OrderName{"rgb", ChannelOrder::rgb},
    OrderName{"rg", ChannelOrder::rg},       OrderName{"ra", ChannelOrder::ra},
    OrderName{"r", ChannelOrder::r},         OrderName{"a", ChannelOrder::a},
    OrderName{"i", ChannelOrder::intensity}, OrderName{"l", ChannelOrder::luminance},
    OrderName{"d", ChannelOrder::depth},
};
struct TypeName {
    std::string_view name;
    ChannelType type;
};
constexpr std::array type_names{
    TypeName{"8", ChannelType::unorm_int8},
    TypeName{"16", ChannelType::unorm_int16},
    TypeName{"8s", ChannelType::snorm_int8},
    TypeName{"16s", ChannelType::snorm_int16},
    TypeName{"8i", ChannelType::signed_int8},
    TypeName{"16i", ChannelType::signed_int16},
    TypeName{"32i", ChannelType::signed_int32},
    TypeName{"8u", ChannelType::unsigned_int8},
    TypeName{"16u", ChannelType::unsigned_int16},
    TypeName{"32u", ChannelType::unsigned_int32},
    TypeName{"16f", ChannelType::half_float},
    TypeName{"32f", ChannelType::float32},
    TypeName{"565", ChannelType::unorm_short_565},
    TypeName{"555", ChannelType::unorm_short_555},
    TypeName{"101010", ChannelType::unorm_int_101010},
    TypeName{"1010102", ChannelType::unorm_int_101010_2},
};

// By the unique name of the format.
struct SurfaceFormat {
    std::string_view name;
    uint16_t code;
};
constexpr std::array surface_formats{
    SurfaceFormat{"rgba32f", 0x000}, SurfaceFormat{"rgba32i", 0x001}, SurfaceFormat{"rgba32u", 0x002},
    SurfaceFormat{"rgba16", 0x080},  SurfaceFormat{"rgba16s", 0x081}, SurfaceFormat{"rgba16i", 0x082},
    SurfaceFormat{"rgba16u", 0x083}, SurfaceFormat{"rgba16f", 0x084}, SurfaceFormat{"rg32f", 0x085},
    SurfaceFormat{"rg32i", 0x086},   SurfaceFormat{"rg32u", 0x087},   SurfaceFormat{"bgra8", 0x0c0},
    SurfaceFormat{"sbgra8", 0x0c1},  SurfaceFormat{"rgba8", 0x0c7},   SurfaceFormat{"srgba8", 0x0c8},
    SurfaceFormat{"rgba8s", 0x0c9},  SurfaceFormat{"rgba8i", 0x0ca},  SurfaceFormat{"rgba8u", 0x0cb},
    SurfaceFormat{"rg16", 0x0cc},    SurfaceFormat{"rg16s", 0x0cd},   SurfaceFormat{"rg16i", 0x0ce},
    SurfaceFormat{"rg16u", 0x0cf},   SurfaceFormat{"rg16f", 0x0d0},   SurfaceFormat{"r32i", 0x0d6},
    SurfaceFormat{"r32u", 0x0d7},    SurfaceFormat{"r32f", 0x0d8},    SurfaceFormat{"d32f", 0x0d8},
    SurfaceFormat{"rgb565", 0x100},  SurfaceFormat{"rg8", 0x106},     SurfaceFormat{"rg8s", 0x107},
    SurfaceFormat{"rg8i", 0x108},    SurfaceFormat{"rg8u", 0x109},    SurfaceFormat{"r16", 0x10a},
    SurfaceFormat{"d16", 0x10a},     SurfaceFormat{"r16s", 0x10b},    SurfaceFormat{"r16i", 0x10c},
    SurfaceFormat{"r16u", 0x10d},    SurfaceFormat{"r16f", 0x10e},    SurfaceFormat{"i16", 0x111},
    SurfaceFormat{"l16", 0x112},     SurfaceFormat{"a16", 0x113},     SurfaceFormat{"r8", 0x140},
    SurfaceFormat{"r8s", 0x141},     SurfaceFormat{"r8i", 0x142},     SurfaceFormat{"r8u", 0x143},
    SurfaceFormat{"a8", 0x144},      SurfaceFormat{"i8", 0x145},      SurfaceFormat{"l8", 0x146},
};

} // namespace

uint32_t surface_type(ImageShape shape) {
    switch (shape) {
    case ImageShape::d1:
    case ImageShape::d1_array:
        return 0;
    case ImageShape::d2:
    case ImageShape::d2_array:
        return 1;
    case ImageShape::d3:
        return 2;
    case ImageShape::d1_buffer:
        break;
    }
    return 4;
}

uint32_t surface_format(ImageFormat format) {
    constexpr uint32_t raw = 0x1ff;
    const auto found = std::ranges::find(surface_formats, name_of(format), &SurfaceFormat::name);
    return found == surface_formats.end() ? raw : found->code;
}

std::optional<ImageFormat> format_named(std::string_view name) {
    for (const OrderName& order : order_names) {
        if (!name.starts_with(order.name))
            continue;
        for (const TypeName& type : type_names) {
            const ImageFormat format{order.order, type.type};
            if (name.substr(order.name.size()) == type.name && bytes_of_pixel(format) != 0)
                return format;
        }
    }
    return std::nullopt;
}

std::string name_of(ImageFormat format) {
    const auto order = std::ranges::find(order_names, format.order, &OrderName::order);
    const auto type = std::ranges::find(type_names, format.type, &TypeName::type);
    if (order == order_names.end() || type == type_names.end() || bytes_of_pixel(format) == 0)
        return "";
    return std::string(order->name) + std::string(type->name);
}

std::vector<ImageFormat> formats() {
    std::vector<ImageFormat> all;
    for (const OrderName& order : order_names) {
        for (const TypeName& type : type_names) {
            if (bytes_of_pixel({order.order, type.type}) != 0)
                all.push_back({order.order, type.type});
        }
    }
    return all;
}

} // namespace visor::machine
