// Addition, multiplication and division: one formula per instruction, for integers and for floats. The
// rest of the family is in math.cpp and tuple.cpp.
#include "interp/arith.h"
#include "interp/lanewise.h"

#include "isa/opcode.h"

#include <cmath>

namespace visor::interp {

namespace {

using number::Rounding;
using number::Wide;

// ---- integers

template <class T>
T plus(T a, T b) {
    if constexpr (std::same_as<T, Wide>)
        return number::wrapping_add(a, b);
    else
        return a + b;
}

template <class T>
T times(T a, T b) {
    if constexpr (std::same_as<T, Wide>)
        return number::wrapping_multiply(a, b);
    else
        return a * b;
}

struct Add { // ADD page
    static constexpr size_t sources = 2;
    template <class T>
    static T of(T a, T b) {
        return plus(a, b);
    }
};

struct Add3 { // ADD3 page
    static constexpr size_t sources = 3;
    template <class T>
    static T of(T a, T b, T c) {
        return plus(plus(a, b), c);
    }
};

struct Multiply { // MUL page; q = d * d is exact
    static constexpr size_t sources = 2;
    template <class T>
    static T of(T a, T b) {
        return times(a, b);
    }
};

// MAD page: "the intermediate result of the multiply will have the same type as the final destination", which
// is the same modulo 2^n.
struct MultiplyAdd {
    static constexpr size_t sources = 3;
    template <class T>
    static T of(T a, T b, T c) {
        return plus(times(a, b), c);
    }
};

struct Average { // AVG page, with the extra precision that keeps the sum
    static constexpr size_t sources = 2;
    template <class T>
    static T of(T a, T b) {
        return (a + b + 1) >> 1;
    }
};

struct MultiplyHigh { // MULH page
    static constexpr size_t sources = 2;
    static int32_t of(int32_t a, int32_t b) { return static_cast<int32_t>(int64_t{a} * b >> 32); }
    static uint32_t of(uint32_t a, uint32_t b) { return static_cast<uint32_t>(uint64_t{a} * b >> 32U); }
    static Wide of(Wide a, Wide b) { return number::wrapping_multiply(a, b) >> 32; }
};

Handler multiply_high(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 2);
    if (!operands || !isa::is_integer(operands.destination->type) || !all_integers(operands.sources) ||
        widest(operands.sources) > 4)
        return nullptr;
    if (!any_modifier(operands.sources)) {
        if (all_of_type(operands.sources, isa::Type::d))
            return integer_lanes<MultiplyHigh, int32_t>;
        if (all_of_type(operands.sources, isa::Type::ud))
            return integer_lanes<MultiplyHigh, uint32_t>;
    }
    return integer_lanes<MultiplyHigh, Wide>;
}

struct LeadingZeros { // LZD page: 32 for zero
    static constexpr size_t sources = 1;
    static uint32_t of(uint32_t a) { return static_cast<uint32_t>(std::countl_zero(a)); }
};

// DP4A page: bytes are signed where their source is.
template <bool signed1, bool signed2>
struct Dot4 {
    static constexpr size_t sources = 3;
    static int64_t of(int64_t a, int64_t b, int64_t c) {
        for (int shift = 0; shift < 32; shift += 8)
            a += byte<signed1>(b >> shift) * byte<signed2>(c >> shift);
        return a;
    }
    template <bool is_signed>
    static int64_t byte(int64_t bits) {
        return is_signed ? int64_t{static_cast<int8_t>(bits)} : int64_t{static_cast<uint8_t>(bits)};
    }
};

Handler dot4(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 3);
    if (!operands || !isa::is_integer(operands.destination->type) || !all_integers(operands.sources) ||
        widest(operands.sources) > 4)
        return nullptr;
    const bool signed1 = isa::is_signed(operands.sources[1].type);
    const bool signed2 = isa::is_signed(operands.sources[2].type);
    if (signed1)
        return signed2 ? integer_lanes<Dot4<true, true>, int64_t> : integer_lanes<Dot4<true, false>, int64_t>;
    return signed2 ? integer_lanes<Dot4<false, true>, int64_t> : integer_lanes<Dot4<false, false>, int64_t>;
}

// DIV and MOD pages: truncated quotient, remainder with the dividend's sign. They are silent about a zero
// divisor. Ruling 39: quotient and remainder are all ones if both sources are unsigned. Else they are the
// largest d, or for a negative dividend the smallest.
template <bool is_unsigned>
constexpr int64_t divided_by_zero(int64_t dividend) {
    if (is_unsigned)
        return UINT32_MAX;
    return dividend < 0 ? INT32_MIN : INT32_MAX;
}

