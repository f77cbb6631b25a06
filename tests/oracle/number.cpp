#include "oracle/number.h"

#include <array>
#include <bit>
#include <cmath>

namespace oracle {

namespace {

struct Facts {
    const char* name;
    unsigned bytes;
    bool is_float;
    bool is_signed;
};
constexpr std::array<Facts, type_count> facts{{{"ud", 4, false, false},
                                               {"d", 4, false, true},
                                               {"uw", 2, false, false},
                                               {"w", 2, false, true},
                                               {"ub", 1, false, false},
                                               {"b", 1, false, true},
                                               {"uq", 8, false, false},
                                               {"q", 8, false, true},
                                               {"f", 4, true, true},
                                               {"df", 8, true, true},
                                               {"hf", 2, true, true},
                                               {"bf", 2, true, true}}};

const Facts& of(Type type) {
    return facts.at(static_cast<size_t>(type));
}

constexpr Wide one = 1;

// How many digits to add to `kept`: 0 or 1. `odd` is its last digit, `dropped` what follows it, of which
// `middle` would be one half.
uint64_t carry(Round round, bool negative, bool odd, uint64_t dropped, uint64_t middle) {
    switch (round) {
    case Round::even:
        return dropped > middle || (dropped == middle && odd) ? 1 : 0;
    case Round::up:
        return dropped != 0 && !negative ? 1 : 0;
    case Round::down:
        return dropped != 0 && negative ? 1 : 0;
    case Round::zero:
        break;
    }
    return 0;
}

} // namespace

const char* name(Type type) {
    return of(type).name;
}
std::optional<Type> type_named(std::string_view name) {
    for (unsigned i = 0; i < type_count; ++i) {
        if (name == facts.at(i).name)
            return static_cast<Type>(i);
    }
    return std::nullopt;
}
unsigned bytes(Type type) {
    return of(type).bytes;
}
bool is_float(Type type) {
    return of(type).is_float;
}
bool is_signed(Type type) {
    return of(type).is_signed;
}

Wide integer_of(Type type, uint64_t bits) {
    const unsigned width = 8 * bytes(type);
    Wide value = bits;
    if (width < 64)
        value &= (one << width) - 1;
    if (is_signed(type) && (value >> (width - 1) & 1) != 0)
        value -= one << width;
    return value;
}
Wide least(Type type) {
    return is_signed(type) ? -(one << (8 * bytes(type) - 1)) : 0;
}
Wide greatest(Type type) {
    return (one << (8 * bytes(type) - (is_signed(type) ? 1 : 0))) - 1;
}
uint64_t low_bits(Type type, Wide value) {
    return static_cast<uint64_t>(value & ((one << (8 * bytes(type))) - 1));
}
uint64_t clamped(Type type, Wide value) {
    return low_bits(type, value < least(type)      ? least(type)
                          : value > greatest(type) ? greatest(type)
                                                   : value);
}

Layout layout(Type type) {
    switch (type) {
    case Type::df:
        return binary64;
    case Type::hf:
        return half;
    case Type::bf:
        return brain;
    default:
        return single;
    }
}

double decoded(Layout layout, uint64_t bits) {
    const int stored = layout.digits - 1;
    const uint64_t fraction = bits & ((uint64_t{1} << stored) - 1);
    const auto exponent = static_cast<int>(bits >> stored & ((1U << layout.exponent_bits) - 1));
    const bool negative = (bits >> (stored + layout.exponent_bits) & 1) != 0;
    const int bias = (1 << (layout.exponent_bits - 1)) - 1;
    double value = 0;
    if (exponent == (1 << layout.exponent_bits) - 1)
        value = fraction == 0 ? HUGE_VAL : std::nan("");
    else if (exponent == 0)
        value = std::ldexp(static_cast<double>(fraction), 1 - bias - stored);
    else
        value = std::ldexp(static_cast<double>(fraction | uint64_t{1} << stored), exponent - bias - stored);
    return negative ? -value : value;
}

uint64_t encoded(Layout layout, Exact exact, Round round) {
    const int stored = layout.digits - 1;
    const int bias = (1 << (layout.exponent_bits - 1)) - 1;
    const uint64_t infinity = ((uint64_t{1} << layout.exponent_bits) - 1) << stored;
    const bool negative = std::signbit(exact.value);
    const uint64_t sign = negative ? uint64_t{1} << (stored + layout.exponent_bits) : 0;
    if (std::isnan(exact.value))
        return sign | infinity | uint64_t{1} << (stored - 1);
    if (std::isinf(exact.value))
        return sign | infinity;
    if (exact.value == 0)
        return sign;
    int exponent = 0;
    const double fraction = std::frexp(std::abs(exact.value), &exponent);
    // 53 digits and three more, the last of which says that something smaller is left.
    auto digits = static_cast<uint64_t>(std::ldexp(fraction, 53)) << 3U;
    if (exact.rest != 0)
        digits = (exact.rest < 0) == negative ? digits | 1 : digits - 1;
    int last = exponent - 56; // exponent of its last digit
    const int top = exponent - ((digits >> 55U) == 0 ? 2 : 1);
    const int quantum = std::max(top, 1 - bias) - stored;
    const int drop = quantum - last;
    uint64_t kept = digits;
    uint64_t dropped = 0;
    uint64_t middle = 1;
    if (drop >= 62) {
        kept = 0;
        dropped = 1;
        middle = 2;
    } else if (drop > 0) {
        kept = digits >> drop;
        dropped = digits & ((uint64_t{1} << drop) - 1);
        middle = uint64_t{1} << (drop - 1);
    }
    kept += carry(round, negative, (kept & 1) != 0, dropped, middle);
    // The hidden digit, and a carry out of all digits, add to the exponent by themselves.
    const bool normal = top >= 1 - bias;
    const uint64_t lifted = normal ? static_cast<uint64_t>(top + bias - 1) << stored : 0;
    const uint64_t bits = lifted + kept;
    if (bits < infinity)
        return sign | bits;
    const bool to_infinity =
        round == Round::even || (round == Round::up && !negative) || (round == Round::down && negative);
    return sign | (to_infinity ? infinity : infinity - 1);
}

double real_of(Type type, uint64_t bits) {
    return type == Type::df ? std::bit_cast<double>(bits) : decoded(layout(type), bits);
}
uint64_t bits_of(Type type, Exact exact, Round round) {
    return type == Type::df && exact.rest == 0 ? std::bit_cast<uint64_t>(exact.value)
                                               : encoded(layout(type), exact, round);
}

Exact exact_of(Wide value) {
    const auto near = static_cast<double>(value); // at most 65 bits; nearest
    const Wide rest = value - static_cast<Wide>(near);
    return {near, rest < 0 ? -1 : rest > 0 ? 1 : 0};
}

bool is_nan(Type type, uint64_t bits) {
    const Layout of_type = layout(type);
    const uint64_t infinity = ((uint64_t{1} << of_type.exponent_bits) - 1) << (of_type.digits - 1);
    return is_float(type) && (bits & (sign_bit(type) - 1)) > infinity;
}
bool is_denormal(Type type, uint64_t bits) {
    const uint64_t magnitude = bits & (sign_bit(type) - 1);
    return magnitude != 0 && magnitude >> (layout(type).digits - 1) == 0;
}
uint64_t sign_bit(Type type) {
    return uint64_t{1} << (8 * bytes(type) - 1);
}

} // namespace oracle
