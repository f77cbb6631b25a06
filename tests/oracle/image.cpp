#include "oracle/image.h"

#include "oracle/number.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace oracle {

namespace {

using Four = std::array<double, 4>;

// ---- formats

bool is_packed(cl::Type type) {
    return type == cl::UNORM_SHORT_565 || type == cl::UNORM_SHORT_555 || type == cl::UNORM_INT_101010;
}

size_t bytes_of_channel(cl::Type type) {
    switch (type) {
    case cl::SNORM_INT8:
    case cl::UNORM_INT8:
    case cl::SIGNED_INT8:
    case cl::UNSIGNED_INT8:
        return 1;
    case cl::SIGNED_INT32:
    case cl::UNSIGNED_INT32:
    case cl::FLOAT:
        return 4;
    default:
        return 2;
    }
}

// What stands in memory, one letter a channel: I is all four, L the three colours.
const char* letters(cl::Order order) {
    switch (order) {
    case cl::R:
    case cl::DEPTH:
        return "r";
    case cl::A:
        return "a";
    case cl::RG:
        return "rg";
    case cl::RA:
        return "ra";
    case cl::RGB:
        return "rgb";
    case cl::RGBA:
    case cl::sRGBA:
        return "rgba";
    case cl::BGRA:
    case cl::sBGRA:
        return "bgra";
    case cl::ARGB:
        return "argb";
    case cl::ABGR:
        return "abgr";
    case cl::INTENSITY:
        return "I";
    case cl::LUMINANCE:
        return "L";
    }
    return "";
}

bool bends(cl::Order order) {
    return order == cl::sRGBA || order == cl::sBGRA;
}

// Whether the border's alpha is 1: of formats without alpha.
bool has_opaque_border(cl::Order order) {
    return order == cl::R || order == cl::RG || order == cl::RGB || order == cl::LUMINANCE ||
           order == cl::DEPTH;
}

uint64_t little(const std::byte* from, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = bytes; i-- > 0;)
        value = value * 256 + std::to_integer<uint64_t>(from[i]);
    return value;
}
void put(std::vector<std::byte>& to, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i, value /= 256)
        to.push_back(static_cast<std::byte>(value % 256));
}

int64_t as_signed(uint64_t value, size_t bytes) {
    const int64_t modulus = int64_t{1} << (8 * bytes);
    const auto number = static_cast<int64_t>(value);
    return number >= modulus / 2 ? number - modulus : number;
}

double number_in(cl::Type type, uint64_t bits) {
    const size_t bytes = bytes_of_channel(type);
    const double largest = std::ldexp(1.0, static_cast<int>(8 * bytes - 1)) - 1;
    switch (type) {
    case cl::SNORM_INT8:
    case cl::SNORM_INT16:
        return std::max(static_cast<double>(as_signed(bits, bytes)) / largest, -1.0);
    case cl::UNORM_INT8:
    case cl::UNORM_INT16:
        return static_cast<double>(bits) / (2 * largest + 1);
    case cl::SIGNED_INT8:
    case cl::SIGNED_INT16:
    case cl::SIGNED_INT32:
        return static_cast<double>(as_signed(bits, bytes));
    case cl::HALF_FLOAT:
        return real_of(Type::hf, bits);
    case cl::FLOAT:
        return real_of(Type::f, bits);
    default:
        return static_cast<double>(bits);
    }
}

double unbend(double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}
double bend(double c) {
    if (!(c > 0))
        return 0;
    if (c < 0.0031308)
        return 12.92 * c;
    return c < 1 ? 1.055 * std::pow(c, 1 / 2.4) - 0.055 : 1;
}

void set(Four& color, char letter, double value) {
    const std::string places = letter == 'I' ? "rgba" : letter == 'L' ? "rgb" : std::string(1, letter);
    for (const char place : places)
        color[place == 'r' ? 0 : place == 'g' ? 1 : place == 'b' ? 2 : 3] = value;
}
double get(const Four& color, char letter) {
    return color[letter == 'g' ? 1 : letter == 'b' ? 2 : letter == 'a' ? 3 : 0];
}

