#include "native.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

// Written as users would: indices are ints, and all sizes are small.
// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result, bugprone-misplaced-widening-cast)
namespace visor::compare::native {

void triad(float* a, const float* b, const float* c, float s, size_t count) {
#pragma omp simd
    for (size_t i = 0; i < count; ++i)
        a[i] = b[i] + s * c[i];
}

void stencil(float* to, const float* from, int width, int height) {
    std::copy_n(from, width, to);
    for (int y = 1; y < height - 1; ++y) {
        const float* const row = from + y * width;
        float* const out = to + y * width;
        out[0] = row[0];
#pragma omp simd
        for (int x = 1; x < width - 1; ++x)
            out[x] = 0.5F * row[x] + 0.125F * (row[x - 1] + row[x + 1] + row[x - width] + row[x + width]);
        out[width - 1] = row[width - 1];
    }
    std::copy_n(from + (height - 1) * width, width, to + (height - 1) * width);
}

void mandelbrot(int* steps, int width, int height, int limit) {
    for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
            const float cx = -2.0F + 3.0F * static_cast<float>(column) / static_cast<float>(width);
            const float cy = -1.0F + 2.0F * static_cast<float>(row) / static_cast<float>(height);
            float x = 0;
            float y = 0;
            int n = 0;
            while (n < limit && x * x + y * y <= 4.0F) {
                const float next = x * x - y * y + cx;
                y = 2 * x * y + cy;
                x = next;
                ++n;
            }
            steps[row * width + column] = n;
        }
    }
}

// Four rows by one register: as fast, beside PoCL, as what is on record. Of 64 columns, four registers, it
// takes half of the time.
void sgemm(const float* a, const float* b, float* c, int n) {
    constexpr int rows = 4;
    constexpr int columns = 16;
    for (int column = 0; column < n; column += columns) {
        for (int row = 0; row < n; row += rows) {
            std::array<std::array<float, columns>, rows> sums{};
            for (int k = 0; k < n; ++k) {
                const float* const from = b + k * n + column;
                for (int r = 0; r < rows; ++r) {
                    const float factor = a[(row + r) * n + k];
                    auto& sum = sums[static_cast<size_t>(r)];
#pragma omp simd
                    for (int x = 0; x < columns; ++x)
                        sum[static_cast<size_t>(x)] += factor * from[x];
                }
            }
            for (int r = 0; r < rows; ++r)
                std::copy_n(sums[static_cast<size_t>(r)].data(), columns, c + (row + r) * n + column);
        }
    }
}

// Four tables, so that equal neighbours do not wait for each other.
void histogram(const uint8_t* data, uint32_t* bins, size_t count) {
    std::array<std::array<uint32_t, 256>, 4> parts{};
    for (size_t i = 0; i < count; i += 4) {
        for (size_t k = 0; k < 4; ++k)
            ++parts[k][data[i + k]];
    }
    for (size_t bin = 0; bin < 256; ++bin)
        bins[bin] += parts[0][bin] + parts[1][bin] + parts[2][bin] + parts[3][bin];
}

void reduction(const float* data, float* sums, size_t groups) {
    constexpr size_t size = 16384;
    for (size_t group = 0; group < groups; ++group) {
        const float* const from = data + group * size;
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (size_t i = 0; i < size; ++i)
            sum += from[i];
        sums[group] = sum;
    }
}

void spmv(const int* begins, const int* columns, const float* values, const float* x, float* y, int rows) {
    for (int row = 0; row < rows; ++row) {
        float sum = 0;
        for (int i = begins[row]; i < begins[row + 1]; ++i)
            sum += values[i] * x[columns[i]];
        y[row] = sum;
    }
}

