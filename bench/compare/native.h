// The same work in plain C++, as a user would write it for this machine: clang -O3 -march=native with OpenMP
// SIMD. Sizes are arguments, so that nothing is known before it runs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace visor::compare::native {

void triad(float* a, const float* b, const float* c, float s, size_t count);
void stencil(float* to, const float* from, int width, int height);
void mandelbrot(int* steps, int width, int height, int limit);
void sgemm(const float* a, const float* b, float* c, int n);
void histogram(const uint8_t* data, uint32_t* bins, size_t count);
void reduction(const float* data, float* sums, size_t groups);
void spmv(const int* begins, const int* columns, const float* values, const float* x, float* y, int rows);
void sha256(const uint32_t* messages, uint32_t* digests, size_t count);
void black_scholes(float* calls, float* puts, const float* prices, const float* strikes, const float* years,
                   float rate, float volatility, size_t count);
void nbody(const float* bodies, float* accelerations, int count, float softening);

// The second set: native_second.cpp.
void sobel(uint8_t* to, const uint8_t* from, int width, int height);
// Groups of 1024 complex points; turns[i] is exp(-2 pi i sqrt(-1) / 1024).
void fft(float* to, const float* from, const float* turns, size_t groups);
// Groups of 512.
void sort_groups(uint32_t* to, const uint32_t* from, size_t groups);
void scan(uint32_t* to, uint32_t* sums, const uint32_t* from, size_t groups);
void transpose(float* to, const float* from, int width, int height);
void convolution(float* to, const float* from, const float* mask, int width, int height);
void kmeans(int* labels, uint32_t* sizes, const float* points, const float* centers, int count, int clusters,
            int features);
void aes(uint32_t* to, const uint32_t* from, const uint32_t* table, const uint32_t* keys, uint32_t nonce,
         size_t blocks);
void monte_carlo(double* sums, int paths, double price, double strike, double drift, double spread,
                 size_t count);
void attention(float* to, const float* queries, const float* keys, const float* values, float scale,
               size_t count);

} // namespace visor::compare::native
