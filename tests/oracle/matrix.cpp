#include "oracle/matrix.h"

#include <algorithm>
#include <cmath>

namespace oracle {

namespace {

uint32_t bits_at(const std::vector<std::byte>& bytes, size_t bit, unsigned count) {
    uint32_t value = 0;
    for (unsigned i = 0; i < count; ++i) {
        const size_t at = bit + i;
        value |= (std::to_integer<uint32_t>(bytes.at(at / 8)) >> at % 8 & 1U) << i;
    }
    return value;
}

} // namespace

const std::vector<Precision>& precisions() {
    static const std::vector<Precision> all{
        {"u1", 1, false, 0, 0},    {"s1", 1, false, 0, 0},  {"u2", 2, false, 0, 0}, {"s2", 2, false, 0, 0},
        {"u4", 4, false, 0, 0},    {"s4", 4, false, 0, 0},  {"u8", 8, false, 0, 0}, {"s8", 8, false, 0, 0},
        {"bf", 16, true, 7, 8},    {"hf", 16, true, 10, 5}, {"bf8", 8, true, 2, 5}, {"hf8", 8, true, 3, 4},
        {"tf32", 32, true, 10, 8},
    };
    return all;
}

const Precision& precision(std::string_view name) {
    return *std::ranges::find_if(precisions(), [&](const Precision& one) { return name == one.name; });
}

double value_of(const Precision& precision, uint32_t bits) {
    if (!precision.is_float) {
        const bool negative = precision.name[0] == 's' && (bits >> (precision.bits - 1) & 1U) != 0;
        return static_cast<double>(bits) -
               (negative ? std::ldexp(1.0, static_cast<int>(precision.bits)) : 0.0);
    }
    const int stored = precision.mantissa_bits;
    if (precision.bits == 32) // tf32: sign, 8 and 10 bits at the top of the dword
        bits >>= 13U;
    const auto fraction = static_cast<double>(bits & ((1U << stored) - 1U));
    const int exponent = static_cast<int>(bits >> stored & ((1U << precision.exponent_bits) - 1U));
    const int bias = (1 << (precision.exponent_bits - 1)) - 1;
    const double sign = (bits >> (stored + precision.exponent_bits) & 1U) != 0 ? -1.0 : 1.0;
    if (exponent == 0)
        return sign * std::ldexp(fraction, 1 - bias - stored);
    return sign * std::ldexp(fraction + std::ldexp(1.0, stored), exponent - bias - stored);
}

unsigned Product::per_depth() const {
    if (b.is_float)
        return 32 / b.bits;
    return std::max(a.bits, b.bits) == 8 ? 4 : 8;
}

// A column of B fills a dword of a column of registers, then that of the next register.
size_t Product::place_in_b(unsigned k, unsigned column) const {
    const unsigned in_dword = 32 / b.bits;
    return (size_t{k / in_dword} * lanes + column) * 32 + size_t{k % in_dword} * b.bits;
}

// "Src2 is advanced 8*OPS_PER_CHAN for each repeat advance"
size_t Product::place_in_a(unsigned row, unsigned k) const {
    return (size_t{row} * 8 * per_depth() + k) * a.bits;
}

size_t Product::bytes_of_b() const {
    return size_t{(inner() * b.bits + 31) / 32} * lanes * 4;
}
size_t Product::bytes_of_a() const {
    return size_t{repeat} * 8 * per_depth() * a.bits / 8;
}

Sum cell(const Product& product, const std::vector<std::byte>& b, const std::vector<std::byte>& a,
         double start, unsigned row, unsigned column) {
    Sum sum{start, std::abs(start)};
    for (unsigned k = 0; k < product.inner(); ++k) {
        const double term = value_of(product.a, bits_at(a, product.place_in_a(row, k), product.a.bits)) *
                            value_of(product.b, bits_at(b, product.place_in_b(k, column), product.b.bits));
        sum.value += term;
        sum.magnitude += std::abs(term);
    }
    return sum;
}

} // namespace oracle
