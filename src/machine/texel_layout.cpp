#include "machine/texel_layout.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace visor::machine {

namespace {

// The channel of r g b a for each stored channel; intensity is all of them, luminance r g b.
enum class Channel : uint8_t { r, g, b, a, intensity, luminance };

struct Order {
    ChannelOrder order;
    uint8_t count;
    std::array<Channel, 4> channels;
};
using enum Channel;
constexpr std::array orders{
    Order{ChannelOrder::r, 1, {r}},
    Order{ChannelOrder::a, 1, {a}},
    Order{ChannelOrder::rg, 2, {r, g}},
    Order{ChannelOrder::ra, 2, {r, a}},
    Order{ChannelOrder::rgb, 3, {r, g, b}},
    Order{ChannelOrder::rgbx, 3, {r, g, b}},
    Order{ChannelOrder::rgba, 4, {r, g, b, a}},
    Order{ChannelOrder::bgra, 4, {b, g, r, a}},
    Order{ChannelOrder::argb, 4, {a, r, g, b}},
    Order{ChannelOrder::abgr, 4, {a, b, g, r}},
    Order{ChannelOrder::intensity, 1, {intensity}},
    Order{ChannelOrder::luminance, 1, {luminance}},
    Order{ChannelOrder::depth, 1, {r}},
    Order{ChannelOrder::srgba, 4, {r, g, b, a}},
    Order{ChannelOrder::sbgra, 4, {b, g, r, a}},
};

struct Type {
    ChannelType type;
    ChannelKind kind;
    uint8_t bits; // of each channel
};
constexpr std::array types{
    Type{ChannelType::snorm_int8, ChannelKind::snorm, 8},
    Type{ChannelType::snorm_int16, ChannelKind::snorm, 16},
    Type{ChannelType::unorm_int8, ChannelKind::unorm, 8},
    Type{ChannelType::unorm_int16, ChannelKind::unorm, 16},
    Type{ChannelType::signed_int8, ChannelKind::signed_int, 8},
    Type{ChannelType::signed_int16, ChannelKind::signed_int, 16},
    Type{ChannelType::signed_int32, ChannelKind::signed_int, 32},
    Type{ChannelType::unsigned_int8, ChannelKind::unsigned_int, 8},
    Type{ChannelType::unsigned_int16, ChannelKind::unsigned_int, 16},
    Type{ChannelType::unsigned_int32, ChannelKind::unsigned_int, 32},
    Type{ChannelType::half_float, ChannelKind::half_float, 16},
    Type{ChannelType::float32, ChannelKind::float32, 32},
};

// Channels that share a word, the first in the highest of the used bits.
struct OneWord {
    ChannelType type;
    uint8_t bytes;
    uint8_t channels;
    std::array<uint8_t, 4> bits;
};
constexpr std::array one_word_types{
    OneWord{ChannelType::unorm_short_565, 2, 3, {5, 6, 5}},
    OneWord{ChannelType::unorm_short_555, 2, 3, {5, 5, 5}},
    OneWord{ChannelType::unorm_int_101010, 4, 3, {10, 10, 10}},
    OneWord{ChannelType::unorm_int_101010_2, 4, 4, {10, 10, 10, 2}},
};

constexpr bool is_srgb(ChannelOrder order) {
    return order == ChannelOrder::srgba || order == ChannelOrder::sbgra;
}

constexpr void place_channels(const Order& order, TexelLayout& layout) {
    layout.stored = order.count;
    bool has_alpha = false;
    for (uint8_t i = 0; i < order.count; ++i) {
        const Channel channel = order.channels[i];
        const bool spreads = channel == intensity || channel == luminance;
        has_alpha = has_alpha || channel == a || channel == intensity;
        layout.stores[i] = spreads ? 0 : static_cast<uint8_t>(channel);
        for (uint8_t c = 0; c < 4; ++c) {
            const bool is_this = spreads ? c < 3 || channel == intensity : c == static_cast<uint8_t>(channel);
            if (is_this)
                layout.channels[c] = static_cast<int8_t>(i);
        }
    }
    if (!has_alpha)
        layout.channels[3] = TexelLayout::one;
}

constexpr TexelLayout layout_in_one_word(const Order& order, const OneWord& word) {
    if (word.channels != order.count || is_srgb(order.order))
        return {};
    TexelLayout layout{.bytes = word.bytes, .kind = ChannelKind::unorm, .one_word = true};
    place_channels(order, layout);
    uint8_t first = 0;
    for (size_t i = word.channels; i-- > 0; first += word.bits[i]) {
        layout.bits[i] = word.bits[i];
        layout.first_bit[i] = first;
    }
    return layout;
}

constexpr TexelLayout layout_of_numbers(const Order& order, const Type& type) {
    const bool only_in_one_word = order.order == ChannelOrder::rgb || order.order == ChannelOrder::rgbx;
    if (only_in_one_word || (is_srgb(order.order) && type.type != ChannelType::unorm_int8))
        return {};
    TexelLayout layout{.bytes = static_cast<uint8_t>(order.count * type.bits / 8),
                       .kind = type.kind,
                       .srgb = is_srgb(order.order)};
    place_channels(order, layout);
    for (uint8_t i = 0; i < order.count; ++i) {
        layout.bits[i] = type.bits;
        layout.first_bit[i] = static_cast<uint8_t>(i * type.bits);
    }
    return layout;
}

constexpr auto first_order = static_cast<uint16_t>(ChannelOrder::r);
constexpr auto first_type = static_cast<uint16_t>(ChannelType::snorm_int8);
constexpr size_t order_count = static_cast<uint16_t>(ChannelOrder::abgr) - first_order + 1;
constexpr size_t type_count = static_cast<uint16_t>(ChannelType::unorm_int_101010_2) - first_type + 1;

constexpr auto layouts = [] {
    std::array<std::array<TexelLayout, type_count>, order_count> all{};
    const auto number_of = [](auto one, uint16_t first) { return static_cast<uint16_t>(one) - first; };
    for (const Order& order : orders) {
        auto& by_type = all.at(static_cast<size_t>(number_of(order.order, first_order)));
        for (const Type& type : types)
            by_type.at(static_cast<size_t>(number_of(type.type, first_type))) =
                layout_of_numbers(order, type);
        for (const OneWord& word : one_word_types)
            by_type.at(static_cast<size_t>(number_of(word.type, first_type))) =
                layout_in_one_word(order, word);
    }
    return all;
}();
constexpr TexelLayout no_layout{};

} // namespace

const TexelLayout& texel_layout(ImageFormat format) {
    const auto order = static_cast<size_t>(static_cast<uint16_t>(format.order)) - first_order;
    const auto type = static_cast<size_t>(static_cast<uint16_t>(format.type)) - first_type;
    return order < order_count && type < type_count ? layouts[order][type] : no_layout;
}

bool is_integer(ChannelType type) {
    return type >= ChannelType::signed_int8 && type <= ChannelType::unsigned_int32;
}

uint32_t bytes_of_pixel(ImageFormat format) {
    return texel_layout(format).bytes;
}

ChannelLayout layout_of(ImageFormat format) {
    const TexelLayout& layout = texel_layout(format);
    if (layout.one_word || layout.bytes == 0)
        return {1, layout.bytes};
    return {layout.stored, static_cast<uint32_t>(layout.bits[0] / 8)};
}

} // namespace visor::machine
