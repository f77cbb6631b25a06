#include "number/half.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace visor::number {

namespace {

template <Format format>
uint64_t from_integer(bool negative, uint64_t magnitude, Rounding rounding) {
    return encode<format>(Exact{negative && magnitude != 0, magnitude, 0, false}, rounding);
}

// e4m3 numbered like a format with reserved largest exponent: one more exponent bit makes room for what e4m3
// has no room for, so that rounding and overflow can be told apart afterwards.
constexpr Format e5m3{5, 3};

} // namespace

uint16_t to_half(double value, Rounding rounding) {
    return static_cast<uint16_t>(encode<binary16>(value, rounding));
}

uint16_t to_bfloat(double value, Rounding rounding) {
    return static_cast<uint16_t>(encode<bfloat16>(value, rounding));
}

float to_float(double value, Rounding rounding) {
    return std::bit_cast<float>(static_cast<uint32_t>(encode<binary32>(value, rounding)));
}

uint16_t integer_to_half(bool negative, uint64_t magnitude, Rounding rounding) {
    return static_cast<uint16_t>(from_integer<binary16>(negative, magnitude, rounding));
}

uint16_t integer_to_bfloat(bool negative, uint64_t magnitude, Rounding rounding) {
    return static_cast<uint16_t>(from_integer<bfloat16>(negative, magnitude, rounding));
}

float integer_to_float(bool negative, uint64_t magnitude, Rounding rounding) {
    return std::bit_cast<float>(static_cast<uint32_t>(from_integer<binary32>(negative, magnitude, rounding)));
}

double integer_to_double(bool negative, uint64_t magnitude, Rounding rounding) {
    return std::bit_cast<double>(from_integer<binary64>(negative, magnitude, rounding));
}

uint8_t to_bf8(double value, Rounding rounding) {
    return static_cast<uint8_t>(encode<e5m2>(value, rounding));
}

float bf8_to_float(uint8_t bits) {
    return half_to_float(static_cast<uint16_t>(bits << 8U));
}

uint8_t to_hf8(double value, Rounding rounding) {
    constexpr uint8_t nan = 0x7f;
    // e5m3 has bias 15, e4m3 bias 7: scaling by 2^-8 aligns the exponent fields, denormals included.
    const uint64_t bits = encode<e5m3>(value * 0x1p-8, rounding);
    const uint64_t magnitude = bits & ~e5m3.sign();
    const auto sign = static_cast<uint8_t>((bits & e5m3.sign()) != 0 ? 0x80 : 0);
    if (magnitude < nan)
        return static_cast<uint8_t>(sign | magnitude);
    // Modes that do not round away from zero stop at the largest number, as they do in formats with
    // infinities.
    const bool stops = std::isfinite(value) && detail::overflow(e5m3, rounding, sign != 0) != e5m3.infinity();
    return static_cast<uint8_t>(sign | (stops ? nan - 1 : nan));
}

float hf8_to_float(uint8_t bits) {
    const uint64_t sign = (bits & 0x80U) != 0 ? e5m3.sign() : 0;
    if ((bits & 0x7fU) == 0x7fU)
        return static_cast<float>(decode<e5m3>(sign | e5m3.quiet_nan()));
    return static_cast<float>(decode<e5m3>(sign | (bits & 0x7fU)) * 0x1p8);
}

uint32_t to_tf32(double value, Rounding rounding) {
    return static_cast<uint32_t>(encode<tf32>(value, rounding) << 13U);
}

uint16_t stochastic_half(float value, uint32_t random) {
    const auto bits = std::bit_cast<uint32_t>(value);
    const uint32_t magnitude = bits & 0x7fffffffU;
    if (magnitude >= binary32.infinity())
        return to_half(static_cast<double>(value), Rounding::zero);
    // The sum of a finite number and 13 bits below its tenth mantissa bit stays finite: its last mantissa
    // bits are cut off anyhow, and a carry into the exponent is what rounding up to the next power of two
    // means.
    const uint32_t moved = magnitude + (random & 0x1fffU);
    const auto sign = static_cast<uint16_t>(bits >> 16U & 0x8000U);
    const float grown = std::bit_cast<float>(moved);
    if (moved >= binary32.infinity() || grown >= 0x1p16F)
        return static_cast<uint16_t>(sign | binary16.infinity());
    return static_cast<uint16_t>(sign | to_half(static_cast<double>(grown), Rounding::zero));
}

