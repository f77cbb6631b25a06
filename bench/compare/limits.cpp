// What this processor gives at best, by hand: the loops at the heart of those of compare's kernels that miss
// their must, in the order in which the kernel asks for them, and the operations they are made of. Times are
// of the same amount of work as compare's, so that they stand beside its milliseconds; a result that differs
// from plain C++'s is an error. Needs AVX-512. docs/performance.md says what follows.
#include "builder.h"
#include "native.h"

#include <benchmark/benchmark.h>
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include <sys/mman.h>

namespace visor::compare {
namespace {

using benchmark::DoNotOptimize;
using benchmark::State;

// ---- operations: twelve chains that wait for nobody

constexpr size_t chains = 12;

// One turn: STEP for each of twelve registers; nothing else is in the loop.
template <class Register, class Step>
void operations(State& state, Register first, size_t each, Step step) {
    std::array<Register, chains> of{};
    of.fill(first);
    for ([[maybe_unused]] auto _ : state) {
#pragma GCC unroll 12
        for (size_t k = 0; k < chains; ++k) {
            Register chain = of[k];
            step(chain);
            asm volatile("" : "+v"(chain)); // each by itself, and none left out
            of[k] = chain;
        }
    }
    for (Register chain : of)
        asm volatile("" : "+v"(chain));
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(chains * each));
}

void fused(State& state) {
    const __m512 factor = _mm512_set1_ps(0.5F);
    operations(state, factor, 1, [&](__m512& x) { x = _mm512_fmadd_ps(x, factor, factor); });
}

void fused_and_sum_of_integers(State& state) {
    const __m512 factor = _mm512_set1_ps(0.5F);
    const __m512i one = _mm512_set1_epi32(1);
    operations(state, factor, 2, [&](__m512& x) {
        x = _mm512_fmadd_ps(x, factor, factor);
        __m512i sum = one;
        asm volatile("" : "+v"(sum)); // waits for no other sum
        sum = _mm512_add_epi32(sum, one);
        asm volatile("" : : "v"(sum));
    });
}

// As in a round of SHA-256.
void sums_rotation_and_logic(State& state) {
    const __m512i other = _mm512_set1_epi32(0x12345);
    operations(state, other, 4, [&](__m512i& x) {
        x = _mm512_add_epi32(x, other);
        asm volatile("" : "+v"(x));
        x = _mm512_rol_epi32(x, 7);
        asm volatile("" : "+v"(x));
        x = _mm512_ternarylogic_epi32(x, other, other, 0x96);
        asm volatile("" : "+v"(x));
        x = _mm512_add_epi32(x, other);
    });
}

// ---- n-body: 4096 by 4096, thirty-two bodies at a time as a kernel of 32 lanes has them

constexpr size_t bodies = 4096;
constexpr float softening = 0.01F;

enum class Asked { each, both, never }; // whether the numbers are such that the short way is right

// The reciprocal root of generated code: the CPU's estimate and a step of second order.
struct Estimate {
    __m512 root;
    __m512 square;
};
Estimate estimated(__m512 x) {
    const __m512 root = _mm512_rsqrt14_ps(x);
    return {root, _mm512_mul_ps(root, root)};
}

__m512 short_way(__m512 x, const Estimate& of) {
    const __m512 rest = _mm512_fnmadd_ps(x, of.square, _mm512_set1_ps(1));
    const __m512i half = _mm512_sub_epi32(_mm512_castps_si512(of.root), _mm512_set1_epi32(0x00800000));
    return _mm512_fmadd_ps(_mm512_castsi512_ps(half), rest, of.root);
}

__m512 long_way(__m512 x) {
    return _mm512_div_ps(_mm512_set1_ps(1), _mm512_sqrt_ps(x));
}

// Zero, denormal, infinite or no number.
__mmask16 special(const Estimate& of) {
    return _mm512_fpclass_ps_mask(of.square, 0xff);
}

template <Asked asked>
std::array<__m512, 2> roots(const std::array<__m512, 2>& x) {
    const std::array<Estimate, 2> of{estimated(x[0]), estimated(x[1])};
    if constexpr (asked == Asked::both) {
        if (_kor_mask16(special(of[0]), special(of[1])) != 0) [[unlikely]]
            return {long_way(x[0]), long_way(x[1])};
        return {short_way(x[0], of[0]), short_way(x[1], of[1])};
    } else {
        const auto one = [&](size_t k) {
            if (asked == Asked::each && special(of[k]) != 0) [[unlikely]]
                return long_way(x[k]);
            return short_way(x[k], of[k]);
        };
        return {one(0), one(1)};
    }
}

// x, y and z of a vector of bodies each.
using Point = std::array<__m512, 3>;

template <Asked asked>
void accelerate(const float* from, size_t first, float* to) {
    std::array<Point, 2> own{};
    std::array<Point, 2> sum{};
    const __m512i stride =
        _mm512_slli_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), 2);
    for (size_t half = 0; half < 2; ++half)
        for (size_t k = 0; k < 3; ++k)
            own[half][k] = _mm512_i32gather_ps(stride, from + 4 * (first + 16 * half) + k, 4);
    for (size_t j = 0; j < bodies; ++j) {
        std::array<Point, 2> way{};
        std::array<__m512, 2> square{};
        for (size_t half = 0; half < 2; ++half) {
            for (size_t k = 0; k < 3; ++k)
                way[half][k] = _mm512_sub_ps(_mm512_set1_ps(from[4 * j + k]), own[half][k]);
            const Point& d = way[half];
            square[half] = _mm512_fmadd_ps(d[0], d[0], _mm512_mul_ps(d[1], d[1]));
            square[half] = _mm512_fmadd_ps(d[2], d[2], square[half]);
            square[half] = _mm512_add_ps(square[half], _mm512_set1_ps(softening));
        }
        const std::array<__m512, 2> root = roots<asked>(square);
        for (size_t half = 0; half < 2; ++half) {
            const __m512 r = root[half];
            __m512 weight = _mm512_mul_ps(_mm512_set1_ps(from[4 * j + 3]), r);
            weight = _mm512_mul_ps(_mm512_mul_ps(weight, r), r);
            for (size_t k = 0; k < 3; ++k)
                sum[half][k] = _mm512_fmadd_ps(way[half][k], weight, sum[half][k]);
        }
        asm volatile("" ::: "memory"); // a body is read where it is wanted, as a kernel reads it
    }
    for (size_t half = 0; half < 2; ++half)
        for (size_t k = 0; k < 3; ++k)
            _mm512_i32scatter_ps(to + 4 * (first + 16 * half) + k, stride, sum[half][k], 4);
}

