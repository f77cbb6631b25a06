// Rounding modes, and what a mode does to numbers that already are binary64: arithmetic in a directed mode,
// rounding to an integral value, conversion to integers. Conversions between formats stand in format.h.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

namespace visor::number {

// The values are the codes of the control register's rounding field (cr0 bits 5..4).
enum class Rounding : uint8_t { nearest_even = 0, up = 1, down = 2, zero = 3 };

// binary64 arithmetic with one rounding in the given mode. Slow but for nearest_even: it switches the host's
// rounding mode for the one operation.
[[nodiscard]] double add(double a, double b, Rounding rounding);
[[nodiscard]] double multiply(double a, double b, Rounding rounding);
[[nodiscard]] double multiply_add(double a, double b, double c, Rounding rounding);
[[nodiscard]] double divide(double a, double b, Rounding rounding);
[[nodiscard]] double square_root(double a, Rounding rounding);

// The integral value that the mode chooses, in the same format. Keeps the sign of zero; infinities and NaN
// pass, a signalling one as a quiet one.
template <std::floating_point T>
[[nodiscard]] T integral(T value, Rounding rounding) {
    if (std::isnan(value))
        return value + value; // what compilers make of std::floor and its like may leave it signalling
    switch (rounding) {
    case Rounding::up:
        return std::ceil(value);
    case Rounding::down:
        return std::floor(value);
    case Rounding::zero:
        return std::trunc(value);
    case Rounding::nearest_even:
        break;
    }
    // Not std::nearbyint: its result would hang on the host's rounding mode.
    const T below = std::floor(value);
    const T rest = value - below; // exact
    if (rest < T(0.5))
        return std::copysign(below, value);
    if (rest > T(0.5))
        return std::copysign(below + 1, value);
    const T half = below / 2;
    return std::copysign(rest == T(0.5) && half != std::floor(half) ? below + 1 : below, value);
}

// Float to integer (2_datatypes.md): the mode chooses the integer, out of range clamps, NaN gives 0.
template <std::integral I>
[[nodiscard]] I to_integer(double value, Rounding rounding) {
    using Limits = std::numeric_limits<I>;
    if (std::isnan(value))
        return 0;
    // The host's conversion cuts the fraction off by itself.
    const double whole = rounding == Rounding::zero ? value : integral(value, rounding);
    // 2^digits is exact in binary64, the largest integer itself need not be.
    const double past_end = std::ldexp(1.0, Limits::digits);
    if (whole >= past_end)
        return Limits::max();
    if (whole <= static_cast<double>(Limits::min()))
        return Limits::min();
    return static_cast<I>(whole);
}

} // namespace visor::number
