// Sizes, ids, arguments and printf: what every kernel needs.
#include "examples/host.h"

#include <algorithm>
#include <sstream>

namespace visor::test {

namespace {

// 1000 elements in groups of 64: the last group has a tail. The numbers are exact in float.
bool saxpy(Example& example) {
    constexpr size_t count = 1000;
    Numbers numbers(1);
    const std::vector<float> y = numbers.floats(count, 0, 1);
    const std::vector<float> x = numbers.floats(count, -0.5F, 0.5F);
    std::vector<float> expected;
    for (size_t i = 0; i < count; ++i)
        expected.push_back(2.5F * x[i] + y[i]);
    example.kernel("saxpy").sizes(1024, 64).array(y).array(x).value(2.5F).value(1000);
    return example.run() && same("y", example.result<float>(0), expected);
}

bool ids(Example& example) {
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
    example.kernel("ids").sizes({gx, gy, gz}, {lx, ly, lz}, 3);
    example.zeros<int32_t>(expected.size()).local_memory(size_t{4} * lx * ly * lz).value(factor);
    return example.run() && same("out", example.result<int32_t>(0), expected);
}

bool bytes(Example& example) {
    constexpr int count = 100;
    constexpr int factor = 3;
    std::vector<uint8_t> in;
    std::vector<uint8_t> bytes_expected;
    std::vector<int16_t> words_expected;
    for (int i = 0; i < count; ++i) {
        in.push_back(static_cast<uint8_t>(i * 11));
        bytes_expected.push_back(static_cast<uint8_t>(in.back() * factor + 1));
        words_expected.push_back(static_cast<int16_t>(in.back() * -factor));
    }
    // One element more than is written at the end of each: it must stay.
    bytes_expected.push_back(0xAA);
    words_expected.push_back(0x55AA);
    const std::vector<uint8_t> bytes_before(count + 1, 0xAA);
    const std::vector<int16_t> words_before(count + 1, 0x55AA);
    example.kernel("bytes").sizes(count, 50).array(bytes_before).array(words_before).array(in).value(factor);
    return example.run() && same("bytes", example.result<uint8_t>(0), bytes_expected) &&
           same("words", example.result<int16_t>(1), words_expected);
}

bool global_offset(Example& example) {
    constexpr int width = 16, height = 4, left = 100, top = 7;
    std::vector<int32_t> ids_expected;
    std::vector<int32_t> groups_expected;
    for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
            ids_expected.push_back(1000 * (top + row) + left + column);
            groups_expected.push_back(1000 * (row / 2) + column / 8);
        }
    }
    example.kernel("global_offset").sizes({width, height, 1}, {8, 2, 1}, 2).offset({left, top, 0});
    example.zeros<int32_t>(width * height).zeros<int32_t>(width * height);
    return example.run() && same("ids", example.result<int32_t>(0), ids_expected) &&
           same("groups", example.result<int32_t>(1), groups_expected);
}

bool non_uniform_groups(Example& example) {
    constexpr int gx = 10, gy = 7, lx = 4, ly = 3;
    std::vector<int32_t> sizes;
    std::vector<int32_t> neighbours;
    for (int y = 0; y < gy; ++y) {
        for (int x = 0; x < gx; ++x) {
            const int left = x / lx * lx, top = y / ly * ly;
            const int width = std::min(lx, gx - left), height = std::min(ly, gy - top);
            sizes.push_back(3000000 + 300000 + 10000 * lx + 1000 * ly + 100 * width + 10 * height + x / lx);
            const int opposite = width * height - 1 - ((y - top) * width + x - left);
            neighbours.push_back((top + opposite / width) * gx + left + opposite % width);
        }
    }
    example.kernel("non_uniform_groups").options("-cl-std=CL2.0").sizes({gx, gy, 1}, {lx, ly, 1}, 2);
    example.zeros<int32_t>(gx * gy).zeros<int32_t>(gx * gy);
    return example.run() && same("sizes", example.result<int32_t>(0), sizes) &&
           same("neighbours", example.result<int32_t>(1), neighbours);
}

bool many_arguments(Example& example) {
    const std::vector<int64_t> values{
        -100, 200, -30000, 60000, -2000000000, 4000000000, int64_t{-7} << 40, int64_t{1} << 62, 19, -11,
        12,   -21, -24,    -31,   32,          -33};
    std::vector<int64_t> sums;
    for (uint64_t me = 0; me < 4; ++me) {
        uint64_t sum = 0;
        for (uint64_t k = 0; k < 16; ++k)
            sum += static_cast<uint64_t>(values[k]) * (k + me);
        sums.push_back(static_cast<int64_t>(sum));
    }
    example.kernel("many_arguments").sizes(4, 4).zeros<int64_t>(16);
    example.value(int8_t{-100}).value(uint8_t{200}).value(int16_t{-30000}).value(uint16_t{60000});
    example.value(int32_t{-2000000000})
        .value(uint32_t{4000000000})
        .value(values[6])
        .value(uint64_t{1} << 62U);
    example.value(9.5F).value(std::array{-11, 12}).value(std::array<int8_t, 4>{-21, 22, 23, -24});
    example.zeros<int64_t>(4).value(std::array<int16_t, 4>{-31, 32, -33, 0});
    return example.run() && same("out", example.result<int64_t>(0), values) &&
           same("sums", example.result<int64_t>(12), sums);
}

bool printf(Example& example) {
    example.kernel("hello").sizes(4, 4).value(0.25F);
    if (!example.run())
        return false;
    std::vector<std::string> lines;
    std::istringstream said(example.said());
    for (std::string line; std::getline(said, line);)
        lines.push_back(line);
    std::ranges::sort(lines);
    const std::vector<std::string> expected{
        "item 0:  0.00|0   |0000|text",
        "item 1:  0.25|1   |00ff|text",
        "item 2:  0.50|2   |01fe|text",
        "item 3:  0.75|3   |02fd|text",
        "long 2199023255552, char c, percent %, unsigned 4000000000, 1.234500e+03",
        "vector 1,-2,3,2 and 0.500000,1.500000"};
    if (lines != expected)
        std::cout << "printed:\n" << example.said();
    return lines == expected;
}

} // namespace

std::span<const Check> basic_checks() {
    static constexpr std::array checks{Check{"saxpy", saxpy},
                                       Check{"ids", ids},
                                       Check{"bytes", bytes},
                                       Check{"global_offset", global_offset},
                                       Check{"non_uniform_groups", non_uniform_groups},
                                       Check{"many_arguments", many_arguments},
                                       Check{"printf", printf}};
    return checks;
}

} // namespace visor::test
