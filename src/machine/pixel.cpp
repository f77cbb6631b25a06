// Pixels between memory and registers (OpenCL C 8.3): the order of channels, the width of each, conversion.
#include "machine/image.h"

#include "number/half.h"
#include "number/round.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

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

const Order* find(ChannelOrder order) {
    const auto found = std::ranges::find(orders, order, &Order::order);
    return found == orders.end() ? nullptr : &*found;
}

bool is_srgb(ChannelOrder order) {
    return order == ChannelOrder::srgba || order == ChannelOrder::sbgra;
}

// Bytes of one channel; 0: several share a word.
uint32_t channel_bytes(ChannelType type) {
    switch (type) {
    case ChannelType::snorm_int8:
    case ChannelType::unorm_int8:
    case ChannelType::signed_int8:
    case ChannelType::unsigned_int8:
        return 1;
    case ChannelType::snorm_int16:
    case ChannelType::unorm_int16:
    case ChannelType::signed_int16:
    case ChannelType::unsigned_int16:
    case ChannelType::half_float:
        return 2;
    case ChannelType::signed_int32:
    case ChannelType::unsigned_int32:
    case ChannelType::float32:
        return 4;
    default:
        return 0;
    }
}

// Channels that share a word, the first in the highest of the used bits.
struct Packed {
    ChannelType type;
    uint8_t bytes;
    uint8_t channels;
    std::array<uint8_t, 4> bits;
};
constexpr std::array packed_types{
    Packed{ChannelType::unorm_short_565, 2, 3, {5, 6, 5}},
    Packed{ChannelType::unorm_short_555, 2, 3, {5, 5, 5}},
    Packed{ChannelType::unorm_int_101010, 4, 3, {10, 10, 10}},
    Packed{ChannelType::unorm_int_101010_2, 4, 4, {10, 10, 10, 2}},
};
const Packed* find_packed(ChannelType type) {
    const auto found = std::ranges::find(packed_types, type, &Packed::type);
    return found == packed_types.end() ? nullptr : &*found;
}

uint32_t bits_of(float value) {
    return std::bit_cast<uint32_t>(value);
}

// ---- one channel

float normalized(int32_t value, float most) {
    return std::max(static_cast<float>(value) / most, -1.0F);
}

uint32_t unpack_channel(ChannelType type, const std::byte* from) {
    const auto as = [from]<class T>(T value) {
        std::memcpy(&value, from, sizeof value);
        return value;
    };
    switch (type) {
    case ChannelType::snorm_int8:
        return bits_of(normalized(as(int8_t{}), 127));
    case ChannelType::snorm_int16:
        return bits_of(normalized(as(int16_t{}), 32767));
    case ChannelType::unorm_int8:
        return bits_of(static_cast<float>(as(uint8_t{})) / 255.0F);
    case ChannelType::unorm_int16:
        return bits_of(static_cast<float>(as(uint16_t{})) / 65535.0F);
    case ChannelType::signed_int8:
        return static_cast<uint32_t>(int32_t{as(int8_t{})});
    case ChannelType::signed_int16:
        return static_cast<uint32_t>(int32_t{as(int16_t{})});
    case ChannelType::unsigned_int8:
        return as(uint8_t{});
    case ChannelType::unsigned_int16:
        return as(uint16_t{});
    case ChannelType::half_float:
        return bits_of(number::half_to_float(as(uint16_t{})));
    default: // 32 bits
        return as(uint32_t{});
    }
}

// To the nearest, ties to even; NaN is 0.
int64_t to_normalized(uint32_t bits, double low, double most) {
    const auto value = static_cast<double>(std::bit_cast<float>(bits));
    if (std::isnan(value))
        return 0;
    return static_cast<int64_t>(
        number::integral(std::clamp(value, low, 1.0) * most, number::Rounding::nearest_even));
}

int64_t clamped(uint32_t bits, int64_t low, int64_t high) { // of a signed number
    return std::clamp<int64_t>(static_cast<int32_t>(bits), low, high);
}

