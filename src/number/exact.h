// Arithmetic whose result, a binary64, still knows whether it was exact: rounded to odd. Rounding such a
// number to a format of at most 50 mantissa bits, in any mode, gives what one rounding of the exact result
// would give. Operands must be values of binary32 or a narrower format: then nothing here overflows or
// underflows binary64.
#pragma once

#include "number/round.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace visor::number {

// `sum` is the nearest binary64 to sum + error. When the error is not zero, of the two neighbours of the
// exact value the one with an odd last bit. A NaN error (infinities among the operands) leaves the sum alone.
[[nodiscard]] inline double round_to_odd(double sum, double error) {
    // An odd sum stays; an even one moves one step towards the error: setting the last bit steps outwards,
    // taking one away first steps inwards. In integers, without comparisons, so that any vector unit can do
    // it.
    constexpr uint64_t sign = uint64_t{1} << 63U;
    constexpr uint64_t lowest_exponent_bit = uint64_t{1} << 52U;
    const auto bits = std::bit_cast<uint64_t>(sum);
    const auto error_bits = std::bit_cast<uint64_t>(error);
    const uint64_t magnitude = error_bits & ~sign;
    const uint64_t is_zero = ~(magnitude | (0 - magnitude)) >> 63U;
    const uint64_t is_nan = (magnitude + lowest_exponent_bit) >> 63U;
    const uint64_t inexact = (is_zero | is_nan) ^ 1U;
    const uint64_t inwards = (bits ^ error_bits) >> 63U;
    return std::bit_cast<double>((bits - (inexact & inwards)) | inexact);
}

[[nodiscard]] inline double odd_add(double a, double b) {
    const double sum = a + b;
    const double b_part = sum - a;
    const double a_part = sum - b_part;
    return round_to_odd(sum, (a - a_part) + (b - b_part));
}

// Likewise, with the sign that the mode gives to an exact zero: the only thing about it that a later rounding
// cannot know.
[[nodiscard]] inline double odd_add(double a, double b, Rounding rounding) {
    const double sum = odd_add(a, b);
    const bool negative = rounding == Rounding::down && (std::signbit(a) || std::signbit(b));
    return sum == 0 && negative ? -0.0 : sum;
}

// 24 by 24 bits fit into 53.
[[nodiscard]] inline double odd_multiply(double a, double b) {
    return a * b;
}

[[nodiscard]] inline double odd_multiply_add(double a, double b, double c) {
    return odd_add(a * b, c);
}
[[nodiscard]] inline double odd_multiply_add(double a, double b, double c, Rounding rounding) {
    return odd_add(a * b, c, rounding);
}

[[nodiscard]] inline double odd_divide(double a, double b) {
    const double quotient = a / b;
    if (!std::isfinite(quotient) || !std::isfinite(b))
        return quotient;
    const double rest = std::fma(-quotient, b, a); // exact
    return round_to_odd(quotient, b < 0 ? -rest : rest);
}

[[nodiscard]] inline double odd_square_root(double a) {
    const double root = std::sqrt(a);
    if (!std::isfinite(root))
        return root;
    return round_to_odd(root, std::fma(-root, root, a));
}

} // namespace visor::number
