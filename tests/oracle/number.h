// Numbers as vISA has them (2_datatypes.md), with code of the oracle's own: element types, and floats as
// bits. Exact results are a double and the sign of what it leaves out, which is enough to round to any
// narrower format.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace oracle {

enum class Type : uint8_t { ud, d, uw, w, ub, b, uq, q, f, df, hf, bf };
inline constexpr unsigned type_count = 12;

[[nodiscard]] const char* name(Type type);
[[nodiscard]] std::optional<Type> type_named(std::string_view name);
[[nodiscard]] unsigned bytes(Type type);
[[nodiscard]] bool is_float(Type type);
[[nodiscard]] bool is_signed(Type type);

enum class Round : uint8_t { even, up, down, zero };

__extension__ typedef __int128 Wide; // a keyword that only `typedef` lets through -Wpedantic

// The number that an integer element's bits are.
[[nodiscard]] Wide integer_of(Type type, uint64_t bits);
[[nodiscard]] Wide least(Type type);
[[nodiscard]] Wide greatest(Type type);
[[nodiscard]] uint64_t low_bits(Type type, Wide value);
[[nodiscard]] uint64_t clamped(Type type, Wide value);

// Mantissa digits with the hidden one, exponent bits; IEEE 754's pattern.
struct Layout {
    int digits;
    int exponent_bits;
};
inline constexpr Layout single{24, 8};
inline constexpr Layout half{11, 5};
inline constexpr Layout brain{8, 8};
inline constexpr Layout binary64{53, 11};
inline constexpr Layout bfloat8{3, 5}; // what fcvt and srnd call ub
[[nodiscard]] Layout layout(Type type);

// A double, plus something of the sign `rest` (-1, 0, 1) smaller than half its last digit.
struct Exact {
    double value = 0;
    int rest = 0;
};

[[nodiscard]] double decoded(Layout layout, uint64_t bits);
[[nodiscard]] uint64_t encoded(Layout layout, Exact exact, Round round);
[[nodiscard]] double real_of(Type type, uint64_t bits);
[[nodiscard]] uint64_t bits_of(Type type, Exact exact, Round round);
[[nodiscard]] Exact exact_of(Wide value);

[[nodiscard]] bool is_nan(Type type, uint64_t bits);
[[nodiscard]] bool is_denormal(Type type, uint64_t bits);
[[nodiscard]] uint64_t sign_bit(Type type);

} // namespace oracle
