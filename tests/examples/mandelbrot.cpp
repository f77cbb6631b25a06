// The kernel's arithmetic in the host's float: z = z^2 + c with each operation rounded as the kernel writes
// it.
#include "examples/host.h"

using namespace visor::test;

namespace {

int iterations(float cx, float cy, int limit) {
    float x = 0;
    float y = 0;
    int n = 0;
    while (n < limit && std::fma(x, x, y * y) <= 4.0F) {
        const float next = std::fma(x, x, -(y * y)) + cx;
        y = std::fma(2.0F * x, y, cy);
        x = next;
        ++n;
    }
    return n;
}

} // namespace

int main(int argc, char** argv) {
    constexpr int width = 96;
    constexpr int height = 64;
    constexpr int limit = 64;
    std::vector<int32_t> expected;
    for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
            const float cx = std::fma(static_cast<float>(column), 3.0F / 128, -2.25F);
            const float cy = std::fma(static_cast<float>(row), 5.0F / 128, -1.25F);
            expected.push_back(iterations(cx, cy, limit));
        }
    }
    Example example(argc, argv);
    example.option("-k", "iterations").option("-g", "96,64").option("-l", "16,4").value("zeros:i32:64x96");
    example.value("96")
        .value("-2.25")
        .value("-1.25")
        .value("0.0234375")
        .value("0.0390625")
        .value("64")
        .out(0);
    return example.run() && same("iterations", example.result<int32_t>(0), expected) ? 0 : 1;
}
