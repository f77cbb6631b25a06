#include "examples/host.h"

using namespace visor::test;

int main(int argc, char** argv) {
    constexpr size_t count = 5000;
    Numbers numbers(3);
    std::vector<uint8_t> data(count);
    std::vector<uint32_t> expected(256);
    for (uint8_t& value : data) {
        value = static_cast<uint8_t>(numbers.next() % 4 == 0 ? 7 : numbers.next());
        ++expected[value];
    }
    Example example(argc, argv);
    example.option("-g", "1024").option("-l", "128").value("zeros:u32:256").in(data).value("5000").out(0);
    return example.run() && same("bins", example.result<uint32_t>(0), expected) ? 0 : 1;
}