struct Bits {
    std::array<unsigned, 3> width;
    size_t bytes;
};
Bits image_word(cl::Type type) {
    if (type == cl::UNORM_SHORT_565)
        return {{5, 6, 5}, 2};
    if (type == cl::UNORM_SHORT_555)
        return {{5, 5, 5}, 2};
    return {{10, 10, 10}, 4};
}

// round to nearest, ties to even, of what is at most 2^53
double nearest(double value) {
    const double low = std::floor(value);
    const double rest = value - low;
    if (rest != 0.5)
        return rest < 0.5 ? low : low + 1;
    return std::fmod(low, 2) == 0 ? low : low + 1;
}

uint64_t normalized(double value, double low, double most) {
    if (std::isnan(value))
        return 0;
    return static_cast<uint64_t>(static_cast<int64_t>(nearest(std::clamp(value, low, 1.0) * most)));
}

uint64_t channel_bits(cl::Type type, double value) {
    switch (type) {
    case cl::SNORM_INT8:
        return normalized(value, -1, 127);
    case cl::SNORM_INT16:
        return normalized(value, -1, 32767);
    case cl::UNORM_INT8:
        return normalized(value, 0, 255);
    case cl::UNORM_INT16:
        return normalized(value, 0, 65535);
    case cl::SIGNED_INT8:
        return static_cast<uint64_t>(static_cast<int64_t>(std::clamp(value, -128.0, 127.0)));
    case cl::SIGNED_INT16:
        return static_cast<uint64_t>(static_cast<int64_t>(std::clamp(value, -32768.0, 32767.0)));
    case cl::UNSIGNED_INT8:
        return static_cast<uint64_t>(std::min(value, 255.0));
    case cl::UNSIGNED_INT16:
        return static_cast<uint64_t>(std::min(value, 65535.0));
    case cl::HALF_FLOAT:
        return oracle::bits_of(Type::hf, {value, 0}, Round::even);
    case cl::FLOAT:
        return oracle::bits_of(Type::f, {value, 0}, Round::even);
    default:
        return static_cast<uint64_t>(static_cast<int64_t>(value));
    }
}

std::vector<std::byte> written_color(const ImageFormat& format, Four color) {
    std::vector<std::byte> out;
    if (bends(format.order)) {
        for (size_t c = 0; c < 3; ++c)
            color[c] = bend(color[c]);
    }
    const std::string places = letters(format.order);
    if (is_packed(format.type)) {
        const Bits bits = image_word(format.type);
        uint64_t word = 0;
        for (size_t c = 0; c < 3; ++c)
            word = (word << bits.width[c]) +
                   normalized(color[c], 0, static_cast<double>((1U << bits.width[c]) - 1));
        put(out, word, bits.bytes);
        return out;
    }
    for (const char place : places)
        put(out, channel_bits(format.type, get(color, place)), bytes_of_channel(format.type));
    return out;
}

// ---- addressing and filters (OpenCL C 8.2)

const std::byte* texel(const HostImage& image, const std::array<int64_t, 3>& at, size_t layer) {
    for (size_t d = 0; d < 3; ++d) {
        if (at[d] < 0 || at[d] >= static_cast<int64_t>(image.size[d]))
            return nullptr;
    }
    const size_t slice = image.has_layers() ? layer : static_cast<size_t>(at[2]);
    const size_t place =
        (slice * image.size[1] + static_cast<size_t>(at[1])) * image.size[0] + static_cast<size_t>(at[0]);
    return image.pixels.data() + place * pixel_bytes(image.format);
}

Four fetch(const HostImage& image, const std::array<int64_t, 3>& at, size_t layer) {
    if (const std::byte* pixel = texel(image, at, layer))
        return color_of(image.format, pixel);
    return {0, 0, 0, has_opaque_border(image.format.order) ? 1.0 : 0.0};
}

