// Matrices, vectors and points. Where numbers are small and whole, floats are exact and so is the comparison.
#include "examples/host.h"

#include <algorithm>
#include <complex>

namespace visor::test {

namespace {

// From -limit to limit.
std::vector<float> whole_numbers(Numbers& numbers, size_t count, uint32_t limit) {
    return each<float>(count, [&](size_t) {
        return static_cast<float>(numbers.below(2 * limit + 1) - static_cast<int32_t>(limit));
    });
}

bool matmul(Example& example) {
    constexpr size_t n = 64;
    Numbers numbers(2);
    const auto a = whole_numbers(numbers, n * n, 8);
    const auto b = whole_numbers(numbers, n * n, 8);
    const auto expected = each<float>(n * n, [&](size_t at) {
        float sum = 0;
        for (size_t k = 0; k < n; ++k)
            sum += a[at / n * n + k] * b[k * n + at % n];
        return sum;
    });
    example.kernel("matmul").sizes({n, n, 1}, {16, 16, 1}, 2).zeros<float>(n * n).array(a).array(b);
    example.value(int32_t{n});
    return example.run() && same("c", example.result<float>(0), expected);
}

bool transpose(Example& example) {
    constexpr size_t width = 48, height = 32;
    Numbers numbers(111);
    const auto in = numbers.floats(width * height, -1, 1);
    const auto expected =
        each<float>(width * height, [&](size_t at) { return in[at % height * width + at / height]; });
    example.kernel("transpose")
        .sizes({width, height, 1}, {16, 16, 1}, 2)
        .zeros<float>(width * height)
        .array(in);
    example.value(int32_t{width}).value(int32_t{height});
    return example.run() && same("out", example.result<float>(0), expected);
}

bool matvec(Example& example) {
    constexpr size_t row_count = 16, columns = 75, group = 32;
    Numbers numbers(112);
    const auto matrix = whole_numbers(numbers, row_count * columns, 50);
    const auto vector = whole_numbers(numbers, columns, 50);
    const auto expected = each<float>(row_count, [&](size_t row) {
        float sum = 0;
        for (size_t c = 0; c < columns; ++c)
            sum += matrix[row * columns + c] * vector[c];
        return sum;
    });
    example.kernel("matvec")
        .sizes(row_count * group, group)
        .zeros<float>(row_count)
        .array(matrix)
        .array(vector);
    example.local_memory(4 * group).value(int32_t{columns});
    return example.run() && same("out", example.result<float>(0), expected);
}

bool spmv(Example& example) {
    constexpr size_t row_count = 64, columns = 50;
    Numbers numbers(113);
    const auto vector = whole_numbers(numbers, columns, 50);
    std::vector<int32_t> starts{0};
    std::vector<int32_t> places;
    std::vector<float> values;
    std::vector<float> expected;
    for (size_t row = 0; row < row_count; ++row) { // some rows are empty
        float sum = 0;
        for (int32_t k = numbers.below(12) - 2; k > 0; --k) {
            places.push_back(numbers.below(columns));
            values.push_back(static_cast<float>(numbers.below(100)));
            sum += values.back() * vector[static_cast<size_t>(places.back())];
        }
        starts.push_back(static_cast<int32_t>(places.size()));
        expected.push_back(sum);
    }
    example.kernel("spmv")
        .sizes(row_count, 32)
        .zeros<float>(row_count)
        .array(starts)
        .array(places)
        .array(values);
    example.array(vector);
    return example.run() && same("out", example.result<float>(0), expected);
}

bool kmeans(Example& example) {
    constexpr size_t count = 256, centre_count = 8;
    Numbers numbers(114);
    const auto points = numbers.integers<int8_t>(2 * count);
    const auto centres = numbers.integers<int8_t>(2 * centre_count);
    std::vector<int32_t> nearest;
    std::vector<int32_t> sums(3 * centre_count);
    for (size_t i = 0; i < count; ++i) {
        const auto distance = [&](size_t c) {
            const int x = points[2 * i] - centres[2 * c], y = points[2 * i + 1] - centres[2 * c + 1];
            return x * x + y * y;
        };
        size_t best = 0;
        for (size_t c = 1; c < centre_count; ++c)
            best = distance(c) < distance(best) ? c : best;
        nearest.push_back(static_cast<int32_t>(best));
        sums[3 * best] += points[2 * i];
        sums[3 * best + 1] += points[2 * i + 1];
        ++sums[3 * best + 2];
    }
    example.kernel("kmeans").sizes(count, 64).zeros<int32_t>(count).zeros<int32_t>(3 * centre_count);
    example.array(points).array(centres);
    return example.run() && same("nearest", example.result<int32_t>(0), nearest) &&
           same("sums", example.result<int32_t>(1), sums);
}

// The kernel sums 128 pulls of up to 6 in float: speeds up to 8 are right to 0.0001.
bool nbody(Example& example) {
    constexpr size_t count = 128;
    constexpr float time = 0.0078125F;
    Numbers numbers(115);
    auto places = numbers.floats(4 * count, -1, 1);
    auto speeds = numbers.floats(4 * count, -1, 1);
    for (size_t i = 0; i < count; ++i) {
        places[4 * i + 3] = std::fabs(places[4 * i + 3]);
        speeds[4 * i + 3] = 0;
    }
    std::vector<long double> new_places;
    std::vector<long double> new_speeds;
    for (size_t i = 0; i < count; ++i) {
        std::array<long double, 3> pull{};
        for (size_t k = 0; k < count; ++k) {
            std::array<long double, 3> way{};
            long double square = 0.0625L;
            for (size_t d = 0; d < 3; ++d) {
                way[d] =
                    static_cast<long double>(places[4 * k + d]) - static_cast<long double>(places[4 * i + d]);
                square += way[d] * way[d];
            }
            for (size_t d = 0; d < 3; ++d)
                pull[d] +=
                    way[d] * static_cast<long double>(places[4 * k + 3]) / (square * std::sqrt(square));
        }
        for (size_t d = 0; d < 3; ++d) {
            new_speeds.push_back(static_cast<long double>(speeds[4 * i + d]) +
                                 pull[d] * static_cast<long double>(time));
            new_places.push_back(static_cast<long double>(places[4 * i + d]) +
                                 new_speeds.back() * static_cast<long double>(time));
        }
        new_speeds.push_back(0);
        new_places.push_back(static_cast<long double>(places[4 * i + 3]));
    }
    example.kernel("nbody").sizes(count, 64).zeros<float>(4 * count).zeros<float>(4 * count);
    example.array(places).array(speeds).value(time);
    return example.run() && within("places", example.result<float>(0), new_places, 1e-4) &&
           within("speeds", example.result<float>(1), new_speeds, 1e-4);
}

// The definition, 256 products a number. Numbers of up to 256 are right to 0.0002.
bool fft(Example& example) {
    constexpr size_t points = 256, groups = 2;
    constexpr long double turn = -2 * 3.14159265358979323846264338327950288L;
    Numbers numbers(116);
    const auto in = numbers.floats(2 * points * groups, -1, 1);
    std::vector<long double> expected;
    for (size_t g = 0; g < groups; ++g) {
        for (size_t k = 0; k < points; ++k) {
            std::complex<long double> sum = 0;
            for (size_t n = 0; n < points; ++n) {
                const std::complex<long double> point(static_cast<long double>(in[2 * (g * points + n)]),
                                                      static_cast<long double>(in[2 * (g * points + n) + 1]));
                sum += point * std::polar(1.0L, turn * static_cast<long double>(k * n % points) / points);
            }
            expected.push_back(sum.real());
            expected.push_back(sum.imag());
        }
    }
    example.kernel("fft").sizes(points / 2 * groups, points / 2).zeros<float>(in.size()).array(in);
    return example.run() && within("out", example.result<float>(0), expected, 2e-4);
}

} // namespace

std::span<const Check> linear_checks() {
    static constexpr std::array checks{Check{"matmul", matmul},
                                       Check{"transpose", transpose},
                                       Check{"transpose_direct", transpose},
                                       Check{"matvec", matvec},
                                       Check{"spmv", spmv},
                                       Check{"kmeans", kmeans},
                                       Check{"nbody", nbody},
                                       Check{"fft", fft}};
    return checks;
}

} // namespace visor::test
