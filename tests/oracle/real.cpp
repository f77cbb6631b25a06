// Instructions on floats. Sums, products, quotients and roots are the host's double and what it leaves out,
// rounded once; of df the host's own, in its rounding mode. The math unit's functions are the host's long
// double ones, to be compared within a bound.
#include "oracle/oracle.h"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>

namespace oracle {

namespace {

using Values = std::array<double, 4>;

int sign_of(double value) {
    return value < 0 ? -1 : value > 0 ? 1 : 0;
}

// ---- a double and its rest

Exact sum(double a, double b, Round round) {
    const double s = a + b;
    if (!std::isfinite(s))
        return {s, 0};
    const double b_part = s - a;
    const double rest = (a - (s - b_part)) + (b - b_part);
    // IEEE 754: opposite numbers make +0, rounded down -0.
    if (s == 0 && rest == 0 && std::signbit(a) != std::signbit(b))
        return {round == Round::down ? -0.0 : 0.0, 0};
    return {s, sign_of(rest)};
}

Exact quotient(double a, double b) {
    const double q = a / b;
    if (!std::isfinite(q) || q == 0 || !std::isfinite(b))
        return {q, 0};
    const double rest = std::fma(-q, b, a);
    return {q, sign_of(rest) * sign_of(b)};
}

Exact root(double a) {
    const double r = std::sqrt(a);
    if (!std::isfinite(r) || r == 0)
        return {r, 0};
    return {r, sign_of(std::fma(-r, r, a))};
}

Exact integral(std::string_view mnemonic, double a) {
    if (mnemonic == "rndd")
        return {std::floor(a), 0};
    if (mnemonic == "rndu")
        return {std::ceil(a), 0};
    if (mnemonic == "rndz")
        return {std::trunc(a), 0};
    const double down = std::floor(a);
    const double over = a - down;
    if (!std::isfinite(a) || over == 0)
        return {a, 0};
    const bool even = std::fmod(down, 2.0) == 0;
    const double result = over < 0.5 || (over == 0.5 && even) ? down : down + 1;
    return {std::copysign(result, a), 0};
}

// MIN_MAX page: the number of a number and a NaN; -0 below +0 by ruling.
double extreme(double a, double b, bool maximum) {
    if (std::isnan(a))
        return b;
    if (std::isnan(b))
        return a;
    const bool a_is_less = a < b || (a == b && std::signbit(a) && !std::signbit(b));
    return a_is_less == maximum ? b : a;
}

bool is_math(std::string_view mnemonic) {
    return mnemonic == "exp" || mnemonic == "log" || mnemonic == "pow" || mnemonic == "sin" ||
           mnemonic == "cos" || mnemonic == "tanh" || mnemonic == "sigm" || mnemonic == "rsqrt" ||
           mnemonic == "lrp" || mnemonic == "rsqtm";
}

long double math(std::string_view mnemonic, const Values& v) {
    const auto a = static_cast<long double>(v[0]);
    const auto b = static_cast<long double>(v[1]);
    if (mnemonic == "exp")
        return std::exp2(a);
    if (mnemonic == "log")
        return std::log2(a);
    if (mnemonic == "pow")
        return std::pow(std::abs(a), b);
    if (mnemonic == "sin")
        return std::sin(a);
    if (mnemonic == "cos")
        return std::cos(a);
    if (mnemonic == "tanh")
        return std::tanh(a);
    if (mnemonic == "sigm")
        return 1 / (1 + std::exp(-a));
    if (mnemonic == "lrp")
        return b * a + static_cast<long double>(v[2]) * (1 - a);
    return 1 / std::sqrt(a);
}

// ---- df, in the host's rounding mode

class HostRounding {
public:
    explicit HostRounding(Round round) : before_(std::fegetround()) {
        constexpr std::array modes{FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
        std::fesetround(modes.at(static_cast<size_t>(round)));
    }
    ~HostRounding() { std::fesetround(before_); }
    HostRounding(const HostRounding&) = delete;
    HostRounding& operator=(const HostRounding&) = delete;
    HostRounding(HostRounding&&) = delete;
    HostRounding& operator=(HostRounding&&) = delete;

private:
    int before_;
};

double in_double(std::string_view mnemonic, const Values& v, Round round) {
    // Volatile: nothing is computed before the mode is set, or after it is gone.
    volatile double a = v[0];
    volatile double b = v[1];
    volatile double c = v[2];
    volatile double result = 0;
    const HostRounding mode(round);
    if (mnemonic == "add")
        result = a + b;
    else if (mnemonic == "mul")
        result = a * b;
    else if (mnemonic == "mad")
        result = std::fma(a, b, c);
    else if (mnemonic == "sqrt" || mnemonic == "sqrtm")
        result = std::sqrt(a);
    else if (mnemonic == "inv")
        result = 1.0 / a;
    else
        result = a / b;
    return result;
}

// ---- one lane

// Of the instructions that are neither the math unit's nor copies; nothing for others.
std::optional<Exact> arithmetic(const Question& question, const Values& v) {
    const std::string_view is = question.mnemonic;
    const Round round = question.modes.round;
    if (is == "add")
        return sum(v[0], v[1], round);
    if (is == "mul")
        return Exact{v[0] * v[1], 0};
    if (is == "mad")
        return sum(v[0] * v[1], v[2], round);
    if (is == "div" || is == "divm" || is == "invm")
        return quotient(v[0], v[1]);
    if (is == "inv")
        return quotient(1.0, v[0]);
    if (is == "sqrt" || is == "sqrtm")
        return root(v[0]);
    if (is == "frc")
        return std::isinf(v[0]) ? Exact{std::nan(""), 0} : sum(v[0], -std::floor(v[0]), round);
    if (is.starts_with("rnd"))
        return integral(is, v[0]);
    if (is == "min" || is == "max")
        return Exact{extreme(v[0], v[1], is == "max"), 0};
    return std::nullopt;
}

bool has_double(const Question& question) {
    return question.to == Type::df && question.mnemonic != "mov" && question.mnemonic != "sel" &&
           question.mnemonic != "min" && question.mnemonic != "max";
}

bool any_single(const Question& question) {
    return std::ranges::any_of(question.sources, [](const Source& s) { return s.type == Type::f; });
}

Exact unit_clamped(Exact exact) {
    if (!(exact.value > 0))
        return {0, 0};
    return exact.value >= 1 && !(exact.value == 1 && exact.rest < 0) ? Exact{1, 0} : exact;
}

void finish(const Question& question, Exact exact, Lane& lane) {
    lane.real = static_cast<long double>(exact.value);
    if (question.saturate)
        exact = unit_clamped(exact);
    lane.bits = bits_of(question.to, exact, question.modes.round);
    lane.any_nan = is_nan(question.to, lane.bits);
    if (!question.modes.keep_denormals && is_denormal(question.to, lane.bits))
        lane.bits &= sign_bit(question.to);
}

uint64_t to_integer(Type type, double value) {
    if (std::isnan(value))
        return 0;
    const double whole = std::trunc(value);
    if (whole <= static_cast<double>(least(type)))
        return low_bits(type, least(type));
    if (whole >= static_cast<double>(greatest(type)))
        return low_bits(type, greatest(type));
    return low_bits(type, static_cast<Wide>(whole));
}

double real_lane(const Question& question, const Source& source, unsigned lane) {
    uint64_t bits = source.lanes.at(lane);
    const uint64_t sign = sign_bit(source.type);
    if (source.modifier == Modifier::neg)
        bits ^= sign;
    else if (source.modifier == Modifier::abs)
        bits &= ~sign;
    else if (source.modifier == Modifier::neg_abs)
        bits |= sign;
    const bool copies = question.mnemonic == "mov" || question.mnemonic == "sel";
    if (!copies && !question.modes.keep_denormals && is_denormal(source.type, bits))
        bits &= sign;
    return real_of(source.type, bits);
}

bool holds(std::string_view relation, double a, double b) {
    return relation == ".eq"   ? a == b
           : relation == ".ne" ? a != b
           : relation == ".gt" ? a > b
           : relation == ".ge" ? a >= b
           : relation == ".lt" ? a < b
                               : a <= b;
}

// ---- mov and sel

bool is_raw(const Question& question, const Source& source) {
    const bool same = source.type == question.to || (!is_float(source.type) && !is_float(question.to) &&
                                                     bytes(source.type) == bytes(question.to));
    return same && source.modifier == Modifier::none && !question.saturate;
}

void move(const Question& question, const Source& source, unsigned lane, Lane& result) {
    if (is_raw(question, source)) {
        result.bits = source.lanes.at(lane);
        // sel converts when its other source does; a denormal may be lost then.
        if (question.mnemonic == "sel" && is_nan(source.type, result.bits))
            result.any_nan = true;
        return;
    }
    if (!is_float(source.type)) {
        const Exact exact = exact_of(integer_lane(source, lane));
        finish(question, exact, result);
        return;
    }
    const double value = real_lane(question, source, lane);
    if (is_float(question.to))
        finish(question, {value, 0}, result);
    else
        result.bits = to_integer(question.to, value);
}

void lane_of(const Question& question, unsigned lane, const Values& v, Answer& out, bool& known) {
    Lane& result = out.first.at(lane);
    if (is_math(question.mnemonic)) {
        result.real = math(question.mnemonic, v);
        const auto near = static_cast<double>(result.real);
        const long double rest = result.real - static_cast<long double>(near);
        const long double real = result.real;
        finish(question, {near, std::isfinite(near) ? (rest < 0 ? -1 : rest > 0 ? 1 : 0) : 0}, result);
        result.real = real;
    } else if (has_double(question)) {
        finish(question, {in_double(question.mnemonic, v, question.modes.round), 0}, result);
    } else if (const auto exact = arithmetic(question, v)) {
        Exact value = *exact;
        // Ruling: with a source of type f the instruction computes in f.
        if (any_single(question) && question.to != Type::f && question.to != Type::df)
            value = {decoded(single, encoded(single, value, question.modes.round)), 0};
        finish(question, value, result);
    } else {
        known = false;
    }
    // INVM, RSQTM pages: "NaN, infinity or zero" end early.
    const double value = real_of(question.to, result.bits);
    out.second.at(lane) = value == 0 || !std::isfinite(value) ? 1 : 0;
}

} // namespace

bool answer_real(const Question& question, Answer& out) {
    bool known = true;
    for (unsigned lane = 0; lane < question.lanes; ++lane) {
        Lane& result = out.first.at(lane);
        if (question.mnemonic == "mov") {
            move(question, question.sources.at(0), lane, result);
            continue;
        }
        if (question.mnemonic == "sel") {
            move(question, question.sources.at((question.chosen >> lane & 1U) != 0 ? 0 : 1), lane, result);
            continue;
        }
        Values v{};
        for (size_t s = 0; s < question.sources.size(); ++s)
            v.at(s) = real_lane(question, question.sources[s], lane);
        if (question.mnemonic == "cmp") {
            out.second.at(lane) = holds(question.suffix, v[0], v[1]) ? 1 : 0;
            result.bits = out.second.at(lane) != 0 ? 2 * sign_bit(question.to) - 1 : 0;
            continue;
        }
        lane_of(question, lane, v, out, known);
    }
    return known;
}

} // namespace oracle