int64_t brought_inside(Address address, int64_t index, int64_t size) {
    if (address == Address::clamp_edge)
        return std::clamp<int64_t>(index, 0, size - 1);
    return index; // outside: the border
}

// The texels of one dimension and the part of the second in the result.
struct Pair {
    int64_t low;
    int64_t high;
    double part;
};

Pair nearest_texel(const HostSampler& sampler, float coordinate, size_t size) {
    const auto count = static_cast<int64_t>(size);
    const auto wide = static_cast<double>(coordinate);
    int64_t index = 0;
    if (sampler.address == Address::repeat) {
        index = static_cast<int64_t>(std::floor((wide - std::floor(wide)) * static_cast<double>(size)));
        index = index > count - 1 ? index - count : index;
    } else if (sampler.address == Address::mirror) {
        const double mirrored = std::fabs(wide - 2.0 * nearest(0.5 * wide));
        index = std::min(static_cast<int64_t>(std::floor(mirrored * static_cast<double>(size))), count - 1);
    } else {
        const double u = sampler.normalized ? wide * static_cast<double>(size) : wide;
        index = brought_inside(sampler.address, static_cast<int64_t>(std::floor(u)), count);
    }
    return {index, index, 0};
}

Pair linear_texels(const HostSampler& sampler, float coordinate, size_t size) {
    const auto count = static_cast<int64_t>(size);
    const auto wide = static_cast<double>(coordinate);
    double u = sampler.normalized ? wide * static_cast<double>(size) : wide;
    if (sampler.address == Address::repeat)
        u = (wide - std::floor(wide)) * static_cast<double>(size);
    if (sampler.address == Address::mirror)
        u = std::fabs(wide - 2.0 * nearest(0.5 * wide)) * static_cast<double>(size);
    const double left = std::floor(u - 0.5);
    Pair pair{static_cast<int64_t>(left), static_cast<int64_t>(left) + 1, u - 0.5 - left};
    if (sampler.address == Address::repeat) {
        pair.low = pair.low < 0 ? pair.low + count : pair.low;
        pair.high = pair.high > count - 1 ? pair.high - count : pair.high;
    } else if (sampler.address == Address::mirror) {
        pair.low = std::max<int64_t>(pair.low, 0);
        pair.high = std::min(pair.high, count - 1);
    } else {
        pair.low = brought_inside(sampler.address, pair.low, count);
        pair.high = brought_inside(sampler.address, pair.high, count);
    }
    return pair;
}

size_t layer_at(const HostImage& image, double coordinate) {
    if (!image.has_layers())
        return 0;
    return static_cast<size_t>(std::clamp(nearest(coordinate), 0.0, static_cast<double>(image.layers - 1)));
}

// A conversion of a normalized number to a float may be 1.5 ulp off, of sRGB 0.5 of 255 parts; halves and
// floats are exact.
double conversion_distance(const ImageFormat& format, double value) {
    if (bends(format.order))
        return 0.5 / 255; // 8.3.1.3: of the 8-bit channel
    const bool exact =
        format.type == cl::FLOAT || format.type == cl::HALF_FLOAT || numbers_of(format) != Numbers::floats;
    return exact ? 0 : std::ldexp(std::fabs(value), -23) * 1.5;
}

} // namespace

