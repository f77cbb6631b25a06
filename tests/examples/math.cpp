// The float functions that may err, each within what the OpenCL C specification allows (its table of relative
// errors). The exact value is the host's in long double.
#include "examples/host.h"

namespace visor::test {

namespace {

struct Function {
    const char* name;
    double ulps;
    long double (*exact)(long double x, long double y);
};

// Part f of `got` is function f of all arguments.
template <class T>
bool all_within(std::span<const Function> functions, const std::vector<T>& got, const std::vector<T>& xs,
                const std::vector<T>& ys) {
    bool good = true;
    for (size_t f = 0; f < functions.size(); ++f) {
        const auto expected = each<long double>(xs.size(), [&](size_t i) {
            return functions[f].exact(static_cast<long double>(xs[i]), static_cast<long double>(ys[i]));
        });
        good = within_ulps(functions[f].name, slice(got, f, xs.size()), expected, functions[f].ulps) && good;
    }
    return good;
}

constexpr size_t count = 128;

bool math_exponential(Example& example) {
    using Number = long double;
    constexpr std::array<Function, 16> functions{
        {{"exp", 3, [](Number x, Number) { return std::exp(x); }},
         {"exp2", 3, [](Number x, Number) { return std::exp2(x); }},
         {"exp10", 3, [](Number x, Number) { return std::pow(10.0L, x); }},
         {"expm1", 3, [](Number x, Number) { return std::expm1(x); }},
         {"log", 3, [](Number, Number y) { return std::log(y); }},
         {"log2", 3, [](Number, Number y) { return std::log2(y); }},
         {"log10", 3, [](Number, Number y) { return std::log10(y); }},
         {"log1p", 2, [](Number, Number y) { return std::log1p(y); }},
         {"pow", 16, [](Number x, Number y) { return std::pow(y, x); }},
         {"powr", 16, [](Number x, Number y) { return std::pow(y, x / 2); }},
         {"sqrt", 3, [](Number, Number y) { return std::sqrt(y); }},
         {"rsqrt", 2, [](Number, Number y) { return 1 / std::sqrt(y); }},
         {"cbrt", 2, [](Number x, Number) { return std::cbrt(x); }},
         {"hypot", 4, [](Number x, Number y) { return std::hypot(x, y); }},
         {"x / y", 2.5, [](Number x, Number y) { return x / y; }},
         {"1 / x", 2.5, [](Number x, Number) { return 1 / x; }}}};
    Numbers numbers(31);
    const auto x = numbers.floats(count, -20, 20);
    auto y = numbers.floats(count, 0.25F, 4);
    y[3] = 1;
    y[4] = std::nextafter(1.0F, 0.0F);
    y[5] = 1.0001F;
    const auto powers = each<long double>(count, [&](size_t i) {
        return std::pow(static_cast<long double>(x[i]), static_cast<int>(i % 7) - 3);
    });
    example.kernel("math_exponential").sizes(count, 64).zeros<float>(17 * count).array(x).array(y);
    return example.run() && all_within<float>(functions, example.result<float>(0), x, y) &&
           within_ulps("pown", slice(example.result<float>(0), 16, count), powers, 16);
}

bool math_trigonometric(Example& example) {
    using Number = long double;
    constexpr Number pi = 3.14159265358979323846264338327950288L;
    constexpr std::array<Function, 13> functions{
        {{"sin", 4, [](Number x, Number) { return std::sin(x); }},
         {"cos", 4, [](Number x, Number) { return std::cos(x); }},
         {"tan", 5, [](Number x, Number) { return std::tan(x); }},
         {"asin", 4, [](Number, Number y) { return std::asin(y); }},
         {"acos", 4, [](Number, Number y) { return std::acos(y); }},
         {"atan", 5, [](Number x, Number) { return std::atan(x); }},
         {"atan2", 6, [](Number x, Number y) { return std::atan2(x, y); }},
         {"sinh", 4, [](Number, Number y) { return std::sinh(y); }},
         {"cosh", 4, [](Number, Number y) { return std::cosh(y); }},
         {"tanh", 5, [](Number, Number y) { return std::tanh(y); }},
         {"asinh", 4, [](Number x, Number) { return std::asinh(x); }},
         {"sinpi", 4, [](Number, Number y) { return std::sin(pi * y); }},
         {"cospi", 4, [](Number, Number y) { return std::cos(pi * y); }}}};
    Numbers numbers(32);
    auto x = numbers.floats(count, -32, 32);
    x[0] = 0;
    x[1] = 1e4F;
    x[2] = -123456.7F;
    const auto y = numbers.floats(count, -0.9375F, 0.9375F);
    // Arguments that the kernel rounds before it takes the function of them.
    const auto acosh = each<long double>(
        count, [&](size_t i) { return std::acosh(static_cast<long double>(1.0F + std::fabs(x[i]))); });
    const auto atanh = each<long double>(
        count, [&](size_t i) { return std::atanh(static_cast<long double>(y[i] * 0.75F)); });
    example.kernel("math_trigonometric").sizes(count, 64).zeros<float>(15 * count).array(x).array(y);
    return example.run() && all_within<float>(functions, example.result<float>(0), x, y) &&
           within_ulps("acosh", slice(example.result<float>(0), 13, count), acosh, 4) &&
           within_ulps("atanh", slice(example.result<float>(0), 14, count), atanh, 5);
}

// The error of lgamma is left open by the specification: 32 ulp are ours.
bool math_special(Example& example) {
    using Number = long double;
    constexpr std::array<Function, 4> functions{
        {{"erf", 16, [](Number x, Number) { return std::erf(x); }},
         {"erfc", 16, [](Number x, Number) { return std::erfc(x); }},
         {"tgamma", 16, [](Number x, Number) { return std::tgamma(std::fabs(x) + 0.5L); }},
         {"lgamma", 32, [](Number x, Number) { return std::lgamma(std::fabs(x) + 3); }}}};
    Numbers numbers(33);
    const auto x = numbers.floats(count, -3, 3);
    example.kernel("math_special").sizes(count, 64).zeros<float>(4 * count).array(x);
    return example.run() && all_within<float>(functions, example.result<float>(0), x, x);
}

bool math_double(Example& example) {
    using Number = long double;
    constexpr std::array<Function, 6> functions{
        {{"exp", 3, [](Number x, Number) { return std::exp(x); }},
         {"log", 3, [](Number x, Number) { return std::log(std::fabs(x) + 0.25L); }},
         {"sin", 4, [](Number x, Number) { return std::sin(x); }},
         {"cos", 4, [](Number x, Number) { return std::cos(x); }},
         {"pow", 16, [](Number x, Number) { return std::pow(std::fabs(x) + 0.5L, x); }},
         {"rsqrt", 2, [](Number x, Number) { return 1 / std::sqrt(std::fabs(x) + 1); }}}};
    Numbers numbers(34);
    // Multiples of 2^-32, so that the sums are exact.
    const auto x =
        each<double>(count, [&](size_t) { return static_cast<int32_t>(numbers.bits32()) * 0x1p-28; });
    example.kernel("math_double").sizes(count, 64).zeros<double>(6 * count).array(x);
    return example.run() && all_within<double>(functions, example.result<double>(0), x, x);
}

// Their errors are the implementation's; what is allowed here is what half_ functions are allowed.
bool native_math(Example& example) {
    using Number = long double;
    constexpr std::array<Function, 10> functions{
        {{"native_exp", 8192, [](Number x, Number) { return std::exp(x); }},
         {"native_exp2", 8192, [](Number x, Number) { return std::exp2(x); }},
         {"native_log", 8192, [](Number x, Number) { return std::log(x + 1); }},
         {"native_log2", 8192, [](Number x, Number) { return std::log2(x + 1); }},
         {"native_sqrt", 8192, [](Number x, Number) { return std::sqrt(x); }},
         {"native_rsqrt", 8192, [](Number x, Number) { return 1 / std::sqrt(x); }},
         {"native_recip", 8192, [](Number x, Number) { return 1 / x; }},
         {"native_divide", 8192, [](Number x, Number) { return 1.5L / x; }},
         {"half_powr", 8192, [](Number x, Number) { return std::pow(x, 1.5L); }},
         {"half_exp", 8192, [](Number x, Number) { return std::exp(x); }}}};
    Numbers numbers(35);
    const auto in = numbers.floats(count, 0, 3);
    const auto x = each<float>(count, [&](size_t i) { return in[i] + 0.25F; });
    const auto sines =
        each<long double>(count, [&](size_t i) { return std::sin(static_cast<Number>(x[i])); });
    const auto cosines =
        each<long double>(count, [&](size_t i) { return std::cos(static_cast<Number>(x[i])); });
    example.kernel("native_math").sizes(count, 64).zeros<float>(12 * count).array(in);
    return example.run() && all_within<float>(functions, example.result<float>(0), x, x) &&
           within("native_sin", slice(example.result<float>(0), 10, count), sines, 0x1p-10) &&
           within("native_cos", slice(example.result<float>(0), 11, count), cosines, 0x1p-10);
}

} // namespace

std::span<const Check> math_checks() {
    static constexpr std::array checks{Check{"math_exponential", math_exponential},
                                       Check{"math_trigonometric", math_trigonometric},
                                       Check{"math_special", math_special}, Check{"math_double", math_double},
                                       Check{"native_math", native_math}};
    return checks;
}

} // namespace visor::test
