// Binary floating-point formats by their field widths: one encoder and one decoder for all of them, in
// integer arithmetic, so that no result hangs on the host's floating-point environment. Formats whose largest
// exponent is not reserved for infinities (e4m3, restricted floats) are not of this family: see half.h.
#pragma once

#include "number/round.h"

#include <bit>
#include <cstdint>

namespace visor::number {

struct Format {
    int exponent_bits;
    int mantissa_bits;

    [[nodiscard]] constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    [[nodiscard]] constexpr int smallest_exponent() const { return 1 - bias(); } // of a normal number
    [[nodiscard]] constexpr uint64_t sign() const { return uint64_t{1} << (exponent_bits + mantissa_bits); }
    [[nodiscard]] constexpr uint64_t infinity() const {
        return ((uint64_t{1} << exponent_bits) - 1) << mantissa_bits;
    }
    [[nodiscard]] constexpr uint64_t mantissa_mask() const { return (uint64_t{1} << mantissa_bits) - 1; }
    [[nodiscard]] constexpr uint64_t quiet_nan() const {
        return infinity() | uint64_t{1} << (mantissa_bits - 1);
    }
};

inline constexpr Format binary64{11, 52};
inline constexpr Format binary32{8, 23};
inline constexpr Format binary16{5, 10};
inline constexpr Format bfloat16{8, 7};
inline constexpr Format e5m2{5, 2};
inline constexpr Format tf32{8, 10}; // its bits stand in the upper 19 of a dword

// (-1)^negative * significand * 2^exponent, plus something smaller than one unit of the significand when
// `sticky`.
struct Exact {
    bool negative = false;
    uint64_t significand = 0;
    int exponent = 0;
    bool sticky = false;
};

namespace detail {

// Whether the part that is cut off rounds the kept bits away from zero.
[[nodiscard]] constexpr bool rounds_away(Rounding rounding, bool negative, bool odd, bool half, bool rest) {
    switch (rounding) {
    case Rounding::nearest_even:
        return half && (rest || odd);
    case Rounding::up:
        return !negative && (half || rest);
    case Rounding::down:
        return negative && (half || rest);
    case Rounding::zero:
        break;
    }
    return false;
}

[[nodiscard]] constexpr uint64_t overflow(const Format& format, Rounding rounding, bool negative) {
    const bool to_infinity = rounding == Rounding::nearest_even || (rounding == Rounding::up && !negative) ||
                             (rounding == Rounding::down && negative);
    return to_infinity ? format.infinity() : format.infinity() - 1;
}

} // namespace detail

// The bits of the value in the format, rounded once.
template <Format format>
[[nodiscard]] constexpr uint64_t encode(Exact value, Rounding rounding) {
    const uint64_t sign = value.negative ? format.sign() : 0;
    if (value.significand == 0)
        return sign;
    const int shift = std::countl_zero(value.significand);
    const uint64_t top = value.significand << shift; // bit 63 set
    const int exponent = value.exponent - shift + 63;
    const int below_normal =
        exponent < format.smallest_exponent() ? format.smallest_exponent() - exponent : 0;
    const int drop = 63 - format.mantissa_bits + below_normal; // bits cut off; 64 and more leave nothing
    const uint64_t kept = drop < 64 ? top >> drop : 0;
    const bool half = drop <= 64 && (top >> (drop - 1) & 1) != 0;
    const bool rest = value.sticky || drop > 64 || (top & ((uint64_t{1} << (drop - 1)) - 1)) != 0;
    const uint64_t rounded =
        kept + (detail::rounds_away(rounding, value.negative, (kept & 1) != 0, half, rest) ? 1 : 0);
    // Adding the exponent to a mantissa that still has its hidden bit lets a carry run into the exponent.
    const auto steps =
        below_normal != 0 ? uint64_t{0} : static_cast<uint64_t>(exponent - format.smallest_exponent());
    if (steps >= format.infinity() >> format.mantissa_bits)
        return sign | detail::overflow(format, rounding, value.negative);
    const uint64_t bits = (steps << format.mantissa_bits) + rounded;
    return sign | (bits >= format.infinity() ? detail::overflow(format, rounding, value.negative) : bits);
}

// A binary64 number in another format. NaN stays NaN, quiet, with the upper bits of its payload.
template <Format format>
[[nodiscard]] constexpr uint64_t encode(double value, Rounding rounding) {
    const auto bits = std::bit_cast<uint64_t>(value);
    const bool negative = (bits & binary64.sign()) != 0;
    const uint64_t magnitude = bits & ~binary64.sign();
    const uint64_t sign = negative ? format.sign() : 0;
    if (magnitude > binary64.infinity()) {
        const int cut = binary64.mantissa_bits - format.mantissa_bits;
        return sign | format.quiet_nan() | ((magnitude & binary64.mantissa_mask()) >> cut);
    }
    if (magnitude == binary64.infinity())
        return sign | format.infinity();
    const auto field = static_cast<int>(magnitude >> binary64.mantissa_bits);
    const int lowest = format.smallest_exponent() + binary64.bias();
    if (format.exponent_bits < binary64.exponent_bits && rounding == Rounding::nearest_even &&
        field >= lowest && field <= format.bias() + binary64.bias()) {
        // The everyday case in three steps: cut with rounding, which may carry into the exponent up to
        // infinity, and count exponents from this format's.
        const int cut = binary64.mantissa_bits - format.mantissa_bits;
        const uint64_t half = (uint64_t{1} << (cut - 1)) - 1 + (magnitude >> cut & 1);
        return sign |
               (((magnitude + half) >> cut) - (static_cast<uint64_t>(lowest - 1) << format.mantissa_bits));
    }
    const uint64_t mantissa = magnitude & binary64.mantissa_mask();
    const uint64_t hidden = field != 0 ? uint64_t{1} << binary64.mantissa_bits : 0;
    const int exponent = (field != 0 ? field : 1) - binary64.bias() - binary64.mantissa_bits;
    return encode<format>(Exact{negative, mantissa | hidden, exponent, false}, rounding);
}

// Exact: every format here is part of binary64.
template <Format format>
[[nodiscard]] constexpr double decode(uint64_t bits) {
    const uint64_t sign = (bits & format.sign()) != 0 ? binary64.sign() : 0;
    const auto field = static_cast<int>((bits & format.infinity()) >> format.mantissa_bits);
    const uint64_t mantissa = bits & format.mantissa_mask();
    const int widen = binary64.mantissa_bits - format.mantissa_bits;
    if (field == static_cast<int>(format.infinity() >> format.mantissa_bits))
        return std::bit_cast<double>(sign | binary64.infinity() | mantissa << widen);
    const uint64_t hidden = field != 0 ? uint64_t{1} << format.mantissa_bits : 0;
    const int exponent = (field != 0 ? field : 1) - format.bias() - format.mantissa_bits;
    return std::bit_cast<double>(
        sign | encode<binary64>(Exact{false, mantissa | hidden, exponent, false}, Rounding::zero));
}

} // namespace visor::number