void pack_channel(ChannelType type, uint32_t bits, std::byte* to) {
    const auto put = [to]<class T>(T, int64_t value) {
        const auto narrow = static_cast<T>(value);
        std::memcpy(to, &narrow, sizeof narrow);
    };
    switch (type) {
    case ChannelType::snorm_int8:
        return put(int8_t{}, to_normalized(bits, -1, 127));
    case ChannelType::snorm_int16:
        return put(int16_t{}, to_normalized(bits, -1, 32767));
    case ChannelType::unorm_int8:
        return put(uint8_t{}, to_normalized(bits, 0, 255));
    case ChannelType::unorm_int16:
        return put(uint16_t{}, to_normalized(bits, 0, 65535));
    case ChannelType::signed_int8:
        return put(int8_t{}, clamped(bits, INT8_MIN, INT8_MAX));
    case ChannelType::signed_int16:
        return put(int16_t{}, clamped(bits, INT16_MIN, INT16_MAX));
    case ChannelType::unsigned_int8:
        return put(uint8_t{}, std::min<uint32_t>(bits, UINT8_MAX));
    case ChannelType::unsigned_int16:
        return put(uint16_t{}, std::min<uint32_t>(bits, UINT16_MAX));
    case ChannelType::half_float:
        return put(uint16_t{}, number::to_half(static_cast<double>(std::bit_cast<float>(bits)),
                                               number::Rounding::nearest_even));
    default:
        return put(uint32_t{}, bits);
    }
}

// ---- sRGB (OpenCL C 8.3.1.3)

float from_srgb(float value) {
    return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}
float to_srgb(float value) {
    if (!(value > 0)) // NaN too
        return 0;
    if (value < 0.0031308F)
        return value * 12.92F;
    return value < 1 ? 1.055F * std::pow(value, 1.0F / 2.4F) - 0.055F : 1.0F;
}

bool has_alpha_border(ChannelOrder order) {
    switch (order) {
    case ChannelOrder::r:
    case ChannelOrder::rg:
    case ChannelOrder::rgb:
    case ChannelOrder::luminance:
    case ChannelOrder::depth:
        return false;
    default:
        return true;
    }
}

void set(Pixel& pixel, Channel channel, uint32_t value) {
    switch (channel) {
    case intensity:
        pixel = {value, value, value, value};
        return;
    case luminance:
        pixel[0] = pixel[1] = pixel[2] = value;
        return;
    default:
        pixel[static_cast<size_t>(channel)] = value;
    }
}
uint32_t get(const Pixel& pixel, Channel channel) {
    return pixel[channel == intensity || channel == luminance ? 0 : static_cast<size_t>(channel)];
}

void unpack_word(const Packed& packed, const Order& order, const std::byte* from, Pixel& pixel) {
    uint32_t word = 0;
    std::memcpy(&word, from, packed.bytes);
    for (size_t i = packed.channels; i-- > 0;) {
        const uint32_t most = (1U << packed.bits[i]) - 1;
        set(pixel, order.channels[i], bits_of(static_cast<float>(word & most) / static_cast<float>(most)));
        word >>= packed.bits[i];
    }
}
void pack_word(const Packed& packed, const Order& order, const Pixel& pixel, std::byte* to) {
    uint32_t word = 0;
    for (size_t i = 0; i < packed.channels; ++i) {
        const uint32_t most = (1U << packed.bits[i]) - 1;
        word = word << packed.bits[i] |
               static_cast<uint32_t>(to_normalized(get(pixel, order.channels[i]), 0, most));
    }
    std::memcpy(to, &word, packed.bytes);
}

} // namespace

bool is_integer(ChannelType type) {
    return type >= ChannelType::signed_int8 && type <= ChannelType::unsigned_int32;
}

uint32_t bytes_of_pixel(ImageFormat format) {
    const Order* order = find(format.order);
    if (order == nullptr)
        return 0;
    if (const Packed* packed = find_packed(format.type))
        return packed->channels == order->count ? packed->bytes : 0;
    const bool is_packed_only = format.order == ChannelOrder::rgb || format.order == ChannelOrder::rgbx;
    if (is_packed_only || (is_srgb(format.order) && format.type != ChannelType::unorm_int8))
        return 0;
    return channel_bytes(format.type) * order->count;
}

