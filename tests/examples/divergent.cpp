#include "examples/host.h"

using namespace visor::test;

namespace {

int32_t expected_of(int i, int count) {
    if (i % 7 == 3)
        return -i;
    int sum = 0;
    for (int a = 0; a < count; ++a) {
        if (a * a > i * 3)
            break;
        if ((a + i) % 3 == 0)
            continue;
        for (int b = a; b < count; ++b) {
            if (b % 5 == i % 5)
                break;
            if ((b & 1) == (i & 1))
                continue;
            sum += b * 3 + a;
        }
        sum ^= a << (i & 7);
    }
    return sum;
}

} // namespace

int main(int argc, char** argv) {
    std::vector<int32_t> expected;
    for (int i = 0; i < 100; ++i)
        expected.push_back(expected_of(i, 100));
    Example example(argc, argv);
    example.option("-g", "100").option("-l", "50").value("zeros:i32:100").value("100").out(0);
    return example.run() && same("out", example.result<int32_t>(0), expected) ? 0 : 1;
}
