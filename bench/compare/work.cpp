#include "work.h"

#include "native.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

namespace visor::compare {

namespace {

// Numbers that look like data and are the same everywhere.
class Random {
public:
    uint32_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        uint64_t mixed = state_;
        mixed = (mixed ^ mixed >> 30U) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ mixed >> 27U) * 0x94d049bb133111ebU;
        return static_cast<uint32_t>(mixed >> 32U);
    }
    float between(float low, float high) {
        return low + (high - low) * static_cast<float>(next() >> 8U) * 0x1p-24F;
    }

private:
    uint64_t state_ = 1;
};

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::vector<float> floats(size_t count, float low, float high) {
    Random random;
    std::vector<float> values(count);
    for (float& value : values)
        value = random.between(low, high);
    return values;
}

// Adds to a piece of work, in the order of the kernel's parameters.
class Builder {
public:
    explicit Builder(std::string name, std::string source) {
        work_.name = std::move(name);
        work_.source = std::move(source);
    }
    template <class T>
    Builder& input(const std::vector<T>& values) {
        return add({bytes_of(values), false});
    }
    Builder& output(size_t bytes) { return add({std::vector<std::byte>(bytes), true}); }
    template <class T>
    Builder& value(T number) {
        Argument argument{
            .kind = Argument::Kind::value, .buffer = 0, .value = std::vector<std::byte>(sizeof(T))};
        std::memcpy(argument.value.data(), &number, sizeof(T));
        work_.arguments.push_back(std::move(argument));
        return *this;
    }
    Builder& over(unsigned dimensions, Sizes global, Sizes local) {
        work_.dimensions = dimensions;
        work_.global = global;
        work_.local = local;
        return *this;
    }
    Work done(double tolerance, double wanted_ratio, void (*native)(Arrays)) {
        work_.tolerance = tolerance;
        work_.wanted_ratio = wanted_ratio;
        work_.native = native;
        return std::move(work_);
    }

private:
    Builder& add(Buffer buffer) {
        work_.arguments.push_back(
            {.kind = Argument::Kind::buffer, .buffer = work_.buffers.size(), .value = {}});
        work_.buffers.push_back(std::move(buffer));
        return *this;
    }
    Work work_;
};

template <class T>
T* at(Arrays arrays, size_t index) {
    return reinterpret_cast<T*>(arrays[index].data());
}
template <class T>
size_t count(Arrays arrays, size_t index) {
    return arrays[index].size() / sizeof(T);
}

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
    Random random;
    std::vector<uint8_t> data(items);
    for (uint8_t& one : data)
        one = static_cast<uint8_t>(random.next());
    return Builder("histogram 4M", "histogram")
        .input(data)
        .output(256 * sizeof(uint32_t))
        .value(static_cast<int>(items / 4))
        .over(1, {size_t{256} * 256, 1, 1}, {256, 1, 1})
        .done(0, 16, [](Arrays a) {
            native::histogram(at<uint8_t>(a, 0), at<uint32_t>(a, 1), count<uint8_t>(a, 0));
        });
}

Work reduction() {
    constexpr size_t items = size_t{4} << 20U;
    return Builder("reduction 4M, 9 barriers", "reduction")
        .input(floats(items, 0, 1))
        .output(items / 512 * sizeof(float))
        .over(1, {items / 2, 1, 1}, {256, 1, 1})
        .done(1e-5, 6.3,
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

class Native final : public Runner {
public:
    explicit Native(const Work& work) : work_(work) { reset(); }
    [[nodiscard]] bool run() override {
        std::vector<std::span<std::byte>> arrays(buffers_.begin(), buffers_.end());
        work_.native(arrays);
        return true;
    }
    void reset() override {
        buffers_.resize(work_.buffers.size());
        for (size_t i = 0; i < buffers_.size(); ++i)
            buffers_[i] = work_.buffers[i].content;
    }
    [[nodiscard]] std::vector<std::byte> content(size_t buffer) override { return buffers_[buffer]; }

private:
    const Work& work_;
    std::vector<std::vector<std::byte>> buffers_;
};

} // namespace

std::vector<Work> all_work() {
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

std::unique_ptr<Runner> native_runner(const Work& work) {
    return std::make_unique<Native>(work);
}

std::string source_of(const Work& work) {
    const std::string path = std::string(VISOR_COMPARE_KERNELS) + "/" + work.source + ".cl";
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file)
        std::cerr << path << ": cannot be read\n";
    return text.str();
}

} // namespace visor::compare
