// compare [--devices A,B] [--rounds N] [--only WORD] [--threads N] [--out FOLDER]: Visor's JIT, PoCL and
// plain C++ do the same work in turn, in one process; results are compared first. The measure is the CPU time
// of the process. Exit code 1: somebody failed or the results differ.
#include "table.h"
#include "work.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <optional>

namespace visor::compare {

namespace {

struct Request {
    std::vector<std::string> devices{"skl", "pvc"};
    unsigned rounds = 9;
    unsigned threads = 1;
    std::string only;
    std::string folder;
};

std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const size_t end = std::min(text.find(','), text.size());
        parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::optional<unsigned> number(std::string_view text) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value == 0 || value > 1000)
        return std::nullopt;
    return value;
}

std::optional<Request> request_of(std::span<char*> arguments) {
    Request request;
    for (size_t i = 1; i < arguments.size(); i += 2) {
        const std::string_view option = arguments[i];
        if (i + 1 == arguments.size())
            return std::nullopt;
        const std::string_view value = arguments[i + 1];
        const auto given = number(value);
        if (option == "--devices")
            request.devices = split(value);
        else if (option == "--only")
            request.only = value;
        else if (option == "--out")
            request.folder = value;
        else if (option == "--rounds" && given)
            request.rounds = *given;
        else if (option == "--threads" && given)
            request.threads = *given;
        else
            return std::nullopt;
    }
    return request;
}

// Seconds of CPU time, of all threads of this process.
double now() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double median(std::vector<double> values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

bool equal(const Work& work, std::span<const std::byte> one, std::span<const std::byte> other) {
    if (work.tolerance == 0)
        return std::ranges::equal(one, other);
    const size_t count = one.size() / 4;
    size_t different = 0;
    for (size_t i = 0; i < count; ++i) {
        float a = 0;
        float b = 0;
        std::memcpy(&a, one.data() + i * 4, 4);
        std::memcpy(&b, other.data() + i * 4, 4);
        if (work.tolerance < 0) { // whole numbers that hang on a rounding here and there
            different += std::memcmp(&a, &b, 4) != 0 ? 1 : 0;
            continue;
        }
        const double scale =
            std::max({1.0, std::abs(static_cast<double>(a)), std::abs(static_cast<double>(b))});
        const bool near = std::abs(static_cast<double>(a) - static_cast<double>(b)) <= work.tolerance * scale;
        different += near ? 0 : 1;
    }
    return different <= (work.tolerance < 0 ? count / 100 : 0);
}

struct Contender {
    std::string name;
    std::unique_ptr<Runner> runner;
    std::vector<double> seconds; // one run, by round
};

// Everyone's results against PoCL's.
bool agree(const Work& work, std::vector<Contender>& contenders) {
    for (Contender& one : contenders) {
        one.runner->reset();
        if (!one.runner->run())
            return false;
    }
    bool fine = true;
    for (size_t buffer = 0; buffer < work.buffers.size(); ++buffer) {
        if (!work.buffers[buffer].is_result)
            continue;
        const auto expected = contenders.front().runner->content(buffer);
        for (Contender& one : std::span(contenders).subspan(1)) {
            if (!equal(work, one.runner->content(buffer), expected)) {
                std::cerr << work.name << ": " << one.name << " has another result than PoCL\n";
                fine = false;
            }
        }
    }
    return fine;
}

// Seconds of one run; short ones are repeated.
double measure(Runner& runner, unsigned repeats) {
    const double begin = now();
    for (unsigned i = 0; i < repeats; ++i) {
        if (!runner.run())
            return NAN;
    }
    return (now() - begin) / repeats;
}

std::optional<Row> compare(const Work& work, const Request& request) {
    std::vector<Contender> contenders;
    contenders.push_back({"PoCL", pocl_runner(work), {}});
    contenders.push_back({"native", native_runner(work), {}});
    for (const std::string& device : request.devices)
        contenders.push_back({"Visor on " + device, visor_runner(work, device, request.threads), {}});
    const bool ready =
        std::ranges::all_of(contenders, [](const Contender& one) { return one.runner != nullptr; });
    if (!ready || !agree(work, contenders))
        return std::nullopt;
    constexpr double at_least = 0.004;
    constexpr double most_repeats = 2000;
    for (unsigned round = 0; round < request.rounds; ++round) {
        for (Contender& one : contenders) {
            const double once = measure(*one.runner, 1);
            const auto repeats =
                static_cast<unsigned>(std::clamp(at_least / std::max(once, 1e-6), 1.0, most_repeats));
            one.seconds.push_back(repeats == 1 ? once : measure(*one.runner, repeats));
        }
    }
    const auto ratio = [&](const Contender& one) {
        std::vector<double> ratios;
        for (size_t round = 0; round < one.seconds.size(); ++round)
            ratios.push_back(contenders.front().seconds[round] / one.seconds[round]);
        return median(ratios);
    };
    Row row{.name = work.name,
            .pocl_ms = 1e3 * median(contenders[0].seconds),
            .native_ratio = ratio(contenders[1]),
            .wanted_ratio = work.wanted_ratio};
    for (const Contender& one : std::span(contenders).subspan(2)) {
        row.visor_ratios.push_back(ratio(one));
        row.stories.push_back(one.name + ": " + one.runner->story());
    }
    return row;
}

int run(const Request& request) {
    // PoCL reads it when it is first asked.
    setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(request.threads).c_str(), 1);
    std::vector<Row> rows;
    bool fine = true;
    for (const Work& work : all_work()) {
        if (work.name.find(request.only) == std::string::npos)
            continue;
        const auto row = compare(work, request);
        if (!row) {
            fine = false;
            continue;
        }
        std::cerr << markdown(request.devices, {*row});
        for (const std::string& story : row->stories)
            std::cerr << story << '\n';
        rows.push_back(*row);
    }
    std::cout << markdown(request.devices, rows);
    if (!request.folder.empty()) {
        std::ofstream(request.folder + "/compare.md") << markdown(request.devices, rows);
        std::ofstream(request.folder + "/compare.svg") << svg(request.devices, rows);
    }
    return fine ? 0 : 1;
}

} // namespace

} // namespace visor::compare

int main(int argc, char** argv) {
    const auto request = visor::compare::request_of(std::span(argv, static_cast<size_t>(argc)));
    if (!request) {
        std::cerr << "compare [--devices A,B] [--rounds N] [--only WORD] [--threads N] [--out FOLDER]\n";
        return 2;
    }
    return visor::compare::run(*request);
}
