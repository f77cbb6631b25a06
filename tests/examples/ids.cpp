#include "examples/host.h"

using namespace visor::test;

int main(int argc, char** argv) {
    constexpr int gx = 8, gy = 6, gz = 4, lx = 4, ly = 3, lz = 2, factor = 7;
    std::vector<int32_t> expected;
    for (int z = 0; z < gz; ++z) {
        for (int y = 0; y < gy; ++y) {
            for (int x = 0; x < gx; ++x) {
                const int local = x % lx + lx * (y % ly + ly * (z % lz));
                const int next = (local + 1) % (lx * ly * lz);
                expected.push_back(next + next * factor + 1000 * (x / lx) + 10000 * (y / ly) +
                                   100000 * (z / lz));
            }
        }
    }
    Example example(argc, argv);
    example.option("-g", "8,6,4")
        .option("-l", "4,3,2")
        .value("zeros:i32:192")
        .value("local:96")
        .value("7")
        .out(0);
    return example.run() && same("out", example.result<int32_t>(0), expected) ? 0 : 1;
}