template <Asked asked>
void nbody(State& state) {
    const std::vector<float> from = floats(bodies * 4, 0.1F, 1);
    std::vector<float> to(from.size());
    for ([[maybe_unused]] auto _ : state) {
        for (size_t first = 0; first < bodies; first += 32)
            accelerate<asked>(from.data(), first, to.data());
        benchmark::ClobberMemory();
    }
    std::vector<float> plain(from.size());
    native::nbody(from.data(), plain.data(), bodies, softening);
    for (size_t i = 0; i < to.size(); ++i)
        if (std::abs(to[i] - plain[i]) > 1e-2F * std::max(1.0F, std::abs(plain[i])))
            return state.SkipWithError("other accelerations than plain C++'s");
}

// ---- several threads

double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Each of the threads does its share of COUNT; `cpu_ms` is what all of them took together, their start apart.
template <size_t threads, class Part>
void on_threads(State& state, size_t count, Part part) {
    double seconds = 0;
    for ([[maybe_unused]] auto _ : state) {
        std::array<double, threads> took{};
        std::vector<std::thread> all;
        for (size_t k = 0; k < threads; ++k)
            all.emplace_back([&, k] {
                const double begin = thread_seconds();
                part(count / threads * k, count / threads * (k + 1));
                took[k] = thread_seconds() - begin;
            });
        for (std::thread& one : all)
            one.join();
        seconds = std::accumulate(took.begin(), took.end(), seconds);
    }
    state.counters["cpu_ms"] = 1e3 * seconds / static_cast<double>(state.iterations());
}

