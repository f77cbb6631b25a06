// The extended-math unit and the rounding instructions. The unit's results are approximations whose error the
// documentation bounds; here they are the host library's binary64 results rounded once, which lies within.
#include "interp/arith.h"
#include "interp/lanewise.h"

#include "isa/opcode.h"

#include <cmath>

namespace visor::interp::arithmetic {

namespace {

using number::Rounding;

template <double (*function)(double)>
struct Unary {
    static constexpr size_t sources = 1;
    static double of(float a) { return function(static_cast<double>(a)); }
    static double odd(double a, Rounding) { return function(a); }
};

struct Power { // POW page; the unit raises the magnitude of src0
    static constexpr size_t sources = 2;
    static double of(float a, float b) {
        return std::pow(std::abs(static_cast<double>(a)), static_cast<double>(b));
    }
    static double odd(double a, double b, Rounding) { return std::pow(std::abs(a), b); }
};

struct SquareRoot { // SQRT and SQRTM pages
    static constexpr size_t sources = 1;
    template <class T>
    static T of(T a) {
        return std::sqrt(a);
    }
    static double odd(double a, Rounding) { return number::odd_square_root(a); }
    static double directed(double a, Rounding rounding) { return number::square_root(a, rounding); }
};

struct Inverse { // INV page
    static constexpr size_t sources = 1;
    template <class T>
    static T of(T a) {
        return T(1) / a;
    }
    static double odd(double a, Rounding) { return number::odd_divide(1.0, a); }
    static double directed(double a, Rounding rounding) { return number::divide(1.0, a, rounding); }
};

struct Fraction { // FRC page: src0 - floor(src0)
    static constexpr size_t sources = 1;
    static float of(float a) { return a - std::floor(a); }
    static double odd(double a, Rounding rounding) { return number::odd_add(a, -std::floor(a), rounding); }
};

template <Rounding direction>
struct Integral { // RNDD, RNDU, RNDE, RNDZ pages
    static constexpr size_t sources = 1;
    static float of(float a) { return number::integral(a, direction); }
    static double odd(double a, Rounding) { return number::integral(a, direction); }
};

double exp_2(double a) {
    return std::exp2(a);
}
double log_2(double a) {
    return std::log2(a);
}
double sine(double a) {
    return std::sin(a);
}
double cosine(double a) {
    return std::cos(a);
}
double reciprocal_root(double a) {
    return 1.0 / std::sqrt(a);
}
double hyperbolic_tangent(double a) {
    return std::tanh(a);
}
double sigmoid(double a) {
    return 1.0 / (1.0 + std::exp(-a));
}

namespace opcode = isa::opcode;
constexpr std::array<Entry, 16> entries{{
    {opcode::exp, -1, real<Unary<exp_2>>},
    {opcode::frc, -1, real<Fraction>},
    {opcode::log, -1, real<Unary<log_2>>},
    {opcode::pow, -1, real<Power>},
    {opcode::rndd, -1, real<Integral<Rounding::down>>},
    {opcode::rndu, -1, real<Integral<Rounding::up>>},
    {opcode::rnde, -1, real<Integral<Rounding::nearest_even>>},
    {opcode::rndz, -1, real<Integral<Rounding::zero>>},
    {opcode::sin, -1, real<Unary<sine>>},
    {opcode::cos, -1, real<Unary<cosine>>},
    {opcode::sqrt, -1, real<SquareRoot>},
    {opcode::rsqrt, -1, real<Unary<reciprocal_root>>},
    {opcode::inv, -1, real<Inverse>},
    {opcode::sqrtm, -1, real<SquareRoot>},
    {opcode::tanh, -1, real<Unary<hyperbolic_tangent>>},
    {opcode::sigm, -1, real<Unary<sigmoid>>},
}};

} // namespace

Handler math(const Program& program, const PreparedInstruction& instruction) {
    return find_handler(entries, program, instruction);
}

} // namespace visor::interp::arithmetic