namespace {

constexpr std::array<uint32_t, 64> rounds{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
constexpr std::array<uint32_t, 8> start{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
constexpr int lanes = 16;
using Words = uint32_t __attribute__((ext_vector_type(lanes)));

inline Words rotated(Words words, int right) {
    return words >> right | words << (32 - right);
}

} // namespace

// Sixteen messages side by side. As arrays with a loop over lanes, which clang vectorises too, it takes half
// as long again.
void sha256(const uint32_t* messages, uint32_t* digests, size_t count) {
    for (size_t first = 0; first < count; first += lanes) {
        std::array<Words, 16> w;
        for (int l = 0; l < lanes; ++l) {
            for (size_t i = 0; i < 16; ++i)
                w[i][l] = messages[(first + static_cast<size_t>(l)) * 16 + i];
        }
        std::array<Words, 8> s;
        for (size_t i = 0; i < 8; ++i)
            s[i] = start[i];
#pragma clang loop unroll(full)
        for (size_t t = 0; t < 64; ++t) {
            if (t >= 16) {
                const Words w15 = w[(t + 1) % 16];
                const Words w2 = w[(t + 14) % 16];
                w[t % 16] += (rotated(w15, 7) ^ rotated(w15, 18) ^ w15 >> 3) + w[(t + 9) % 16] +
                             (rotated(w2, 17) ^ rotated(w2, 19) ^ w2 >> 10);
            }
            const auto [a, b, c, d, e, f, g, h] = s;
            const Words one = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + (g ^ (e & (f ^ g))) +
                              rounds[t] + w[t % 16];
            const Words two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) | (c & (a | b)));
            s = {one + two, a, b, c, d + one, e, f, g};
        }
        for (int l = 0; l < lanes; ++l) {
            for (size_t i = 0; i < 8; ++i)
                digests[(first + static_cast<size_t>(l)) * 8 + i] = s[i][l] + start[i];
        }
    }
}

namespace {

inline float normal_distribution(float d) {
    const float k = 1.0F / (1.0F + 0.2316419F * std::fabs(d));
    const float tail =
        0.39894228F * std::exp(-0.5F * d * d) *
        (k *
         (0.31938153F + k * (-0.356563782F + k * (1.781477937F + k * (-1.821255978F + k * 1.330274429F)))));
    return d > 0 ? 1.0F - tail : tail;
}

} // namespace

void black_scholes(float* calls, float* puts, const float* prices, const float* strikes, const float* years,
                   float rate, float volatility, size_t count) {
#pragma omp simd
    for (size_t i = 0; i < count; ++i) {
        const float s = prices[i];
        const float x = strikes[i];
        const float t = years[i];
        const float root = std::sqrt(t);
        const float d1 =
            (std::log(s / x) + (rate + 0.5F * volatility * volatility) * t) / (volatility * root);
        const float d2 = d1 - volatility * root;
        const float n1 = normal_distribution(d1);
        const float n2 = normal_distribution(d2);
        const float discounted = x * std::exp(-rate * t);
        calls[i] = s * n1 - discounted * n2;
        puts[i] = discounted * (1.0F - n2) - s * (1.0F - n1);
    }
}

void nbody(const float* bodies, float* accelerations, int count, float softening) {
    for (int i = 0; i < count; ++i) {
        float ax = 0;
        float ay = 0;
        float az = 0;
        for (int j = 0; j < count; ++j) {
            const float dx = bodies[4 * j] - bodies[4 * i];
            const float dy = bodies[4 * j + 1] - bodies[4 * i + 1];
            const float dz = bodies[4 * j + 2] - bodies[4 * i + 2];
            const float r = 1.0F / std::sqrt(dx * dx + dy * dy + dz * dz + softening);
            const float weight = bodies[4 * j + 3] * r * r * r;
            ax += dx * weight;
            ay += dy * weight;
            az += dz * weight;
        }
        accelerations[4 * i] = ax;
        accelerations[4 * i + 1] = ay;
        accelerations[4 * i + 2] = az;
        accelerations[4 * i + 3] = 0;
    }
}

} // namespace visor::compare::native
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result, bugprone-misplaced-widening-cast)