template <bool is_unsigned>
struct Quotient {
    static constexpr size_t sources = 2;
    static int64_t of(int64_t a, int64_t b) { return b == 0 ? divided_by_zero<is_unsigned>(a) : a / b; }
};

template <bool is_unsigned>
struct Remainder {
    static constexpr size_t sources = 2;
    static int64_t of(int64_t a, int64_t b) { return b == 0 ? divided_by_zero<is_unsigned>(a) : a % b; }
};

// Elements of at most 32 bits: in 64 bits even INT32_MIN / -1 is an ordinary division.
template <template <bool> class Formula>
Handler division(const Program& program, const PreparedInstruction& instruction) {
    const Operands operands = regular_operands(program, instruction, 2);
    if (!operands || !isa::is_integer(operands.destination->type) || !all_integers(operands.sources) ||
        widest(operands.sources) > 4)
        return nullptr;
    const bool is_unsigned = std::ranges::none_of(operands.sources, [](const PreparedOperand& source) {
        return isa::is_signed(source.type) || source.modifier != SourceModifier::none;
    });
    return is_unsigned ? integer_lanes<Formula<true>, int64_t> : integer_lanes<Formula<false>, int64_t>;
}

// ---- floats

struct AddReal {
    static constexpr size_t sources = 2;
    template <class T>
    static T of(T a, T b) {
        return a + b;
    }
    static double odd(double a, double b, Rounding rounding) { return number::odd_add(a, b, rounding); }
    static double directed(double a, double b, Rounding rounding) { return number::add(a, b, rounding); }
};

struct MultiplyReal {
    static constexpr size_t sources = 2;
    template <class T>
    static T of(T a, T b) {
        return a * b;
    }
    static double odd(double a, double b, Rounding) { return number::odd_multiply(a, b); }
    static double directed(double a, double b, Rounding rounding) { return number::multiply(a, b, rounding); }
};

struct MultiplyAddReal { // fused: "guaranteed to be translated into a HW mad"
    static constexpr size_t sources = 3;
    static double of(float a, float b, float c) {
        // The caller rounds to f: with round-to-odd here, that is the only rounding.
        return number::odd_multiply_add(static_cast<double>(a), static_cast<double>(b),
                                        static_cast<double>(c));
    }
    static double of(double a, double b, double c) { return std::fma(a, b, c); }
    static double odd(double a, double b, double c, Rounding rounding) {
        return number::odd_multiply_add(a, b, c, rounding);
    }
    static double directed(double a, double b, double c, Rounding rounding) {
        return number::multiply_add(a, b, c, rounding);
    }
};

struct DivideReal { // DIV page: src0 * INV(src1) approximately; correctly rounded is within that. DIVM page:
                    // IEEE
    static constexpr size_t sources = 2;
    template <class T>
    static T of(T a, T b) {
        return a / b;
    }
    static double odd(double a, double b, Rounding) { return number::odd_divide(a, b); }
    static double directed(double a, double b, Rounding rounding) { return number::divide(a, b, rounding); }
};

// ---- the table

namespace opcode = isa::opcode;
constexpr std::array<Entry, 11> entries{{
    {opcode::add, -1, number_of<modular<Add>, real<AddReal>>},
    {opcode::avg, -1, widened<Average>},
    {opcode::div, -1, number_of<division<Quotient>, real<DivideReal>>},
    {opcode::mad, -1, number_of<modular<MultiplyAdd>, real<MultiplyAddReal>>},
    {opcode::mulh, -1, multiply_high},
    {opcode::mod, -1, division<Remainder>},
    {opcode::mul, -1, number_of<modular<Multiply>, real<MultiplyReal>>},
    {opcode::lzd, -1, on_dwords<LeadingZeros>},
    {opcode::divm, -1, real<DivideReal>},
    {opcode::dp4a, -1, dot4},
    {opcode::add3, -1, modular<Add3>},
}};

Handler bind(const Program& program, const PreparedInstruction& instruction) {
    if (const Handler found = find_handler(entries, program, instruction))
        return found;
    if (const Handler found = arithmetic::math(program, instruction))
        return found;
    return arithmetic::tuple(program, instruction);
}

} // namespace

Handler family::arith(const Program& program, const PreparedInstruction& instruction) {
    return bound<bind>(program, instruction);
}

} // namespace visor::interp