const std::vector<ImageFormat>& image_formats() {
    using namespace cl;
    static const std::vector<ImageFormat> all{
        {"rgba8", RGBA, UNORM_INT8},
        {"rgba16", RGBA, UNORM_INT16},
        {"rgba8s", RGBA, SNORM_INT8},
        {"rgba16s", RGBA, SNORM_INT16},
        {"rgba8i", RGBA, SIGNED_INT8},
        {"rgba16i", RGBA, SIGNED_INT16},
        {"rgba32i", RGBA, SIGNED_INT32},
        {"rgba8u", RGBA, UNSIGNED_INT8},
        {"rgba16u", RGBA, UNSIGNED_INT16},
        {"rgba32u", RGBA, UNSIGNED_INT32},
        {"rgba16f", RGBA, HALF_FLOAT},
        {"rgba32f", RGBA, FLOAT},
        {"bgra8", BGRA, UNORM_INT8},
        {"bgra8u", BGRA, UNSIGNED_INT8},
        {"argb8", ARGB, UNORM_INT8},
        {"argb8s", ARGB, SNORM_INT8},
        {"abgr8", ABGR, UNORM_INT8},
        {"srgba8", sRGBA, UNORM_INT8},
        {"sbgra8", sBGRA, UNORM_INT8},
        {"r8", R, UNORM_INT8},
        {"r16", R, UNORM_INT16},
        {"r8s", R, SNORM_INT8},
        {"r16s", R, SNORM_INT16},
        {"r8i", R, SIGNED_INT8},
        {"r16i", R, SIGNED_INT16},
        {"r32i", R, SIGNED_INT32},
        {"r8u", R, UNSIGNED_INT8},
        {"r16u", R, UNSIGNED_INT16},
        {"r32u", R, UNSIGNED_INT32},
        {"r16f", R, HALF_FLOAT},
        {"r32f", R, FLOAT},
        {"rg8", RG, UNORM_INT8},
        {"rg16s", RG, SNORM_INT16},
        {"rg16i", RG, SIGNED_INT16},
        {"rg32u", RG, UNSIGNED_INT32},
        {"rg16f", RG, HALF_FLOAT},
        {"rg32f", RG, FLOAT},
        {"ra8", RA, UNORM_INT8},
        {"ra16f", RA, HALF_FLOAT},
        {"a8", A, UNORM_INT8},
        {"a16", A, UNORM_INT16},
        {"a32f", A, FLOAT},
        {"i8", INTENSITY, UNORM_INT8},
        {"i16s", INTENSITY, SNORM_INT16},
        {"i32f", INTENSITY, FLOAT},
        {"l8", LUMINANCE, UNORM_INT8},
        {"l16", LUMINANCE, UNORM_INT16},
        {"l16f", LUMINANCE, HALF_FLOAT},
        {"rgb565", RGB, UNORM_SHORT_565},
        {"rgb555", RGB, UNORM_SHORT_555},
        {"rgb101010", RGB, UNORM_INT_101010},
        {"d16", DEPTH, UNORM_INT16},
        {"d32f", DEPTH, FLOAT},
    };
    return all;
}

size_t pixel_bytes(const ImageFormat& format) {
    if (is_packed(format.type))
        return image_word(format.type).bytes;
    return bytes_of_channel(format.type) * std::strlen(letters(format.order));
}

Numbers numbers_of(const ImageFormat& format) {
    switch (format.type) {
    case cl::SIGNED_INT8:
    case cl::SIGNED_INT16:
    case cl::SIGNED_INT32:
        return Numbers::signed_integers;
    case cl::UNSIGNED_INT8:
    case cl::UNSIGNED_INT16:
    case cl::UNSIGNED_INT32:
        return Numbers::unsigned_integers;
    default:
        return Numbers::floats;
    }
}

double step_of(const ImageFormat& format) {
    switch (format.type) {
    case cl::SNORM_INT8:
        return 1.0 / 127;
    case cl::UNORM_INT8:
        return 1.0 / 255;
    case cl::SNORM_INT16:
        return 1.0 / 32767;
    case cl::UNORM_INT16:
        return 1.0 / 65535;
    case cl::UNORM_SHORT_565:
    case cl::UNORM_SHORT_555:
        return 1.0 / 31;
    case cl::UNORM_INT_101010:
        return 1.0 / 1023;
    default:
        return 0;
    }
}

unsigned HostImage::sides() const {
    switch (dimension) {
    case Dimension::d2:
    case Dimension::d2_array:
        return 2;
    case Dimension::d3:
        return 3;
    default:
        return 1;
    }
}
bool HostImage::has_layers() const {
    return dimension == Dimension::d1_array || dimension == Dimension::d2_array;
}

