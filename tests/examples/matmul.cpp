// Products and sums of small integers are exact in float, in any order: the result must match to the bit.
#include "examples/host.h"

using namespace visor::test;

int main(int argc, char** argv) {
    constexpr size_t n = 64;
    Numbers numbers(2);
    std::vector<float> a(n * n);
    std::vector<float> b(n * n);
    for (float& value : a)
        value = static_cast<float>(static_cast<int>(numbers.next() % 17) - 8);
    for (float& value : b)
        value = static_cast<float>(static_cast<int>(numbers.next() % 17) - 8);
    std::vector<float> expected(n * n);
    for (size_t row = 0; row < n; ++row) {
        for (size_t column = 0; column < n; ++column) {
            int sum = 0;
            for (size_t k = 0; k < n; ++k)
                sum += static_cast<int>(a[row * n + k]) * static_cast<int>(b[k * n + column]);
            expected[row * n + column] = static_cast<float>(sum);
        }
    }
    Example example(argc, argv);
    example.option("-g", "64,64")
        .option("-l", "16,16")
        .value("zeros:f32:64x64")
        .in(a)
        .in(b)
        .value("64")
        .out(0);
    return example.run() && same("c", example.result<float>(0), expected) ? 0 : 1;
}
