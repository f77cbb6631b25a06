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

} // namespace visor::compare::native
