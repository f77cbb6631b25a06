// Integers wider than the host's, and what wide results become in a narrower destination.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace visor::number {

// Holds every sum, difference, shift and comparison of 64-bit operands of either signedness.
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

namespace detail {
template <class T>
struct Unsigned {
    using Type = std::make_unsigned_t<T>;
};
template <>
struct Unsigned<Wide> {
    using Type = UnsignedWide;
};
} // namespace detail

// The unsigned type of the same width, the widest included.
template <class T>
using Unsigned = typename detail::Unsigned<T>::Type;

// Products and sums that may leave even 128 bits wrap.
[[nodiscard]] constexpr Wide wrapping_multiply(Wide a, Wide b) {
    return static_cast<Wide>(static_cast<UnsignedWide>(a) * static_cast<UnsignedWide>(b));
}
[[nodiscard]] constexpr Wide wrapping_add(Wide a, Wide b) {
    return static_cast<Wide>(static_cast<UnsignedWide>(a) + static_cast<UnsignedWide>(b));
}

// Saturation (2_datatypes.md): the nearest value that the destination can hold.
template <std::integral I, class From>
[[nodiscard]] constexpr I saturate(From value) {
    constexpr auto low = static_cast<Wide>(std::numeric_limits<I>::min());
    constexpr auto high = static_cast<Wide>(std::numeric_limits<I>::max());
    const auto wide = static_cast<Wide>(value);
    return static_cast<I>(wide < low ? low : wide > high ? high : wide);
}

// Saturation of floats: to [0, 1], NaN and negative zero to +0.
template <std::floating_point T>
[[nodiscard]] constexpr T saturate_unit(T value) {
    return value > T(0) ? (value < T(1) ? value : T(1)) : T(0);
}

} // namespace visor::number
