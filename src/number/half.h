// The formats narrower than binary32, and their conversions: half, bfloat16, the 8-bit floats, tf32, the
// restricted floats of packed immediates. Values are bits in the smallest unsigned integer that holds them;
// all of them convert to binary32 without loss.
#pragma once

#include "number/format.h"

#include <cstdint>

namespace visor::number {

[[nodiscard]] inline float half_to_float(uint16_t half) {
    // Without a branch, so that loops over lanes can use vector instructions. A denormal is read as the
    // mantissa of 2^-14 and that 2^-14 taken away again, which is exact.
    const uint32_t sign = (half & 0x8000U) << 16U;
    const uint32_t magnitude = (half & 0x7fffU) << 13U;
    const uint32_t shifted = magnitude + (112U << 23U);
    const uint32_t special = magnitude >= 0x0f800000U ? 112U << 23U : 0U;
    const float denormal = std::bit_cast<float>(magnitude + (113U << 23U)) - 0x1p-14F;
    const uint32_t bits = magnitude < 0x00800000U ? std::bit_cast<uint32_t>(denormal) : shifted + special;
    return std::bit_cast<float>(bits | sign);
}

[[nodiscard]] inline float bfloat_to_float(uint16_t bfloat) {
    return std::bit_cast<float>(static_cast<uint32_t>(bfloat) << 16U);
}

// One rounding, from the exact value that a double holds.
[[nodiscard]] uint16_t to_half(double value, Rounding rounding);
[[nodiscard]] uint16_t to_bfloat(double value, Rounding rounding);
[[nodiscard]] float to_float(double value, Rounding rounding);

// An integer, as sign and magnitude.
[[nodiscard]] uint16_t integer_to_half(bool negative, uint64_t magnitude, Rounding rounding);
[[nodiscard]] uint16_t integer_to_bfloat(bool negative, uint64_t magnitude, Rounding rounding);
[[nodiscard]] float integer_to_float(bool negative, uint64_t magnitude, Rounding rounding);
[[nodiscard]] double integer_to_double(bool negative, uint64_t magnitude, Rounding rounding);

// BF8 (1-5-2: infinities and NaN as in binary16).
[[nodiscard]] uint8_t to_bf8(double value, Rounding rounding);
[[nodiscard]] float bf8_to_float(uint8_t bits);

// HF8 (1-4-3): no infinities, 0x7f and 0xff are NaN, the largest number is 448. What rounds past it becomes
// NaN.
[[nodiscard]] uint8_t to_hf8(double value, Rounding rounding);
[[nodiscard]] float hf8_to_float(uint8_t bits);

// tf32 (1-8-10) in the upper bits of a dword whose other bits are zero: itself a binary32.
[[nodiscard]] uint32_t to_tf32(double value, Rounding rounding);

// Stochastic rounding (SRND page): random bits are added below the kept mantissa, what overhangs is cut off.
// 13 bits for float to half, 8 for half to BF8. Denormals are kept; what grows past the largest number
// becomes infinite.
[[nodiscard]] uint16_t stochastic_half(float value, uint32_t random);
[[nodiscard]] uint8_t stochastic_bf8(uint16_t half, uint32_t random);

// FP4 (1-2-1, bias 1): 0 0.5 1 1.5 2 3 4 6 and their negatives. What is larger, infinities and NaN become the
// largest number of their sign.
[[nodiscard]] uint8_t to_e2m1(double value);     // to nearest even
[[nodiscard]] float e2m1_to_float(uint8_t bits); // of the low four bits

// Four bits in two's complement, saturated; NaN is zero.
[[nodiscard]] uint8_t to_int4(double value); // to nearest even

// Likewise, rounded away from zero where what is cut off, as a fraction of the last place, and random/65536
// make one or more (ruling 123).
[[nodiscard]] uint8_t stochastic_e2m1(double value, uint16_t random);
[[nodiscard]] uint8_t stochastic_int4(double value, uint16_t random);

// One element of a VF immediate: 1-3-4, bias 3, no denormals; all-zero exponent and mantissa is zero.
[[nodiscard]] float restricted_to_float(uint8_t bits);

} // namespace visor::number
