// The DWORD_ATOMIC page's table, with rulings 22, 23, 25, 35 and 36.
#include "oracle/memory.h"
#include "oracle/number.h"

#include <cmath>
#include <cstdlib>

namespace oracle {

namespace {

uint64_t mask(unsigned bits) {
    return bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
}

int64_t as_signed(uint64_t value, unsigned bits) {
    const unsigned unused = 64 - bits;
    return static_cast<int64_t>(value << unused) >> unused;
}

Type float_type(unsigned bits) {
    return bits == 16 ? Type::hf : bits == 32 ? Type::f : Type::df;
}

// "The number wins over NaN; -0 < +0" (ruling 25).
uint64_t extreme(unsigned bits, uint64_t old, uint64_t source, bool largest, bool& free_bits) {
    const Type type = float_type(bits);
    if (is_nan(type, old) || is_nan(type, source)) {
        free_bits = is_nan(type, old) && is_nan(type, source);
        return is_nan(type, old) ? source : old;
    }
    const double a = real_of(type, old);
    const double b = real_of(type, source);
    const bool a_below = a < b || (a == b && std::signbit(a) && !std::signbit(b));
    return a_below == largest ? source : old;
}

// Two doubles hold the sum of any two narrower floats well enough that rounding it again is exact.
uint64_t sum(unsigned bits, uint64_t old, uint64_t source, bool subtract, bool& free_bits) {
    const Type type = float_type(bits);
    const double b = real_of(type, source);
    const double value = real_of(type, old) + (subtract ? -b : b);
    free_bits = std::isnan(value);
    return bits_of(type, {value, 0}, Round::even);
}

std::optional<uint64_t> integer(const std::string& op, unsigned bits, uint64_t old, uint64_t src0,
                                uint64_t src1) {
    const bool below = as_signed(old, bits) < as_signed(src0, bits);
    if (op == "add")
        return old + src0;
    if (op == "sub")
        return old - src0;
    if (op == "inc")
        return old + 1;
    if (op == "dec" || op == "predec")
        return old - 1;
    if (op == "min")
        return old < src0 ? old : src0;
    if (op == "max")
        return old < src0 ? src0 : old;
    if (op == "minsint")
        return below ? old : src0;
    if (op == "maxsint")
        return below ? src0 : old;
    if (op == "xchg")
        return src0;
    if (op == "cmpxchg")
        return old == src1 ? src0 : old;
    if (op == "and")
        return old & src0;
    if (op == "or")
        return old | src0;
    if (op == "xor")
        return old ^ src0;
    if (op == "load")
        return old;
    return std::nullopt;
}

uint64_t real(const std::string& op, unsigned bits, uint64_t old, uint64_t src0, uint64_t src1,
              bool& free_bits) {
    const Type type = float_type(bits);
    if (op == "fmin" || op == "fmax")
        return extreme(bits, old, src0, op == "fmax", free_bits);
    if (op == "fadd" || op == "fsub")
        return sum(bits, old, src0, op == "fsub", free_bits);
    if (op == "fcmpwr") // == of floats: NaN equals nothing
        return real_of(type, old) == real_of(type, src0) ? src1 : old;
    std::abort();
}

} // namespace

Updated atomic(const std::string& op, unsigned bits, uint64_t old, uint64_t src0, uint64_t src1) {
    Updated out;
    old &= mask(bits);
    src0 &= mask(bits);
    src1 &= mask(bits);
    const auto whole = integer(op, bits, old, src0, src1);
    out.memory = (whole ? *whole : real(op, bits, old, src0, src1, out.free_bits)) & mask(bits);
    out.returned = op == "predec" ? out.memory : old; // ruling 23
    return out;
}

} // namespace oracle
