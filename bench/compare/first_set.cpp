// The first set: eleven pieces of work, from streams of memory to arithmetic alone.
#include "builder.h"
#include "native.h"

namespace visor::compare {

namespace {

Work triad(const char* name, size_t items, double wanted) {
    return Builder(name, "triad")
        .output(items * sizeof(float))
        .input(floats(items, -1, 1))
        .input(floats(items, 0, 2))
        .value(3.0F)
        .over(1, {items, 1, 1}, {256, 1, 1})
        .done(1e-6, wanted, [](Arrays a) {
            native::triad(at<float>(a, 0), at<float>(a, 1), at<float>(a, 2), 3.0F, count<float>(a, 0));
        });
}

constexpr int stencil_width = 4096;
constexpr int stencil_height = 2048;

Work stencil() {
    constexpr size_t items = size_t{stencil_width} * stencil_height;
    return Builder("stencil 4096x2048", "stencil")
        .output(items * sizeof(float))
        .input(floats(items, -1, 1))
        .value(stencil_width)
        .value(stencil_height)
        .over(2, {stencil_width, stencil_height, 1}, {256, 1, 1})
        .done(1e-6, 1.31, [](Arrays a) {
            native::stencil(at<float>(a, 0), at<float>(a, 1), stencil_width, stencil_height);
        });
}

Work mandelbrot() {
    return Builder("mandelbrot 1024x512x256", "mandelbrot")
        .output(size_t{1024} * 512 * sizeof(int))
        .value(1024)
        .value(512)
        .value(256)
        .over(2, {1024, 512, 1}, {64, 1, 1})
        .done(-1, 1.0, [](Arrays a) { native::mandelbrot(at<int>(a, 0), 1024, 512, 256); });
}

Work sgemm() {
    constexpr int n = 512;
    const auto matrix = floats(size_t{n} * n, -1, 1);
    return Builder("sgemm 512, 16x16 tile", "sgemm")
        .input(matrix)
        .input(matrix)
        .output(matrix.size() * sizeof(float))
        .value(n)
        .over(2, {n, n, 1}, {16, 16, 1})
        .done(1e-4, 28,
              [](Arrays a) { native::sgemm(at<float>(a, 0), at<float>(a, 1), at<float>(a, 2), n); });
}

Work histogram() {
    constexpr size_t items = size_t{4} << 20U;
    return Builder("histogram 4M", "histogram")
        .input(integers<uint8_t>(items))
        .output(256 * sizeof(uint32_t))
        .value(static_cast<int>(items / 4))
        .over(1, {size_t{256} * 256, 1, 1}, {256, 1, 1})
        .done(0, 16, [](Arrays a) {
            native::histogram(at<uint8_t>(a, 0), at<uint32_t>(a, 1), count<uint8_t>(a, 0));
        });
}

Work reduction() {
    constexpr size_t numbers = size_t{4} << 20U;
    return Builder("reduction 4M, 9 barriers", "reduction")
        .input(floats(numbers, 0, 1))
        .output(numbers / 16384 * sizeof(float))
        .over(1, {numbers / 64, 1, 1}, {256, 1, 1})
        .from_memory() // as on record, where it ran at the speed of memory; sixteen MB fit some last caches
        .done(1e-4, 6.3,
              [](Arrays a) { native::reduction(at<float>(a, 0), at<float>(a, 1), count<float>(a, 1)); });
}

constexpr int spmv_rows = 1 << 18;

Work spmv() {
    Random random;
    std::vector<int> begins{0};
    std::vector<int> columns;
    for (int row = 0; row < spmv_rows; ++row) {
        const uint32_t length = 8 + random.next() % 17;
        for (uint32_t i = 0; i < length; ++i) // near the diagonal, as most matrices have it
            columns.push_back(
                static_cast<int>((static_cast<uint32_t>(row) + random.next() % 4096) % spmv_rows));
        begins.push_back(static_cast<int>(columns.size()));
    }
    return Builder("SpMV CSR", "spmv")
        .input(begins)
        .input(columns)
        .input(floats(columns.size(), -1, 1))
        .input(floats(spmv_rows, -1, 1))
        .output(size_t{spmv_rows} * sizeof(float))
        .value(spmv_rows)
        .over(1, {spmv_rows, 1, 1}, {256, 1, 1})
        .done(1e-4, 1.09, [](Arrays a) {
            native::spmv(at<int>(a, 0), at<int>(a, 1), at<float>(a, 2), at<float>(a, 3), at<float>(a, 4),
                         spmv_rows);
        });
}

Work sha256() {
    constexpr size_t items = size_t{1} << 18U;
    Random random;
    std::vector<uint32_t> messages(items * 16);
    for (uint32_t& word : messages)
        word = random.next();
    return Builder("SHA-256", "sha256")
        .input(messages)
        .output(items * 8 * sizeof(uint32_t))
        .over(1, {items, 1, 1}, {64, 1, 1})
        .done(0, 6.6, [](Arrays a) {
            native::sha256(at<uint32_t>(a, 0), at<uint32_t>(a, 1), count<uint32_t>(a, 1) / 8);
        });
}

Work black_scholes() {
    constexpr size_t items = size_t{2} << 20U;
    return Builder("Black-Scholes 2M", "black_scholes")
        .output(items * sizeof(float))
        .output(items * sizeof(float))
        .input(floats(items, 5, 30))
        .input(floats(items, 1, 100))
        .input(floats(items, 0.25F, 10))
        .value(0.02F)
        .value(0.3F)
        .over(1, {items, 1, 1}, {256, 1, 1})
        .done(1e-3, 16.5, [](Arrays a) {
            native::black_scholes(at<float>(a, 0), at<float>(a, 1), at<float>(a, 2), at<float>(a, 3),
                                  at<float>(a, 4), 0.02F, 0.3F, count<float>(a, 0));
        });
}

Work nbody() {
    constexpr int bodies = 4096;
    return Builder("n-body 4096", "nbody")
        .input(floats(size_t{bodies} * 4, 0.1F, 1))
        .output(size_t{bodies} * 4 * sizeof(float))
        .value(bodies)
        .value(0.01F)
        .over(1, {bodies, 1, 1}, {64, 1, 1})
        .done(1e-2, 1.0, [](Arrays a) { native::nbody(at<float>(a, 0), at<float>(a, 1), bodies, 0.01F); });
}

} // namespace

std::vector<Work> first_set() {
    std::vector<Work> all;
    all.push_back(triad("triad 16M (DRAM)", size_t{16} << 20U, 1.06));
    all.push_back(triad("triad 64k (L2)", size_t{64} << 10U, 2.34));
    all.push_back(stencil());
    all.push_back(mandelbrot());
    all.push_back(sgemm());
    all.push_back(histogram());
    all.push_back(reduction());
    all.push_back(spmv());
    all.push_back(sha256());
    all.push_back(black_scholes());
    all.push_back(nbody());
    return all;
}

} // namespace visor::compare
