#include "examples/host.h"

using namespace visor::test;

int main(int argc, char** argv) {
    constexpr size_t count = 1000;
    constexpr size_t group = 128;
    Numbers numbers(4);
    std::vector<int32_t> data(count);
    std::vector<int32_t> expected(8);
    for (size_t i = 0; i < count; ++i) {
        data[i] = static_cast<int32_t>(numbers.next()) - (1 << 23);
        expected[i / group] += data[i];
    }
    Example example(argc, argv);
    example.option("-g", "1024")
        .option("-l", "128")
        .value("zeros:i32:8")
        .in(data)
        .value("local:512")
        .value("1000");
    example.out(0);
    return example.run() && same("sums", example.result<int32_t>(0), expected) ? 0 : 1;
}
