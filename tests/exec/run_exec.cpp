// run_exec [--engine interpreter|jit] [--seconds N] FILE...: runs the cases of case files and says which went
// wrong. With --seconds the swept instructions of a file come in random order, in small kernels, until its
// time is over; literal cases all run. Exit code 0: none did.
#include "exec/literal.h"
#include "exec/sweep.h"
#include "isa/table.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstdio>
#include <fmt/format.h>
#include <random>

namespace visor::exec_test {

namespace {

constexpr size_t kernel_size = 256;      // instructions under test
constexpr size_t small_kernel_size = 16; // where each kernel is compiled to machine code

struct Request {
    vm::EngineKind engine = vm::EngineKind::interpreter;
    double seconds = 0; // of the sweeps of one file; 0: all of them
};

struct Totals {
    size_t cases = 0;
    size_t instructions = 0; // swept
    size_t failures = 0;
};

std::vector<std::string> devices_of(const LiteralCase& given, const CaseFile& file) {
    if (!given.devices.empty())
        return given.devices;
    std::vector<std::string> names;
    for (const isa::Device* device : devices_for(*row_of(file), {}))
        names.emplace_back(device->name);
    return names;
}

void run_literal(const CaseFile& file, const LiteralCase& given, const Request& request, Totals& totals) {
    for (const std::string& device : devices_of(given, file)) {
        ++totals.cases;
        const isa::Device* known = isa::device_named(device);
        const auto kernel = known == nullptr ? std::unexpected(fmt::format("no device `{}`", device))
                                             : kernel_of(given, device, known->grf_bytes);
        const std::string text =
            kernel ? differences(given, *kernel, launch(*kernel, request.engine)) : "  " + kernel.error() + "\n";
        if (text.empty())
            continue;
        ++totals.failures;
        fmt::print("{}:{}: case {} on {}\n{}", file.path, given.line, given.name, device, text);
    }
}

void run_sweeps(const CaseFile& file, const Request& request, Totals& totals) {
    auto planned = plan(file);
    if (!planned) {
        ++totals.failures;
        fmt::print("{}\n", planned.error());
        return;
    }
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const auto over = [&] {
        return request.seconds > 0 && std::chrono::duration<double>(Clock::now() - start).count() > request.seconds;
    };
    const size_t most = request.seconds > 0 ? small_kernel_size : kernel_size;
    if (request.seconds > 0) {
        std::mt19937_64 random(seed);
        std::ranges::shuffle(*planned, random);
    }
    while (!planned->empty() && !over()) {
        const Planned first = planned->front();
        std::vector<Planned> batch;
        std::vector<Planned> rest;
        for (Planned& one : *planned)
            (batch.size() < most && SweepKernel::together(first, one) ? batch : rest)
                .push_back(std::move(one));
        const SweepKernel kernel(file, batch);
        const Outcome outcome = launch(kernel.launch(), request.engine);
        totals.instructions += batch.size();
        const std::string text = kernel.differences(outcome, totals.failures);
        if (!text.empty())
            fmt::print("{}:\n{}", file.path, text);
        *planned = std::move(rest);
    }
}

bool run(const std::string& path, const Request& request) {
    const auto start = std::chrono::steady_clock::now();
    const auto file = read_case_file(path);
    if (!file || row_of(*file) == nullptr) {
        fmt::print("{}\n", file ? path + ": no row has this name" : file.error());
        return false;
    }
    Totals totals;
    for (const LiteralCase& given : file->cases)
        run_literal(*file, given, request, totals);
    run_sweeps(*file, request, totals);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    fmt::print("{}/{}: {} literal runs, {} swept instructions, seed 0x{:x}, {} failures, {:.2f} s\n",
               file->family, file->mnemonic, totals.cases, totals.instructions, seed, totals.failures,
               taken.count());
    return totals.failures == 0 && totals.cases + totals.instructions > 0;
}

} // namespace

} // namespace visor::exec_test

int main(int count, char** words) {
    using namespace visor;
    std::vector<std::string> files(words + 1, words + count);
    exec_test::Request request;
    while (files.size() >= 2 && files[0].starts_with("--")) {
        if (files[0] == "--engine")
            request.engine = files[1] == "jit" ? vm::EngineKind::jit : vm::EngineKind::interpreter;
        else if (files[0] == "--seconds")
            request.seconds = std::atof(files[1].c_str());
        files.erase(files.begin(), files.begin() + 2);
    }
    const auto failed =
        std::ranges::count_if(files, [&](const std::string& path) { return !exec_test::run(path, request); });
    return files.empty() || failed > 0 ? 1 : 0;
}