uint8_t stochastic_bf8(uint16_t half, uint32_t random) {
    const uint32_t magnitude = half & 0x7fffU;
    const auto sign = static_cast<uint8_t>(half >> 8U & 0x80U);
    if (magnitude > binary16.infinity())
        return static_cast<uint8_t>(sign | e5m2.quiet_nan() | (magnitude >> 8U));
    if (magnitude == binary16.infinity())
        return static_cast<uint8_t>(sign | e5m2.infinity());
    // BF8 is the upper byte of a half: a carry out of the cut bits moves to the next BF8, at the end to
    // infinity.
    return static_cast<uint8_t>(sign | ((magnitude + (random & 0xffU)) >> 8U));
}

namespace {

// What a magnitude in units of the last place becomes.
double nearest_whole(double units, uint16_t /*random*/) {
    return integral(units, Rounding::nearest_even);
}
double stochastic_whole(double units, uint16_t random) {
    const double whole = std::floor(units);
    return (units - whole) + static_cast<double>(random) * 0x1p-16 >= 1.0 ? whole + 1 : whole;
}
using Whole = double (*)(double units, uint16_t random);

uint8_t encode_e2m1(double value, uint16_t random, Whole whole) {
    constexpr uint8_t largest = 7;
    const auto sign = static_cast<uint8_t>(std::signbit(value) ? 8 : 0);
    const double magnitude = std::abs(value);
    if (!(magnitude < 6.0))
        return static_cast<uint8_t>(sign | largest);
    // Below 2 the last place is 0.5, below 4 it is 1, then 2; codes count the places from zero on.
    const double place = magnitude < 2.0 ? 0.5 : magnitude < 4.0 ? 1.0 : 2.0;
    const int before = magnitude < 2.0 ? 0 : magnitude < 4.0 ? 2 : 4;
    const int code = static_cast<int>(whole(magnitude / place, random)) + before;
    return static_cast<uint8_t>(sign | std::min<int>(code, largest));
}

uint8_t encode_int4(double value, uint16_t random, Whole whole) {
    if (std::isnan(value))
        return 0;
    const double limit = std::signbit(value) ? 8.0 : 7.0;
    const double magnitude = std::min(whole(std::min(std::abs(value), limit), random), limit);
    const int number = static_cast<int>(std::signbit(value) ? -magnitude : magnitude);
    return static_cast<uint8_t>(static_cast<unsigned>(number) & 15U);
}

} // namespace

uint8_t to_e2m1(double value) {
    return encode_e2m1(value, 0, nearest_whole);
}

float e2m1_to_float(uint8_t bits) {
    constexpr std::array magnitudes{0.0F, 0.5F, 1.0F, 1.5F, 2.0F, 3.0F, 4.0F, 6.0F};
    const float magnitude = magnitudes[bits & 7U];
    return (bits & 8U) != 0 ? -magnitude : magnitude;
}

uint8_t to_int4(double value) {
    return encode_int4(value, 0, nearest_whole);
}

uint8_t stochastic_e2m1(double value, uint16_t random) {
    return encode_e2m1(value, random, stochastic_whole);
}

uint8_t stochastic_int4(double value, uint16_t random) {
    return encode_int4(value, random, stochastic_whole);
}

float restricted_to_float(uint8_t bits) {
    const uint32_t sign = (bits & 0x80U) << 24U;
    const uint32_t magnitude = bits & 0x7fU;
    // The exponent's bias is 3, binary32's 127.
    const uint32_t moved = magnitude == 0 ? 0 : (magnitude << 19U) + (124U << 23U);
    return std::bit_cast<float>(sign | moved);
}

} // namespace visor::number
