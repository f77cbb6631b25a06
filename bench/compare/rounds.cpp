#include "rounds.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <iostream>
#include <thread>

namespace visor::compare {

namespace {

double seconds_of(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Seconds now() {
    return {.cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID), .wall = seconds_of(CLOCK_MONOTONIC)};
}

// "": floats are equal, one by one, within a bound; else which are not.
template <class Float>
std::string floats_apart(std::span<const std::byte> one, std::span<const std::byte> other, double tolerance) {
    size_t apart = 0;
    std::string first;
    for (size_t at = 0; at + sizeof(Float) <= one.size(); at += sizeof(Float)) {
        Float a = 0;
        Float b = 0;
        std::memcpy(&a, one.data() + at, sizeof a);
        std::memcpy(&b, other.data() + at, sizeof b);
        const double scale =
            std::max({1.0, std::abs(static_cast<double>(a)), std::abs(static_cast<double>(b))});
        const bool is_same =
            std::ranges::equal(one.subspan(at, sizeof(Float)), other.subspan(at, sizeof(Float)));
        const bool is_near = (std::isnan(a) && std::isnan(b)) ||
                             std::abs(static_cast<double>(a) - static_cast<double>(b)) <= tolerance * scale;
        const bool fine = is_same || (tolerance > 0 && is_near);
        if (!fine && apart++ == 0)
            first = fmt::format("element {} is {:.9g}, not {:.9g}", at / sizeof(Float), a, b);
    }
    return apart == 0 ? "" : fmt::format("{}; {} of {} differ", first, apart, one.size() / sizeof(Float));
}

// Whole numbers that hang on a rounding here and there.
bool mostly_equal(std::span<const std::byte> one, std::span<const std::byte> other) {
    const size_t count = one.size() / 4;
    size_t different = 0;
    for (size_t i = 0; i < count; ++i)
        different += std::ranges::equal(one.subspan(i * 4, 4), other.subspan(i * 4, 4)) ? 0 : 1;
    return different <= count / 100;
}

// "": no byte differs by more than one: the next number of a normalized channel.
std::string bytes_apart(std::span<const std::byte> one, std::span<const std::byte> other) {
    for (size_t i = 0; i < one.size(); ++i) {
        const int a = std::to_integer<int>(one[i]);
        const int b = std::to_integer<int>(other[i]);
        if (std::abs(a - b) > 1)
            return fmt::format("byte {} is {}, not {}", i, a, b);
    }
    return "";
}

// "": they are equal; else where they differ.
std::string difference(const Work& work, const Buffer& buffer, std::span<const std::byte> one,
                       std::span<const std::byte> other) {
    if (one.size() != other.size())
        return "nothing could be read";
    if (buffer.compared == Compared::single_floats)
        return floats_apart<float>(one, other, work.tolerance);
    if (buffer.compared == Compared::double_floats)
        return floats_apart<double>(one, other, work.tolerance);
    if (buffer.compared == Compared::bytes_by_one)
        return bytes_apart(one, other);
    if (work.tolerance == 0 || buffer.compared == Compared::bits) {
        const auto apart = std::ranges::mismatch(one, other);
        return apart.in1 == one.end() ? "" : fmt::format("byte {} differs", apart.in1 - one.begin());
    }
    if (work.tolerance < 0)
        return mostly_equal(one, other) ? "" : "more than one of a hundred words differ";
    return work.doubles ? floats_apart<double>(one, other, work.tolerance)
                        : floats_apart<float>(one, other, work.tolerance);
}

std::string different_results(const Work& work, Runner& one, Runner& other) {
    for (size_t buffer = 0; buffer < work.buffers.size(); ++buffer) {
        if (!work.buffers[buffer].is_result)
            continue;
        const std::string found =
            difference(work, work.buffers[buffer], one.content(buffer), other.content(buffer));
        if (!found.empty())
            return fmt::format("buffer {}: {}", buffer, found);
    }
    return {};
}

// Takes the place of all else in the caches of so many CPUs.
class Filler {
public:
    // 0: of none.
    explicit Filler(unsigned cpus) : contents_(cpus) {
        constexpr size_t more_than_caches = size_t{128} << 20U; // that are shared by few cores
        for (std::vector<uint8_t>& content : contents_)
            content.assign(more_than_caches, 1);
    }
    [[nodiscard]] bool empty() const { return contents_.empty(); }
    void fill() {
        if (empty())
            return;
        std::vector<std::jthread> others;
        for (std::vector<uint8_t>& content : std::span(contents_).subspan(1))
            others.emplace_back([&content] { write(content); });
        write(contents_.front());
    }

private:
    static void write(std::vector<uint8_t>& content) {
        for (size_t at = 0; at < content.size(); at += 64)
            ++content[at];
    }

    std::vector<std::vector<uint8_t>> contents_;
};

// One run; short ones are repeated.
Seconds measure(Runner& runner, unsigned repeats, Filler& filler) {
    Seconds all;
    for (unsigned i = 0; i < repeats;) {
        filler.fill();
        // To read the clock takes as long as some work does: many runs at once where nothing is between them.
        const unsigned runs = filler.empty() ? repeats : 1;
        const Seconds took = take(runner, runs);
        i += runs;
        all.cpu += took.cpu;
        all.wall += took.wall;
    }
    return {.cpu = all.cpu / repeats, .wall = all.wall / repeats};
}

} // namespace

Seconds take(Runner& runner, unsigned runs) {
    if (const auto theirs = runner.timed(runs))
        return *theirs;
    const Seconds begin = now();
    for (unsigned i = 0; i < runs; ++i)
        if (!runner.run())
            return failed_seconds;
    const Seconds over = now();
    return {.cpu = over.cpu - begin.cpu, .wall = over.wall - begin.wall};
}

double median(std::vector<double> values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

void check(const Work& work, std::span<Contender> contenders) {
    Contender* reference = &contenders.front();
    const bool first_is_wrong = !work.pocl_is_wrong.empty() && reference->name == "PoCL";
    for (Contender& one : contenders) {
        if (one.runner == nullptr)
            continue;
        one.runner->reset();
        one.fine = one.runner->run();
        if (!contenders.front().fine)
            return;
        if (first_is_wrong && one.fine && reference == &contenders.front() && &one != reference) {
            std::cerr << work.name << ": PoCL's result is not compared: " << work.pocl_is_wrong << '\n';
            reference = &one;
        }
        const std::string found = one.fine ? different_results(work, *one.runner, *reference->runner) : "";
        if (!found.empty()) {
            std::cerr << work.name << ": " << one.name << " has another result than " << reference->name
                      << ": " << found << '\n';
            one.fine = false;
        }
    }
}

void measure_rounds(const Work& work, std::span<Contender> contenders, unsigned rounds, unsigned cpus) {
    constexpr double at_least = 0.004;
    constexpr double most_repeats = 2000;
    Filler filler(work.from_memory ? cpus : 0);
    for (unsigned round = 0; round < rounds; ++round) {
        for (Contender& one : contenders) {
            if (!one.fine)
                continue;
            const Seconds once = measure(*one.runner, 1, filler);
            if (once.failed()) {
                one.fine = false;
                continue;
            }
            const auto repeats =
                static_cast<unsigned>(std::clamp(at_least / std::max(once.cpu, 1e-6), 1.0, most_repeats));
            one.seconds.push_back(repeats == 1 ? once : measure(*one.runner, repeats, filler));
        }
    }
}

} // namespace visor::compare
