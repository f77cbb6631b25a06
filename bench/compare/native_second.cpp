// The second set in plain C++; native.h says how.
#include "native.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

// Written as users would: indices are ints, and all sizes are small.
// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result, bugprone-misplaced-widening-cast)
namespace visor::compare::native {

namespace {

inline uint8_t edge(int across, int down) {
    return static_cast<uint8_t>(std::min(std::abs(across) + std::abs(down), 255));
}

} // namespace

void sobel(uint8_t* to, const uint8_t* from, int width, int height) {
    for (int y = 0; y < height; ++y) {
        const uint8_t* const above = from + std::max(y - 1, 0) * width;
        const uint8_t* const here = from + y * width;
        const uint8_t* const below = from + std::min(y + 1, height - 1) * width;
        const auto point = [&](int left, int x, int right) {
            const int across =
                above[right] + 2 * here[right] + below[right] - above[left] - 2 * here[left] - below[left];
            const int down =
                below[left] + 2 * below[x] + below[right] - above[left] - 2 * above[x] - above[right];
            return edge(across, down);
        };
        uint8_t* const out = to + y * width;
        out[0] = point(0, 0, 1);
#pragma omp simd
        for (int x = 1; x < width - 1; ++x)
            out[x] = point(x - 1, x, x + 1);
        out[width - 1] = point(width - 2, width - 1, width - 1);
    }
}

namespace {

constexpr size_t fft_points = 1024;

struct Points { // real and imaginary parts apart, so that they fill vectors
    std::array<float, fft_points> re;
    std::array<float, fft_points> im;
};

// One pass over 1024 points: `length` points are still to be split, `stride` transforms lie in each other.
[[gnu::noinline]] void fft_pass(Points& to, const Points& from, const Points& turns, size_t length,
                                size_t stride) {
    const size_t quarter = length / 4;
    const size_t apart = stride * quarter;
    for (size_t p = 0; p < quarter; ++p) {
        const size_t turn = p * stride;
        const float re1 = turns.re[turn];
        const float im1 = turns.im[turn];
        const float re2 = turns.re[2 * turn];
        const float im2 = turns.im[2 * turn];
        const float re3 = turns.re[3 * turn];
        const float im3 = turns.im[3 * turn];
#pragma omp simd
        for (size_t q = 0; q < stride; ++q) {
            const size_t in = turn + q;
            const size_t out = 4 * turn + q;
            const float even_re = from.re[in] + from.re[in + 2 * apart];
            const float even_im = from.im[in] + from.im[in + 2 * apart];
            const float odd_re = from.re[in] - from.re[in + 2 * apart];
            const float odd_im = from.im[in] - from.im[in + 2 * apart];
            const float sum_re = from.re[in + apart] + from.re[in + 3 * apart];
            const float sum_im = from.im[in + apart] + from.im[in + 3 * apart];
            const float turned_re = from.im[in + apart] - from.im[in + 3 * apart];
            const float turned_im = from.re[in + 3 * apart] - from.re[in + apart];
            to.re[out] = even_re + sum_re;
            to.im[out] = even_im + sum_im;
            const float b_re = odd_re + turned_re;
            const float b_im = odd_im + turned_im;
            to.re[out + stride] = re1 * b_re - im1 * b_im;
            to.im[out + stride] = re1 * b_im + im1 * b_re;
            const float c_re = even_re - sum_re;
            const float c_im = even_im - sum_im;
            to.re[out + 2 * stride] = re2 * c_re - im2 * c_im;
            to.im[out + 2 * stride] = re2 * c_im + im2 * c_re;
            const float d_re = odd_re - turned_re;
            const float d_im = odd_im - turned_im;
            to.re[out + 3 * stride] = re3 * d_re - im3 * d_im;
            to.im[out + 3 * stride] = re3 * d_im + im3 * d_re;
        }
    }
}

void take_apart(Points& to, const float* from) {
    for (size_t i = 0; i < fft_points; ++i) {
        to.re[i] = from[2 * i];
        to.im[i] = from[2 * i + 1];
    }
}

} // namespace

void fft(float* to, const float* from, const float* turns, size_t groups) {
    Points one;
    Points other;
    Points turn;
    take_apart(turn, turns);
    for (size_t group = 0; group < groups; ++group) {
        take_apart(other, from + 2 * group * fft_points);
        fft_pass(one, other, turn, 1024, 1);
        fft_pass(other, one, turn, 256, 4);
        fft_pass(one, other, turn, 64, 16);
        fft_pass(other, one, turn, 16, 64);
        fft_pass(one, other, turn, 4, 256);
        float* const out = to + 2 * group * fft_points;
        for (size_t i = 0; i < fft_points; ++i) {
            out[2 * i] = one.re[i];
            out[2 * i + 1] = one.im[i];
        }
    }
}

void sort_groups(uint32_t* to, const uint32_t* from, size_t groups) {
    constexpr size_t keys = 512;
    for (size_t group = 0; group < groups; ++group) {
        uint32_t* const out = to + group * keys;
        std::copy_n(from + group * keys, keys, out);
        std::sort(out, out + keys);
    }
}

void scan(uint32_t* to, uint32_t* sums, const uint32_t* from, size_t groups) {
    constexpr size_t items = 512;
    for (size_t group = 0; group < groups; ++group) {
        uint32_t sum = 0;
        for (size_t i = group * items; i < (group + 1) * items; ++i) {
            to[i] = sum;
            sum += from[i];
        }
        sums[group] = sum;
    }
}

void transpose(float* to, const float* from, int width, int height) {
    constexpr int tile = 16;
    for (int row = 0; row < height; row += tile) {
        for (int column = 0; column < width; column += tile) {
            for (int x = column; x < column + tile; ++x) {
#pragma omp simd
                for (int y = row; y < row + tile; ++y)
                    to[x * height + y] = from[y * width + x];
            }
        }
    }
}

void convolution(float* to, const float* from, const float* mask, int width, int height) {
    constexpr int size = 5;
    const int stride = width + size - 1;
    std::array<float, size * size> factors;
    std::copy_n(mask, factors.size(), factors.begin());
    for (int y = 0; y < height; ++y) {
#pragma omp simd
        for (int x = 0; x < width; ++x) {
            float sum = 0;
            for (int row = 0; row < size; ++row) {
                for (int column = 0; column < size; ++column)
                    sum += factors[static_cast<size_t>(row * size + column)] *
                           from[(y + row) * stride + x + column];
            }
            to[y * width + x] = sum;
        }
    }
}

// Blocks of points whose distances stay in the nearest cache.
void kmeans(int* labels, uint32_t* sizes, const float* points, const float* centers, int count, int clusters,
            int features) {
    constexpr int block = 256;
    for (int first = 0; first < count; first += block) {
        std::array<float, block> least;
        least.fill(std::numeric_limits<float>::infinity());
        for (int c = 0; c < clusters; ++c) {
            std::array<float, block> distance{};
            for (int f = 0; f < features; ++f) {
                const float* const row = points + f * count + first;
                const float center = centers[c * features + f];
#pragma omp simd
                for (int i = 0; i < block; ++i) {
                    const float difference = row[i] - center;
                    distance[static_cast<size_t>(i)] += difference * difference;
                }
            }
#pragma omp simd
            for (int i = 0; i < block; ++i) {
                const auto at = static_cast<size_t>(i);
                labels[first + i] = distance[at] < least[at] ? c : labels[first + i];
                least[at] = std::min(distance[at], least[at]);
            }
        }
        for (int i = 0; i < block; ++i)
            ++sizes[labels[first + i]];
    }
}

namespace {

using Columns = std::array<uint32_t, 4>;

inline uint32_t mixed(const uint32_t* table, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return table[a >> 24U] ^ std::rotr(table[b >> 16U & 255U], 8) ^ std::rotr(table[c >> 8U & 255U], 16) ^
           std::rotr(table[d & 255U], 24);
}
inline uint32_t substituted(const uint32_t* table, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return (table[a >> 24U] & 0xff00U) << 16U | (table[b >> 16U & 255U] & 0xff00U) << 8U |
           (table[c >> 8U & 255U] & 0xff00U) | (table[d & 255U] >> 8U & 255U);
}

} // namespace

void aes(uint32_t* to, const uint32_t* from, const uint32_t* table, const uint32_t* keys, uint32_t nonce,
         size_t blocks) {
    for (size_t block = 0; block < blocks; ++block) {
        Columns s{nonce ^ keys[0], keys[1], keys[2], static_cast<uint32_t>(block) ^ keys[3]};
        for (size_t round = 1; round < 10; ++round) {
            const uint32_t* const key = keys + 4 * round;
            s = {mixed(table, s[0], s[1], s[2], s[3]) ^ key[0], mixed(table, s[1], s[2], s[3], s[0]) ^ key[1],
                 mixed(table, s[2], s[3], s[0], s[1]) ^ key[2],
                 mixed(table, s[3], s[0], s[1], s[2]) ^ key[3]};
        }
        for (size_t i = 0; i < 4; ++i)
            to[4 * block + i] = from[4 * block + i] ^ keys[40 + i] ^
                                substituted(table, s[i], s[(i + 1) % 4], s[(i + 2) % 4], s[(i + 3) % 4]);
    }
}

namespace {

inline uint32_t next(uint32_t state) {
    state ^= state << 13U;
    state ^= state >> 17U;
    return state ^ state << 5U;
}

} // namespace

// Eight items side by side.
void monte_carlo(double* sums, int paths, double price, double strike, double drift, double spread,
                 size_t count) {
    constexpr size_t lanes = 8;
    for (size_t first = 0; first < count; first += lanes) {
        std::array<uint32_t, lanes> states;
        for (size_t l = 0; l < lanes; ++l)
            states[l] = static_cast<uint32_t>(first + l) * 2654435761U + 12345U;
        std::array<double, lanes> sum{};
        for (int path = 0; path < paths; ++path) {
#pragma omp simd
            for (size_t l = 0; l < lanes; ++l) {
                const uint32_t one = next(states[l]);
                const uint32_t two = next(one);
                states[l] = two;
                const double radius = std::sqrt(-2.0 * std::log((one + 0.5) * 0x1p-32));
                const double normal = radius * std::cos(6.283185307179586 * 0x1p-32 * two);
                sum[l] += std::max(price * std::exp(drift + spread * normal) - strike, 0.0);
            }
        }
        for (size_t l = 0; l < lanes; ++l)
            sums[first + l] = sum[l] / paths;
    }
}

void attention(float* to, const float* queries, const float* keys, const float* values, float scale,
               size_t count) {
    constexpr size_t width = 64;
    constexpr size_t key_count = 256;
    for (size_t one = 0; one < count; ++one) {
        std::array<float, key_count> weights{};
        for (size_t f = 0; f < width; ++f) {
            const float factor = queries[one * width + f];
#pragma omp simd
            for (size_t key = 0; key < key_count; ++key)
                weights[key] += factor * keys[f * key_count + key];
        }
        std::array<float, 8> most; // side by side: the order of comparisons is free
        most.fill(-std::numeric_limits<float>::infinity());
        for (size_t key = 0; key < key_count; key += most.size()) {
            for (size_t l = 0; l < most.size(); ++l)
                most[l] = std::max(most[l], weights[key + l] * scale);
        }
        const float largest = *std::max_element(most.begin(), most.end());
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (size_t key = 0; key < key_count; ++key) {
            weights[key] = std::exp(weights[key] * scale - largest);
            sum += weights[key];
        }
        std::array<float, width> result{};
        for (size_t key = 0; key < key_count; ++key) {
#pragma omp simd
            for (size_t f = 0; f < width; ++f)
                result[f] += weights[key] * values[key * width + f];
        }
        for (size_t f = 0; f < width; ++f)
            to[one * width + f] = result[f] / sum;
    }
}

} // namespace visor::compare::native
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result, bugprone-misplaced-widening-cast)
