// Texels between memory and registers (OpenCL C 8.3), for all lanes of a message.
#include "machine/image_lanes.h"
#include "machine/shared_bytes.h"
#include "machine/texel_layout.h"

#include "number/half.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>

namespace visor::machine {

namespace {

constexpr uint32_t float_one = 0x3f800000;

uint32_t bits_of(float value) {
    return std::bit_cast<uint32_t>(value);
}

// ---- bytes

template <class Unit>
Unit load_aligned(std::byte* from) {
    return std::atomic_ref<Unit>(*reinterpret_cast<Unit*>(from)).load(std::memory_order_relaxed);
}

// Returns the lanes without a texel; their words are zero.
template <size_t bytes>
uint32_t read_words(const LaneTexels& from, uint32_t lanes, LaneWords& words) {
    constexpr size_t count = (bytes + 3) / 4;
    using Unit = std::conditional_t<bytes == 1, uint8_t, std::conditional_t<bytes == 2, uint16_t, uint32_t>>;
    int32_t all_indices = 0;
    uint64_t all_bits = reinterpret_cast<uintptr_t>(from.begin);
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        all_indices |= from.index[lane];
        all_bits |= from.distance[lane];
    }
    if (all_indices >= 0 && all_bits % sizeof(Unit) == 0) [[likely]] { // each lane has a texel, aligned
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            std::byte* const at = from.begin + from.distance[lane];
            for (size_t i = 0; i < count; ++i)
                words[i][lane] = load_aligned<Unit>(at + i * 4);
        }
        return 0;
    }
    uint32_t without = 0;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        std::byte* const at = from[lane];
        without |= at == nullptr ? 1U << lane : 0U;
        for (size_t i = 0; i < count; ++i)
            words[i][lane] = at == nullptr ? 0 : load_shared<Unit>(at + i * 4);
    }
    return without;
}

uint32_t read_words(const LaneTexels& from, uint32_t lanes, uint32_t bytes, LaneWords& words) {
    switch (bytes) {
    case 1:
        return read_words<1>(from, lanes, words);
    case 2:
        return read_words<2>(from, lanes, words);
    case 4:
        return read_words<4>(from, lanes, words);
    case 8:
        return read_words<8>(from, lanes, words);
    case 16:
        return read_words<16>(from, lanes, words);
    default: // no format of OpenCL's
        return UINT32_MAX >> (most_lanes - lanes);
    }
}

// ---- one channel of all lanes

// Where a channel's bits lie in its dword.
struct Bits {
    unsigned shift;
    unsigned count;
    uint32_t mask; // of `count` bits

    Bits(const TexelLayout& layout, size_t stored)
        : shift(layout.first_bit[stored] % 32U), count(layout.bits[stored]),
          mask(UINT32_MAX >> (32U - count)) {}
    [[nodiscard]] uint32_t unsigned_in(uint32_t word) const { return word >> shift & mask; }
    [[nodiscard]] int32_t signed_in(uint32_t word) const {
        return static_cast<int32_t>(word << (32U - shift - count)) >> (32U - count);
    }
    // The largest value as a signed number of `count` bits.
    [[nodiscard]] float most_signed() const { return static_cast<float>(mask >> 1U); }
};

template <class Convert>
void each(const EachLane<uint32_t>& words, uint32_t lanes, EachLane<uint32_t>& out, Convert convert) {
    for (uint32_t lane = 0; lane < lanes; ++lane)
        out[lane] = convert(words[lane]);
}

void decode(ChannelKind kind, const Bits bits, const EachLane<uint32_t>& words, uint32_t lanes,
            EachLane<uint32_t>& out) {
    switch (kind) {
    case ChannelKind::unorm: { // 16 bits at most
        const auto most = static_cast<float>(bits.mask);
        return each(words, lanes, out, [&](uint32_t word) {
            return bits_of(static_cast<float>(static_cast<int32_t>(bits.unsigned_in(word))) / most);
        });
    }
    case ChannelKind::snorm: { // the smallest number is -1, too
        const float most = bits.most_signed();
        return each(words, lanes, out, [&](uint32_t word) {
            const float value = static_cast<float>(bits.signed_in(word)) / most;
            return bits_of(value < -1.0F ? -1.0F : value);
        });
    }
    case ChannelKind::signed_int:
        return each(words, lanes, out,
                    [&](uint32_t word) { return static_cast<uint32_t>(bits.signed_in(word)); });
    case ChannelKind::unsigned_int:
        return each(words, lanes, out, [&](uint32_t word) { return bits.unsigned_in(word); });
    case ChannelKind::half_float:
        return each(words, lanes, out, [&](uint32_t word) {
            return bits_of(number::half_to_float(static_cast<uint16_t>(bits.unsigned_in(word))));
        });
    case ChannelKind::float32:
        break;
    }
    each(words, lanes, out, [](uint32_t word) { return word; });
}

// Nearest, ties to even, of |value| < 2^31: the sum has no bits for the fraction.
int32_t to_nearest(double value) {
    constexpr double no_fraction = 0x1.8p52;
    return static_cast<int32_t>(std::bit_cast<uint64_t>(value + no_fraction));
}

// NaN is 0.
int32_t to_normalized(uint32_t given, double low, double most) {
    const auto value = static_cast<double>(std::bit_cast<float>(given));
    const double number = std::isnan(value) ? 0.0 : value;
    const double above = number < low ? low : number;
    return to_nearest((above < 1.0 ? above : 1.0) * most);
}

