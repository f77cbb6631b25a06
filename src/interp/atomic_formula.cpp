// The table of atomic operations. Values are bits in unsigned integers of the access's width. Floats are
// ordered by their bits, so that one formula handles half, single and double.
#include "interp/atomic_formula.h"

#include "number/half.h"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

namespace visor::interp {
namespace {

// Mantissa bits of the IEEE format of a width; bfloat16 is the other format of 16 bits.
struct Ieee {
    template <class T>
    static constexpr unsigned mantissa_bits = sizeof(T) == 2   ? 10
                                              : sizeof(T) == 4 ? 23
                                                               : 52;

    static double value(uint16_t bits) { return number::half_to_float(bits); }
    static uint16_t round(double value) { return number::to_half(value, number::Rounding::nearest_even); }
};
struct Bfloat {
    template <class T>
    static constexpr unsigned mantissa_bits = 7;

    static double value(uint16_t bits) { return number::bfloat_to_float(bits); }
    static uint16_t round(double value) { return number::to_bfloat(value, number::Rounding::nearest_even); }
};

template <class T>
constexpr T sign_bit = static_cast<T>(T{1} << (8 * sizeof(T) - 1));

template <class Format, class T>
bool is_nan(T bits) {
    const auto magnitude = static_cast<T>(bits & ~sign_bit<T>);
    const auto infinity = static_cast<T>(
        (sign_bit<T> - 1U) >> Format::template mantissa_bits<T> << Format::template mantissa_bits<T>);
    return magnitude > infinity;
}

// Has the order of the numbers, -0 before +0 (ruling 25).
template <class T>
T rank(T bits) {
    return (bits & sign_bit<T>) != 0 ? static_cast<T>(~bits) : static_cast<T>(bits | sign_bit<T>);
}

template <class Format, class T>
T smaller(T old, T value) {
    if (is_nan<Format>(value))
        return old;
    return is_nan<Format>(old) || rank(value) < rank(old) ? value : old;
}
template <class Format, class T>
T larger(T old, T value) {
    if (is_nan<Format>(value))
        return old;
    return is_nan<Format>(old) || rank(value) > rank(old) ? value : old;
}

// ==: a NaN equals nothing, the zeros equal each other.
template <class Format, class T>
bool equal(T a, T b) {
    const bool zeros = ((a | b) & static_cast<T>(~sign_bit<T>)) == 0;
    return zeros || (a == b && !is_nan<Format>(a));
}

// Sum of two floats, rounded to nearest even. A double is precise enough for the sum of two 16-bit floats:
// rounding it again equals rounding the exact sum.
template <class Format, class T>
T sum(T a, T b) {
    if constexpr (sizeof(T) == 2)
        return Format::round(Format::value(a) + Format::value(b));
    else if constexpr (sizeof(T) == 4)
        return std::bit_cast<T>(std::bit_cast<float>(a) + std::bit_cast<float>(b));
    else
        return std::bit_cast<T>(std::bit_cast<double>(a) + std::bit_cast<double>(b));
}
template <class Format, class T>
T difference(T a, T b) {
    return sum<Format>(a, static_cast<T>(b ^ sign_bit<T>));
}

template <class T>
bool signed_less(T a, T b) {
    using Signed = std::make_signed_t<T>;
    return static_cast<Signed>(a) < static_cast<Signed>(b);
}

constexpr size_t code_limit = 0x26;

// One formula, a generic lambda, at the three widths.
template <class Meaning>
constexpr AtomicRow row(AtomicOp op, Meaning meaning, bool returns_new = false) {
    return {op, returns_new, meaning, meaning, meaning};
}
template <class Meaning>
constexpr AtomicRow word_row(AtomicOp op, Meaning meaning) {
    return {op, false, meaning, nullptr, nullptr};
}

// DWORD_ATOMIC page, table DWORD_ATOMIC_OP.
constexpr std::array rows{
    row(AtomicOp::add,
        [](auto old, auto a, auto) -> decltype(old) { return static_cast<decltype(old)>(old + a); }),
    row(AtomicOp::sub,
        [](auto old, auto a, auto) -> decltype(old) { return static_cast<decltype(old)>(old - a); }),
    row(AtomicOp::inc,
        [](auto old, auto, auto) -> decltype(old) { return static_cast<decltype(old)>(old + 1U); }),
    row(AtomicOp::dec,
        [](auto old, auto, auto) -> decltype(old) { return static_cast<decltype(old)>(old - 1U); }),
    row(AtomicOp::min, [](auto old, auto a, auto) -> decltype(old) { return std::min(old, a); }),
    row(AtomicOp::max, [](auto old, auto a, auto) -> decltype(old) { return std::max(old, a); }),
    row(AtomicOp::xchg, [](auto, auto a, auto) -> decltype(a) { return a; }),
    row(AtomicOp::cmpxchg, [](auto old, auto a, auto b) -> decltype(old) { return old == b ? a : old; }),
    row(AtomicOp::and_,
        [](auto old, auto a, auto) -> decltype(old) { return static_cast<decltype(old)>(old & a); }),
    row(AtomicOp::or_,
        [](auto old, auto a, auto) -> decltype(old) { return static_cast<decltype(old)>(old | a); }),
    row(AtomicOp::xor_,
        [](auto old, auto a, auto) -> decltype(old) { return static_cast<decltype(old)>(old ^ a); }),
    row(AtomicOp::imin,
        [](auto old, auto a, auto) -> decltype(old) { return signed_less(a, old) ? a : old; }),
    row(AtomicOp::imax,
        [](auto old, auto a, auto) -> decltype(old) { return signed_less(old, a) ? a : old; }),
    row(
        AtomicOp::predec,
        [](auto old, auto, auto) -> decltype(old) { return static_cast<decltype(old)>(old - 1U); }, true),
    row(AtomicOp::fmax, [](auto old, auto a, auto) -> decltype(old) { return larger<Ieee>(old, a); }),
    row(AtomicOp::fmin, [](auto old, auto a, auto) -> decltype(old) { return smaller<Ieee>(old, a); }),
    row(AtomicOp::fcmpwr,
        [](auto old, auto a, auto b) -> decltype(old) { return equal<Ieee>(old, a) ? b : old; }),
    row(AtomicOp::fadd, [](auto old, auto a, auto) -> decltype(old) { return sum<Ieee>(old, a); }),
    row(AtomicOp::fsub, [](auto old, auto a, auto) -> decltype(old) { return difference<Ieee>(old, a); }),
    row(AtomicOp::load, [](auto old, auto, auto) -> decltype(old) { return old; }),
    word_row(AtomicOp::bf_add, [](auto old, auto a, auto) -> decltype(old) { return sum<Bfloat>(old, a); }),
    word_row(AtomicOp::bf_sub,
             [](auto old, auto a, auto) -> decltype(old) { return difference<Bfloat>(old, a); }),
    word_row(AtomicOp::bf_min,
             [](auto old, auto a, auto) -> decltype(old) { return smaller<Bfloat>(old, a); }),
    word_row(AtomicOp::bf_max,
             [](auto old, auto a, auto) -> decltype(old) { return larger<Bfloat>(old, a); }),
    word_row(AtomicOp::bf_cas,
             [](auto old, auto a, auto b) -> decltype(old) { return equal<Bfloat>(old, a) ? b : old; }),
};

// Indexed by code: a handler finds its formula in one lookup.
constexpr auto by_code = [] {
    std::array<const AtomicRow*, code_limit> found{};
    for (const AtomicRow& row : rows)
        found[static_cast<uint8_t>(row.op)] = &row;
    return found;
}();

} // namespace

const AtomicRow* atomic_row(uint8_t code) {
    return code < code_limit ? by_code[code] : nullptr;
}

} // namespace visor::interp
