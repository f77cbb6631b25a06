#include "text/immediate.h"

#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace visor::text {

namespace {

using isa::Type;

// A number as written. Sign and magnitude are apart, so that 64-bit decimals are exact.
struct Number {
    bool negative = false;
    uint64_t magnitude = 0;
    bool literal = true; // digits and at most one minus
    bool hex = false;
    bool fraction = false; // `value` counts
    double value = 0;

    // As 64 bits of two's complement; whether nothing was lost.
    [[nodiscard]] uint64_t bits() const { return negative ? 0 - magnitude : magnitude; }
};

// Digits with a point or an exponent begin here.
bool fraction_ahead(const Lexer& lex) {
    size_t p = 0;
    while (is(lex.peek(p), digit))
        ++p;
    if (lex.peek(p) == '.')
        return is(lex.peek(p + 1), digit);
    if (lex.peek(p) != 'e' && lex.peek(p) != 'E')
        return false;
    const size_t sign = lex.peek(p + 1) == '+' || lex.peek(p + 1) == '-' ? 1 : 0;
    return is(lex.peek(p + 1 + sign), digit);
}

bool read_fraction(Lexer& lex, Number& number) {
    const uint32_t start = lex.offset();
    size_t length = 0;
    bool leading_zero = true; // nothing but zeros in front of the point
    bool small = false;       // a negative exponent
    for (bool exponent = false;; ++length) {
        const char c = lex.peek(length);
        const bool sign = exponent && (c == '+' || c == '-') && !is(lex.peek(length - 1), digit);
        if (c == 'e' || c == 'E')
            exponent = true;
        else if (!is(c, digit) && c != '.' && !sign)
            break;
        small = small || (sign && c == '-');
        leading_zero = leading_zero && (c == '0' || c == '.' || number.fraction);
        number.fraction = number.fraction || c == '.';
    }
    number.fraction = true;
    const std::string_view spelled = lex.text({start, static_cast<uint32_t>(length)});
    const auto [stop, status] =
        std::from_chars(spelled.data(), spelled.data() + spelled.size(), number.value);
    lex.advance(length);
    if (status == std::errc::result_out_of_range && (small || leading_zero))
        number.value = 0; // too small to tell from zero
    else if (status != std::errc{})
        return lex.error(lex.since(start), "immediate-out-of-range", "this number does not fit a `df`");
    if (stop != spelled.data() + spelled.size())
        return lex.error(lex.since(start), "bad-immediate", "this is no number");
    return true;
}

bool read_number(Reader& reader, Number& number) {
    Lexer& lex = reader.lex;
    const uint32_t start = lex.offset();
    number.negative = lex.accept('-');
    lex.skip_blanks();
    if (is(lex.peek(), digit)) {
        if (fraction_ahead(lex))
            return read_fraction(lex, number);
        const std::optional<Integer> integer = lex.integer("a number");
        if (!integer.has_value())
            return false;
        number.magnitude = integer->value;
        number.hex = integer->hex;
        return true;
    }
    lex.rewind(start);
    const std::optional<int64_t> value = reader.unary("a number");
    number.literal = false;
    number.negative = value.value_or(0) < 0;
    const auto bits = static_cast<uint64_t>(value.value_or(0));
    number.magnitude = number.negative ? 0 - bits : bits;
    return value.has_value();
}

// ---- into a type

struct Conversion {
    Reader& reader;
    const Number& number;
    Type type;
    Location where;