std::array<double, 4> color_of(const ImageFormat& format, const std::byte* pixel) {
    Four color{0, 0, 0, 0};
    const std::string places = letters(format.order);
    if (places.find_first_of("aI") == std::string::npos)
        color[3] = 1;
    if (is_packed(format.type)) {
        const Bits bits = image_word(format.type);
        uint64_t word = little(pixel, bits.bytes);
        for (size_t c = 3; c-- > 0;) {
            const uint64_t levels = uint64_t{1} << bits.width[c];
            color[c] = static_cast<double>(word % levels) / static_cast<double>(levels - 1);
            word /= levels;
        }
        return color;
    }
    const size_t bytes = bytes_of_channel(format.type);
    for (size_t i = 0; i < places.size(); ++i)
        set(color, places[i], number_in(format.type, little(pixel + i * bytes, bytes)));
    if (bends(format.order)) {
        for (size_t c = 0; c < 3; ++c)
            color[c] = unbend(color[c]);
    }
    return color;
}

Color read(const HostImage& image, const HostSampler& sampler, const std::array<float, 4>& at) {
    const unsigned sides = image.sides();
    const bool linear = sampler.linear && numbers_of(image.format) == Numbers::floats;
    std::array<Pair, 3> pairs{};
    double distance = 0; // of a weight: the coordinate is a float, and is stretched in floats
    for (unsigned d = 0; d < sides; ++d) {
        pairs[d] = (linear ? linear_texels : nearest_texel)(sampler, at[d], image.size[d]);
        const double u = std::fabs(static_cast<double>(at[d])) *
                         (sampler.normalized ? static_cast<double>(image.size[d]) : 1.0);
        distance += std::ldexp(std::max(u, static_cast<double>(image.size[d])), -22);
    }
    const size_t layer = layer_at(image, static_cast<double>(at[sides]));
    Color out;
    Four most{};
    for (unsigned corner = 0; corner < (linear ? 1U << sides : 1U); ++corner) {
        double weight = 1;
        std::array<int64_t, 3> place{};
        for (unsigned d = 0; d < sides; ++d) {
            const bool high = (corner >> d) % 2 == 1;
            weight *= !linear ? 1 : high ? pairs[d].part : 1 - pairs[d].part;
            place[d] = high ? pairs[d].high : pairs[d].low;
        }
        const Four color = fetch(image, place, layer);
        for (size_t c = 0; c < 4; ++c) {
            out.value[c] += weight * color[c];
            out.allowed[c] += weight * conversion_distance(image.format, color[c]);
            most[c] = std::max(most[c], std::fabs(color[c]));
        }
    }
    for (size_t c = 0; c < 4 && linear; ++c)
        out.allowed[c] += most[c] * (distance + std::ldexp(1.0, -21)); // products and sums in floats
    return out;
}

Color read(const HostImage& image, const HostSampler& sampler, const std::array<int32_t, 4>& at) {
    const unsigned sides = image.sides();
    std::array<int64_t, 3> place{};
    for (unsigned d = 0; d < sides; ++d)
        place[d] = brought_inside(sampler.address, at[d], static_cast<int64_t>(image.size[d]));
    Color out;
    out.value = fetch(image, place, layer_at(image, at[sides]));
    for (size_t c = 0; c < 4; ++c)
        out.allowed[c] = conversion_distance(image.format, out.value[c]);
    return out;
}

std::vector<std::byte> written(const ImageFormat& format, const std::array<float, 4>& color) {
    return written_color(format, {color[0], color[1], color[2], color[3]});
}
std::vector<std::byte> written(const ImageFormat& format, const std::array<int32_t, 4>& color) {
    return written_color(format, {static_cast<double>(color[0]), static_cast<double>(color[1]),
                                  static_cast<double>(color[2]), static_cast<double>(color[3])});
}
std::vector<std::byte> written(const ImageFormat& format, const std::array<uint32_t, 4>& color) {
    return written_color(format, {static_cast<double>(color[0]), static_cast<double>(color[1]),
                                  static_cast<double>(color[2]), static_cast<double>(color[3])});
}

} // namespace oracle
