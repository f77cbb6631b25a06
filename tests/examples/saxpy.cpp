// 1000 elements in groups of 64: the last group has a tail. y = a*x + y contracted to one rounding.
#include "examples/host.h"

using namespace visor::test;

int main(int argc, char** argv) {
    constexpr int count = 1000;
    constexpr float a = 2.5F;
    Numbers numbers(1);
    std::vector<float> y(count);
    std::vector<float> x(count);
    for (int i = 0; i < count; ++i) {
        y[static_cast<size_t>(i)] = numbers.unit();
        x[static_cast<size_t>(i)] = numbers.unit() - 0.5F;
    }
    std::vector<double> expected;
    for (size_t i = 0; i < count; ++i)
        expected.push_back(static_cast<double>(a) * static_cast<double>(x[i]) + static_cast<double>(y[i]));

    Example example(argc, argv);
    example.option("-g", "1024").option("-l", "64").in(y).in(x).value("2.5").value("1000").out(0);
    return example.run() && within_ulps("y", example.result<float>(0), expected, 0.5) ? 0 : 1;
}