    bool fail(std::string rule, std::string message) const {
        return reader.lex.error(where, std::move(rule), std::move(message));
    }
    [[nodiscard]] bool out_of_range(std::string_view range) const {
        return fail("immediate-out-of-range",
                    fmt::format("`{}` does not fit `{}`, which holds {}", reader.lex.text(where),
                                isa::facts(type).name, range));
    }
    [[nodiscard]] bool fraction(uint64_t& bits) const;
    [[nodiscard]] bool pattern(uint64_t& bits) const;
    [[nodiscard]] bool integer(uint64_t& bits) const;
    [[nodiscard]] bool run(uint64_t& bits) const;
};

bool Conversion::fraction(uint64_t& bits) const {
    const double value = number.negative ? -number.value : number.value;
    if (type == Type::df) {
        bits = std::bit_cast<uint64_t>(value);
        return true;
    }
    if (type != Type::f) {
        return fail("bad-immediate",
                    type == Type::hf || type == Type::bf
                        ? fmt::format("a `{}` is written as its bits in hexadecimal, such as 0x{}",
                                      isa::facts(type).name, type == Type::hf ? "3c00" : "3f80")
                        : fmt::format("a number with a fraction is no `{}`", isa::facts(type).name));
    }
    constexpr double above_largest = 0x1.ffffffp+127; // from here on rounding leaves the type
    if (std::abs(value) >= above_largest)
        return out_of_range("up to 3.40282347e+38");
    bits = std::bit_cast<uint32_t>(static_cast<float>(value));
    return true;
}

// An integer in front of a float type is its bits; a minus flips the sign bit.
bool Conversion::pattern(uint64_t& bits) const {
    const unsigned width = isa::size_of(type) * 8U;
    if (!number.literal)
        return fail("bad-immediate", "a float is a number or its bits, not an expression");
    const bool half = type == Type::hf || type == Type::bf;
    if (half && (!number.hex || number.negative))
        return fail("bad-immediate", fmt::format("a `{}` is written as its bits in hexadecimal, such as 0x{}",
                                                 isa::facts(type).name, type == Type::hf ? "3c00" : "3f80"));
    if (width < 64 && (number.magnitude >> width) != 0)
        return out_of_range(fmt::format("{} bits", width));
    bits = number.magnitude ^ (uint64_t{number.negative} << (width - 1));
    return true;
}

bool Conversion::integer(uint64_t& bits) const {
    const unsigned width = type == Type::boolean ? 1U : isa::size_of(type) * 8U;
    const bool is_signed = isa::is_signed(type);
    const uint64_t most = width == 64 ? UINT64_MAX : (uint64_t{1} << width) - 1;
    const uint64_t half = uint64_t{1} << (width - 1);
    bool fits = number.negative ? number.magnitude <= half : number.magnitude <= most;
    // Only a bit pattern may set the sign bit of a `q`.
    if (type == Type::q && !number.hex && !number.negative)
        fits = number.magnitude < half;
    // The compiler prints negative words and bytes sign-extended to 32 bits.
    const bool extended = is_signed && width < 32 && number.hex && !number.negative &&
                          number.magnitude <= UINT32_MAX && number.magnitude >= (uint64_t{1} << 32U) - half;
    if (!fits && !extended) {
        const std::string lowest = type == Type::boolean ? "0" : fmt::format("-{}", half);
        return out_of_range(fmt::format("{} to {}", lowest, type == Type::q ? half - 1 : most));
    }
    bits = number.bits() & most;
    return true;
}

bool Conversion::run(uint64_t& bits) const {
    if (number.fraction)
        return fraction(bits);
    if (isa::is_packed_immediate(type) || isa::is_integer(type) || type == Type::boolean)
        return integer(bits);
    if (type == Type::f || type == Type::df || type == Type::hf || type == Type::bf)
        return pattern(bits);
    return fail("bad-immediate", fmt::format("an immediate cannot be of type `{}`", isa::facts(type).name));
}

} // namespace

bool read_immediate(Reader& reader, Operand& operand) {
    reader.lex.skip_blanks();
    const uint32_t start = reader.lex.offset();
    Number number;
    if (!read_number(reader, number))
        return false;
    const Location where = reader.lex.since(start);
    operand.kind = OperandKind::immediate;
    if (!reader.type_suffix(operand.type))
        return false;
    return Conversion{reader, number, operand.type, where}.run(operand.value);
}

void write_immediate(Writer& writer, const Operand& operand) {
    uint64_t bits = operand.value;
    const unsigned width = isa::size_of(operand.type) * 8U;
    const bool narrow_signed = operand.type == isa::Type::w || operand.type == isa::Type::b;
    if (narrow_signed && ((bits >> (width - 1)) & 1U) != 0)
        bits = (bits | (UINT64_MAX << width)) & UINT32_MAX;
    writer.hex(bits);
    writer.type_suffix(operand.type);
}

} // namespace visor::text