void encode(ChannelKind kind, const Bits bits, const EachLane<uint32_t>& values, uint32_t lanes,
            EachLane<uint32_t>& out) {
    switch (kind) {
    case ChannelKind::unorm: {
        const auto most = static_cast<double>(bits.mask);
        return each(values, lanes, out,
                    [&](uint32_t value) { return static_cast<uint32_t>(to_normalized(value, 0, most)); });
    }
    case ChannelKind::snorm: {
        const double most = bits.most_signed();
        return each(values, lanes, out,
                    [&](uint32_t value) { return static_cast<uint32_t>(to_normalized(value, -1, most)); });
    }
    case ChannelKind::signed_int: { // saturated
        const auto most = static_cast<int32_t>(bits.mask >> 1U);
        return each(values, lanes, out, [&](uint32_t value) {
            return static_cast<uint32_t>(std::clamp(static_cast<int32_t>(value), -most - 1, most));
        });
    }
    case ChannelKind::unsigned_int:
        return each(values, lanes, out, [&](uint32_t value) { return std::min(value, bits.mask); });
    case ChannelKind::half_float:
        return each(values, lanes, out, [](uint32_t value) {
            return uint32_t{number::to_half(static_cast<double>(std::bit_cast<float>(value)),
                                            number::Rounding::nearest_even)};
        });
    case ChannelKind::float32:
        break;
    }
    each(values, lanes, out, [](uint32_t value) { return value; });
}

// ---- sRGB (OpenCL C 8.3.1.3), of all channels but alpha

uint32_t from_srgb(uint32_t bits) {
    const auto value = std::bit_cast<float>(bits);
    return bits_of(value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F));
}
uint32_t to_srgb(uint32_t bits) {
    const auto value = std::bit_cast<float>(bits);
    if (!(value > 0)) // NaN too
        return 0;
    if (value < 0.0031308F)
        return bits_of(value * 12.92F);
    return bits_of(value < 1 ? 1.055F * std::pow(value, 1.0F / 2.4F) - 0.055F : 1.0F);
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

} // namespace

Pixel border(ImageFormat format) {
    const uint32_t one = is_integer(format.type) ? 1U : float_one;
    return {0, 0, 0, has_alpha_border(format.order) ? 0 : one};
}

void load_texels(ImageFormat format, const LaneTexels& from, uint32_t lanes, uint32_t to_load,
                 const Pixel& outside, LanePixels& out) {
    const TexelLayout& layout = texel_layout(format);
    LaneWords words;
    const uint32_t without = read_words(from, lanes, layout.bytes, words);
    for (size_t c = 0; c < 4; ++c) {
        if ((to_load >> c & 1U) == 0)
            continue;
        EachLane<uint32_t>& channel = out[c];
        if (const int8_t stored = layout.channels[c]; stored >= 0) {
            const auto i = static_cast<uint8_t>(stored);
            decode(layout.kind, Bits(layout, i), words[layout.first_bit[i] / 32U], lanes, channel);
            if (layout.srgb && c < 3)
                each(channel, lanes, channel, from_srgb);
        } else {
            const uint32_t one = layout.is_integer() ? 1U : float_one;
            std::fill_n(channel.at.begin(), lanes, stored == TexelLayout::one ? one : 0U);
        }
        for (uint32_t rest = without; rest != 0; rest &= rest - 1)
            channel[static_cast<unsigned>(std::countr_zero(rest))] = outside[c];
    }
}

LaneWords encode_texels(ImageFormat format, const LanePixels& pixels, uint32_t lanes) {
    const TexelLayout& layout = texel_layout(format);
    LaneWords words;
    for (size_t i = 0; i * 4 < layout.bytes; ++i)
        std::fill_n(words[i].at.begin(), lanes, 0U);
    EachLane<uint32_t> bent;
    EachLane<uint32_t> encoded;
    for (size_t i = 0; i < layout.stored; ++i) {
        const size_t c = layout.stores[i];
        const EachLane<uint32_t>* values = &pixels[c];
        if (layout.srgb && c < 3) {
            each(*values, lanes, bent, to_srgb);
            values = &bent;
        }
        const Bits bits(layout, i);
        encode(layout.kind, bits, *values, lanes, encoded);
        EachLane<uint32_t>& word = words[layout.first_bit[i] / 32U];
        for (uint32_t lane = 0; lane < lanes; ++lane)
            word[lane] |= (encoded[lane] & bits.mask) << bits.shift;
    }
    return words;
}

void store_texel(ImageFormat format, const LaneWords& words, uint32_t lane, std::byte* to) {
    switch (const uint32_t bytes = texel_layout(format).bytes) {
    case 1:
        return store_shared(to, static_cast<uint8_t>(words[0][lane]));
    case 2:
        return store_shared(to, static_cast<uint16_t>(words[0][lane]));
    default:
        for (uint32_t i = 0; i < bytes / 4; ++i)
            store_shared(to + size_t{i} * 4, words[i][lane]);
    }
}

Pixel unpack(ImageFormat format, const std::byte* bytes) {
    LaneTexels texel;
    texel.begin = const_cast<std::byte*>(bytes); // only read
    texel.distance[0] = 0;
    texel.index[0] = 0;
    LanePixels pixels;
    load_texels(format, texel, 1, 15, {}, pixels);
    return {pixels[0][0], pixels[1][0], pixels[2][0], pixels[3][0]};
}

void pack(ImageFormat format, const Pixel& pixel, std::byte* bytes) {
    LanePixels pixels;
    for (size_t c = 0; c < 4; ++c)
        pixels[c][0] = pixel[c];
    store_texel(format, encode_texels(format, pixels, 1), 0, bytes);
}

} // namespace visor::machine