// ---- the reduction: sums of 16384 numbers each, of 16 MB that lie in no cache

constexpr size_t group = 16384;
constexpr size_t line = 16; // numbers
constexpr size_t group_lines = group / line;

float in_order(const float* data) {
    std::array<__m512, 4> sums{};
    for (size_t i = 0; i < group; i += 4 * line)
        for (size_t k = 0; k < 4; ++k)
            sums[k] = _mm512_add_ps(sums[k], _mm512_loadu_ps(data + i + k * line));
    return _mm512_reduce_add_ps((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

// As the kernel asks for them: sixteen threads, one after the other, of which each reads every sixteenth
// line.
float by_threads(const float* data) {
    constexpr size_t threads = 16;
    __m512 total = _mm512_setzero_ps();
    for (size_t thread = 0; thread < threads; ++thread) {
        __m512 sum = _mm512_setzero_ps();
        for (size_t i = thread; i < group_lines; i += threads)
            sum = _mm512_add_ps(sum, _mm512_loadu_ps(data + i * line));
        total = _mm512_add_ps(total, sum);
    }
    return _mm512_reduce_add_ps(total);
}

float loads_before(const float* data) {
    for (size_t i = 0; i < group_lines; ++i) {
        int first = 0;
        asm volatile("movl %1, %0" : "=r"(first) : "m"(data[i * line]));
    }
    return by_threads(data);
}

float prefetch_before(const float* data) {
    for (size_t i = 0; i < group_lines; ++i)
        __builtin_prefetch(data + i * line, 0, 3);
    return by_threads(data);
}

// With as many threads, each of which reads its share of memory.
template <size_t threads>
void sums_on_threads(State& state) {
    const std::vector<float> from = floats(size_t{32} << 20U, 0, 1); // more than caches hold
    std::vector<float> to(from.size() / group);
    on_threads<threads>(state, to.size(), [&](size_t first, size_t last) {
        for (size_t i = first; i < last; ++i)
            to[i] = in_order(from.data() + i * group);
    });
    std::vector<float> plain(to.size());
    native::reduction(from.data(), plain.data(), plain.size());
    for (size_t i = 0; i < to.size(); ++i)
        if (std::abs(to[i] - plain[i]) > 1e-4F * plain[i])
            return state.SkipWithError("other sums than plain C++'s");
}

template <float (*sum_of)(const float*)>
void reduction(State& state) {
    const std::vector<float> from = floats(size_t{4} << 20U, 0, 1);
    std::vector<float> to(from.size() / group);
    for ([[maybe_unused]] auto _ : state) {
        state.PauseTiming();
        for (size_t i = 0; i < from.size(); i += line)
            _mm_clflush(from.data() + i);
        _mm_mfence();
        state.ResumeTiming();
        for (size_t i = 0; i < to.size(); ++i)
            to[i] = sum_of(from.data() + i * group);
        benchmark::ClobberMemory();
    }
    std::vector<float> plain(to.size());
    native::reduction(from.data(), plain.data(), plain.size());
    for (size_t i = 0; i < to.size(); ++i)
        if (std::abs(to[i] - plain[i]) > 1e-4F * plain[i])
            return state.SkipWithError("other sums than plain C++'s");
}

// ---- triad: 16M numbers from two arrays to a third, none of which fits a cache

// In huge pages where the system has them, as Visor's large buffers are.
class Numbers {
public:
    explicit Numbers(const std::vector<float>& values)
        : data_(static_cast<float*>(std::aligned_alloc(page, values.size() * sizeof(float))), &std::free) {
        madvise(data_.get(), values.size() * sizeof(float), MADV_HUGEPAGE); // only advice
        std::ranges::copy(values, data_.get());
    }
    [[nodiscard]] float* data() const { return data_.get(); }

private:
    static constexpr size_t page = size_t{2} << 20U;
    std::unique_ptr<float, decltype(&std::free)> data_;
};

enum class Stored { in_cache, past_it };

template <Stored stored>
void add_scaled(float* a, const float* b, const float* c, size_t first, size_t last) {
    constexpr float scale = 3;
    for (size_t i = first; i < last; i += line) {
        const __m512 sum =
            _mm512_fmadd_ps(_mm512_set1_ps(scale), _mm512_loadu_ps(c + i), _mm512_loadu_ps(b + i));
        if constexpr (stored == Stored::past_it)
            _mm512_stream_ps(a + i, sum);
        else
            _mm512_store_ps(a + i, sum);
    }
    _mm_sfence();
}

template <Stored stored, size_t threads>
void triad(State& state) {
    constexpr size_t numbers = size_t{16} << 20U;
    const std::vector<float> b = floats(numbers, -1, 1);
    const std::vector<float> c = floats(numbers, 0, 2);
    const Numbers from(b);
    const Numbers scaled(c);
    const Numbers to(std::vector<float>(numbers, 0));
    on_threads<threads>(state, numbers, [&](size_t first, size_t last) {
        add_scaled<stored>(to.data(), from.data(), scaled.data(), first, last);
    });
    for (size_t i = 0; i < numbers; ++i)
        if (to.data()[i] != std::fma(3.0F, c[i], b[i]))
            return state.SkipWithError("other numbers than plain C++'s");
}

// ---- the histogram: one instruction counts a byte, as one atomic message of the kernel does

using Bins = std::array<uint32_t, 256>;

void count(uint32_t& bin) {
    asm volatile("incl %0" : "+m"(bin));
}

// The bytes of WORD from the lowest, to tables in turn.
template <size_t tables>
void count_bytes(std::array<Bins, tables>& bins, uint64_t word) {
#pragma GCC unroll 8
    for (size_t k = 0; k < 8; ++k)
        count(bins[k % tables][(word >> (8 * k)) & 0xffU]);
}

template <size_t tables>
void words(std::array<Bins, tables>& bins, const uint8_t* data) {
    for (size_t i = 0; i < 64; i += 8) {
        uint64_t word = 0;
        std::memcpy(&word, data + i, sizeof word);
        count_bytes(bins, word);
    }
}

// Sixteen lanes with four bytes each: a vector an index, which leaves it two lanes at a time.
template <size_t tables>
void vectors(std::array<Bins, tables>& bins, const uint8_t* data) {
    const __m512i quads = _mm512_loadu_si512(data);
    const auto part = [&](unsigned k) {
        return _mm512_and_si512(_mm512_srli_epi32(quads, 8 * k), _mm512_set1_epi32(255));
    };
#pragma GCC unroll 4
    for (unsigned k = 0; k < 4; ++k) {
        const __m128i indices = _mm512_cvtepi32_epi8(part(k));
        count_bytes(bins, static_cast<uint64_t>(_mm_cvtsi128_si64(indices)));
        count_bytes(bins, static_cast<uint64_t>(_mm_extract_epi64(indices, 1)));
    }
}

constexpr size_t of_group = 1024; // bytes that a group of 256 items reads at a time

// A group's next bytes are STRIDE behind these: all in a row where they are right behind.
template <size_t tables, void (*part)(std::array<Bins, tables>&, const uint8_t*), size_t stride>
void histogram(State& state) {
    constexpr size_t bytes = size_t{4} << 20U;
    const std::vector<uint8_t> from = integers<uint8_t>(bytes);
    Bins total{};
    for ([[maybe_unused]] auto _ : state) {
        std::array<Bins, tables> bins{};
        for (size_t first = 0; first < stride; first += of_group)
            for (size_t i = first; i < bytes; i += stride)
                for (size_t k = 0; k < of_group; k += 64)
                    part(bins, from.data() + i + k);
        total = {};
        for (const Bins& table : bins)
            for (size_t k = 0; k < total.size(); ++k)
                total[k] += table[k];
        DoNotOptimize(total);
    }
    Bins plain{};
    native::histogram(from.data(), plain.data(), from.size());
    if (total != plain)
        state.SkipWithError("other counts than plain C++'s");
}

// As the kernel does it: each group counts in a table of its own, which it adds to one that all threads
// share.
template <size_t threads>
void histogram_on_threads(State& state) {
    constexpr size_t bytes = size_t{4} << 20U;
    constexpr size_t stride = size_t{256} * of_group;
    const std::vector<uint8_t> from = integers<uint8_t>(bytes);
    alignas(64) Bins total{};
    on_threads<threads>(state, stride / of_group, [&](size_t first, size_t last) {
        for (size_t number = first; number < last; ++number) {
            std::array<Bins, 1> bins{};
            for (size_t at = number * of_group; at < bytes; at += stride)
                for (size_t k = 0; k < of_group; k += 64)
                    words(bins, from.data() + at + k);
            for (size_t k = 0; k < total.size(); ++k)
                std::atomic_ref(total[k]).fetch_add(bins[0][k], std::memory_order_relaxed);
        }
    });
    Bins plain{};
    native::histogram(from.data(), plain.data(), from.size());
    for (size_t k = 0; k < total.size(); ++k)
        if (total[k] != plain[k] * static_cast<uint32_t>(state.iterations()))
            return state.SkipWithError("other counts than plain C++'s");
}

void add(const char* name, void (*function)(State&)) {
    benchmark::RegisterBenchmark(name, function)->Unit(benchmark::kMillisecond)->UseRealTime();
}

void add_all() {
    constexpr size_t of_all = size_t{256} << 10U; // bytes that all groups of the kernel read at a time
    const auto operation = [](const char* name, void (*function)(State&)) {
        benchmark::RegisterBenchmark(name, function);
    };
    operation("operation/fma", fused);
    operation("operation/fma, sum of integers", fused_and_sum_of_integers);
    operation("operation/sum, rotation, logic, sum", sums_rotation_and_logic);
    add("n-body/each root asked for", nbody<Asked::each>);
    add("n-body/two roots asked for at once", nbody<Asked::both>);
    add("n-body/no root asked for", nbody<Asked::never>);
    add("reduction/in order", reduction<in_order>);
    add("reduction/by threads", reduction<by_threads>);
    add("reduction/by threads, all loaded before", reduction<loads_before>);
    add("reduction/by threads, all prefetched before", reduction<prefetch_before>);
    add("triad/stores", triad<Stored::in_cache, 1>);
    add("triad/stores past the caches", triad<Stored::past_it, 1>);
    add("triad/stores, two threads", triad<Stored::in_cache, 2>);
    add("triad/stores past the caches, two threads", triad<Stored::past_it, 2>);
    add("sums/one thread", sums_on_threads<1>);
    add("sums/two threads", sums_on_threads<2>);
    add("histogram/words", histogram<1, words<1>, of_group>);
    add("histogram/words, four tables", histogram<4, words<4>, of_group>);
    add("histogram/words, by groups", histogram<1, words<1>, of_all>);
    add("histogram/vectors, by groups", histogram<1, vectors<1>, of_all>);
    add("histogram/one thread", histogram_on_threads<1>);
    add("histogram/two threads", histogram_on_threads<2>);
}

} // namespace
} // namespace visor::compare

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 2;
    if (__builtin_cpu_supports("avx512dq") == 0 || __builtin_cpu_supports("avx512vl") == 0) {
        std::fputs("limits: this processor has no AVX-512, in which these loops are written\n", stderr);
        return 2;
    }
    visor::compare::add_all();
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
