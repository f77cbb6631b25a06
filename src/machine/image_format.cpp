// Names of pixel formats: channels, bits, and what the bits are ("" unorm, "s" snorm, "i" "u" integers, "f"
// floats). Which pairs there are is bytes_of_pixel's to say.
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

} // namespace

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