ChannelLayout layout_of(ImageFormat format) {
    const uint32_t pixel = bytes_of_pixel(format);
    const uint32_t one = channel_bytes(format.type);
    return one == 0 ? ChannelLayout{1, pixel} : ChannelLayout{pixel / one, one};
}

Pixel border(ImageFormat format) {
    const uint32_t one = is_integer(format.type) ? 1U : bits_of(1.0F);
    return {0, 0, 0, has_alpha_border(format.order) ? 0 : one};
}

Pixel unpack(ImageFormat format, const std::byte* bytes) {
    const Order& order = *find(format.order);
    Pixel pixel{0, 0, 0, 0};
    const bool has_alpha =
        std::ranges::any_of(std::span(order.channels).first(order.count),
                            [](Channel channel) { return channel == a || channel == intensity; });
    if (!has_alpha)
        pixel[3] = is_integer(format.type) ? 1U : bits_of(1.0F);
    if (const Packed* packed = find_packed(format.type)) {
        unpack_word(*packed, order, bytes, pixel);
        return pixel;
    }
    const uint32_t step = channel_bytes(format.type);
    for (size_t i = 0; i < order.count; ++i)
        set(pixel, order.channels[i], unpack_channel(format.type, bytes + i * step));
    if (is_srgb(format.order)) {
        for (size_t i = 0; i < 3; ++i)
            pixel[i] = bits_of(from_srgb(std::bit_cast<float>(pixel[i])));
    }
    return pixel;
}

void pack(ImageFormat format, const Pixel& given, std::byte* bytes) {
    const Order& order = *find(format.order);
    Pixel pixel = given;
    if (is_srgb(format.order)) {
        for (size_t i = 0; i < 3; ++i)
            pixel[i] = bits_of(to_srgb(std::bit_cast<float>(pixel[i])));
    }
    if (const Packed* packed = find_packed(format.type))
        return pack_word(*packed, order, pixel, bytes);
    const uint32_t step = channel_bytes(format.type);
    for (size_t i = 0; i < order.count; ++i)
        pack_channel(format.type, get(pixel, order.channels[i]), bytes + i * step);
}

// ---- memory shared with other groups: a data race of the kernel must not be one of the host

namespace {

constexpr size_t most_pixel_bytes = 16;

template <class Unit>
void copy_units(std::byte* shared, std::byte* own, size_t bytes, bool to_shared) {
    for (size_t i = 0; i < bytes; i += sizeof(Unit)) {
        const std::atomic_ref<Unit> cell(*reinterpret_cast<Unit*>(shared + i));
        Unit value{};
        if (to_shared) {
            std::memcpy(&value, own + i, sizeof value);
            cell.store(value, std::memory_order_relaxed);
        } else {
            value = cell.load(std::memory_order_relaxed);
            std::memcpy(own + i, &value, sizeof value);
        }
    }
}

void copy_shared(std::byte* shared, std::byte* own, size_t bytes, bool to_shared) {
    const auto aligned = [&](size_t unit) {
        return bytes % unit == 0 && reinterpret_cast<uintptr_t>(shared) % unit == 0;
    };
    if (aligned(4))
        copy_units<uint32_t>(shared, own, bytes, to_shared);
    else if (aligned(2))
        copy_units<uint16_t>(shared, own, bytes, to_shared);
    else
        copy_units<uint8_t>(shared, own, bytes, to_shared);
}

} // namespace

Pixel load_pixel(ImageFormat format, const std::byte* from) {
    std::array<std::byte, most_pixel_bytes> own{};
    copy_shared(const_cast<std::byte*>(from), own.data(), bytes_of_pixel(format), false);
    return unpack(format, own.data());
}

void store_pixel(ImageFormat format, const Pixel& pixel, std::byte* to) {
    std::array<std::byte, most_pixel_bytes> own{};
    pack(format, pixel, own.data());
    copy_shared(to, own.data(), bytes_of_pixel(format), true);
}

} // namespace visor::machine
