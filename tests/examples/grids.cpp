// Pictures and grids, in two and three dimensions.
#include "examples/host.h"

#include <algorithm>

namespace visor::test {

namespace {

// The kernel's arithmetic in the host's float: z = z^2 + c with each operation rounded as the kernel writes
// it.
int32_t escape(float cx, float cy, int limit) {
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

bool mandelbrot(Example& example) {
    constexpr size_t width = 96, height = 64;
    constexpr int limit = 64;
    const auto expected = each<int32_t>(width * height, [](size_t at) {
        return escape(std::fma(static_cast<float>(at % width), 3.0F / 128, -2.25F),
                      std::fma(static_cast<float>(at / width), 5.0F / 128, -1.25F), limit);
    });
    example.kernel("iterations").sizes({width, height, 1}, {16, 4, 1}, 2).zeros<int32_t>(width * height);
    example.value(int32_t{width})
        .value(-2.25F)
        .value(-1.25F)
        .value(3.0F / 128)
        .value(5.0F / 128)
        .value(limit);
    return example.run() && same("iterations", example.result<int32_t>(0), expected);
}

// Whole numbers: exact in float.
bool convolution(Example& example) {
    constexpr int width = 48, height = 32;
    Numbers numbers(121);
    const auto in =
        each<float>(size_t{width} * height, [&](size_t) { return static_cast<float>(numbers.below(256)); });
    const auto filter = each<float>(25, [&](size_t) { return static_cast<float>(numbers.below(9) - 4); });
    const auto expected = each<float>(in.size(), [&](size_t at) {
        const int x = static_cast<int>(at) % width, y = static_cast<int>(at) / width;
        float sum = 0;
        for (int k = 0; k < 25; ++k) {
            const int column = std::clamp(x + k % 5 - 2, 0, width - 1),
                      row = std::clamp(y + k / 5 - 2, 0, height - 1);
            sum += filter[static_cast<size_t>(k)] * in[static_cast<size_t>(row * width + column)];
        }
        return sum;
    });
    example.kernel("convolution").sizes({width, height, 1}, {16, 16, 1}, 2).zeros<float>(in.size()).array(in);
    example.array(filter).value(width).value(height);
    return example.run() && same("out", example.result<float>(0), expected);
}

// Numbers below 1024 that are divided by four four times: exact in float.
bool jacobi(Example& example) {
    constexpr size_t width = 24, height = 16;
    Numbers numbers(122);
    const auto start =
        each<float>(width * height, [&](size_t) { return static_cast<float>(numbers.below(1024)); });
    auto expected = start;
    auto got = start;
    for (int step = 0; step < 4; ++step) {
        const auto before = expected;
        for (size_t y = 1; y + 1 < height; ++y) {
            for (size_t x = 1; x + 1 < width; ++x) {
                const size_t at = y * width + x;
                expected[at] =
                    (before[at - 1] + before[at + 1] + before[at - width] + before[at + width]) / 4;
            }
        }
        example.kernel("jacobi").sizes({width, height, 1}, {8, 8, 1}, 2).zeros<float>(got.size()).array(got);
        if (!example.run())
            return false;
        got = example.result<float>(0);
    }
    return same("plate", got, expected);
}

bool stencil_3d(Example& example) {
    constexpr int gx = 12, gy = 10, gz = 8;
    Numbers numbers(123);
    const auto in = each<int32_t>(size_t{gx} * gy * gz, [&](size_t) { return numbers.below(100000); });
    const auto at = [&](int x, int y, int z) {
        const bool inside = x >= 0 && y >= 0 && z >= 0 && x < gx && y < gy && z < gz;
        return inside ? in[static_cast<size_t>((z * gy + y) * gx + x)] : 0;
    };
    const auto expected = each<int32_t>(in.size(), [&](size_t place) {
        const int x = static_cast<int>(place) % gx, y = static_cast<int>(place) / gx % gy,
                  z = static_cast<int>(place) / (gx * gy);
        return 6 * at(x, y, z) - at(x - 1, y, z) - at(x + 1, y, z) - at(x, y - 1, z) - at(x, y + 1, z) -
               at(x, y, z - 1) - at(x, y, z + 1);
    });
    example.kernel("stencil_3d").sizes({gx, gy, gz}, {4, 5, 2}, 3).zeros<int32_t>(in.size()).array(in);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

bool game_of_life(Example& example) {
    constexpr size_t width = 32, height = 16;
    Numbers numbers(124);
    const auto start =
        each<uint8_t>(width * height, [&](size_t) { return static_cast<uint8_t>(numbers.below(3) == 0); });
    auto expected = start;
    auto got = start;
    for (int generation = 0; generation < 4; ++generation) {
        const auto before = expected;
        for (size_t at = 0; at < before.size(); ++at) {
            int neighbours = -before[at];
            for (size_t k = 0; k < 9; ++k)
                neighbours += before[(at / width + k / 3 + height - 1) % height * width +
                                     (at % width + k % 3 + width - 1) % width];
            expected[at] = neighbours == 3 || (neighbours == 2 && before[at] != 0) ? 1 : 0;
        }
        example.kernel("game_of_life").sizes({width, height, 1}, {8, 4, 1}, 2);
        example.zeros<uint8_t>(got.size()).array(got);
        if (!example.run())
            return false;
        got = example.result<uint8_t>(0);
    }
    return same("cells", got, expected);
}

// The ways from each place by Bellman's method: as often as there are places, every edge is tried.
bool floyd_warshall(Example& example) {
    constexpr size_t places = 16;
    constexpr int32_t none = 1000000;
    Numbers numbers(125);
    const auto edges = each<int32_t>(places * places, [&](size_t at) {
        const int32_t length = 1 + numbers.below(100);
        return at / places == at % places ? 0 : numbers.below(4) == 0 ? length : none;
    });
    const auto expected = rows<int32_t>(places, [&](size_t from) {
        std::vector<int32_t> ways(places, none);
        ways[from] = 0;
        for (size_t k = 0; k < places; ++k) {
            for (size_t at = 0; at < edges.size(); ++at)
                ways[at % places] = std::min(ways[at % places], ways[at / places] + edges[at]);
        }
        return ways;
    });
    example.kernel("floyd_warshall").sizes({places, places, 1}, {places, places, 1}, 2).array(edges);
    return example.run() && same("distances", example.result<int32_t>(0), expected);
}

} // namespace

std::span<const Check> grid_checks() {
    static constexpr std::array checks{Check{"mandelbrot", mandelbrot},
                                       Check{"convolution", convolution},
                                       Check{"jacobi", jacobi},
                                       Check{"stencil_3d", stencil_3d},
                                       Check{"game_of_life", game_of_life},
                                       Check{"floyd_warshall", floyd_warshall}};
    return checks;
}

} // namespace visor::test
