// Directed rounding of binary64. Compilers move floating-point operations across calls that change the
// rounding mode, so each operand goes through a volatile after the switch and the result through one before
// the switch back.
#include "number/round.h"

#include <cfenv>

namespace visor::number {

namespace {

class HostRounding {
public:
    explicit HostRounding(Rounding rounding) : before_(std::fegetround()) { std::fesetround(code(rounding)); }
    ~HostRounding() { std::fesetround(before_); }
    HostRounding(const HostRounding&) = delete;
    HostRounding& operator=(const HostRounding&) = delete;
    HostRounding(HostRounding&&) = delete;
    HostRounding& operator=(HostRounding&&) = delete;

private:
    static int code(Rounding rounding) {
        switch (rounding) {
        case Rounding::up:
            return FE_UPWARD;
        case Rounding::down:
            return FE_DOWNWARD;
        case Rounding::zero:
            return FE_TOWARDZERO;
        case Rounding::nearest_even:
            break;
        }
        return FE_TONEAREST;
    }

    int before_;
};

template <class Operation>
double rounded(Rounding rounding, Operation operation, double a, double b, double c) {
    volatile double va = a;
    volatile double vb = b;
    volatile double vc = c;
    volatile double result = 0;
    const HostRounding scope(rounding);
    const double x = va;
    const double y = vb;
    const double z = vc;
    result = operation(x, y, z);
    return result;
}

} // namespace

double add(double a, double b, Rounding rounding) {
    return rounded(rounding, [](double x, double y, double) { return x + y; }, a, b, 0);
}

double multiply(double a, double b, Rounding rounding) {
    return rounded(rounding, [](double x, double y, double) { return x * y; }, a, b, 0);
}

double multiply_add(double a, double b, double c, Rounding rounding) {
    return rounded(rounding, [](double x, double y, double z) { return std::fma(x, y, z); }, a, b, c);
}

double divide(double a, double b, Rounding rounding) {
    return rounded(rounding, [](double x, double y, double) { return x / y; }, a, b, 0);
}

double square_root(double a, Rounding rounding) {
    return rounded(rounding, [](double x, double, double) { return std::sqrt(x); }, a, 0, 0);
}

} // namespace visor::number
