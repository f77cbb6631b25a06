// genx_ir_kernels REPOSITORY [SOURCE]
//
// Compiles the corpus, or the sources whose names hold SOURCE, and sends each kernel through our writer and
// the outside reader. Fails on a difference that exceptions.tsv does not name, on a stale entry of it, and
// when fewer kernels were carried than promised.
#include "compile/compile.h"
#include "corpus.h"
#include "exceptions.h"
#include "launch/zebin.h"
#include "trip.h"
#include "workers.h"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace visor;

constexpr size_t promised_kernels = 200;
constexpr size_t promised_devices = 5;

struct Job {
    const corpus::Source* source;
    const isa::Device* device;
};
struct Carried {
    std::string name;
    oracle::Trip trip;
};
struct Outcome {
    std::string failure; // of the source as a whole
    std::vector<Carried> kernels;
};

Outcome carry(const Job& job) {
    Outcome outcome;
    const auto output = compile::compile(corpus::request(*job.source, *job.device));
    if (!output) {
        outcome.failure = output.error().message + "\n" + output.error().log;
        return outcome;
    }
    Diagnostics diagnostics;
    const auto zebin = launch::read_zebin(output->zebin, diagnostics);
    if (!zebin) {
        outcome.failure = render(diagnostics, {.name = "zebin", .content = {}, .binary = true}, Color::off);
        return outcome;
    }
    const auto trip = [&](const std::string& name, const std::string& text) {
        outcome.kernels.push_back({name, oracle::trip(text, *job.device, oracle::Maker::compiler)});
    };
    for (const launch::ZebinKernel& kernel : zebin->kernels)
        trip(kernel.signature.name, kernel.text);
    for (const launch::ZebinFunction& function : zebin->functions)
        trip("function " + function.name, function.text);
    return outcome;
}

std::vector<Outcome> carry_all(const std::vector<Job>& jobs) {
    std::vector<Outcome> outcomes(jobs.size());
    corpus::each_in_parallel(jobs.size(), [&](size_t at) {
        try {
            outcomes[at] = carry(jobs[at]);
        } catch (const std::exception& error) {
            outcomes[at].failure = error.what();
        }
    });
    return outcomes;
}

std::vector<Job> jobs_of(const std::vector<corpus::Source>& sources, std::string_view wanted) {
    std::vector<Job> jobs;
    for (const corpus::Source& source : sources) {
        if (source.name.find(wanted) == std::string::npos)
            continue;
        for (const isa::Device* device : source.oracle)
            jobs.push_back({&source, device});
    }
    return jobs;
}

struct Totals {
    size_t failures = 0;
    size_t carried = 0;
    std::set<std::string> distinct;
    std::map<std::string, size_t> per_device;
};

void add(Totals& totals, oracle::Exceptions& exceptions, const Job& job, const Outcome& outcome) {
    if (!outcome.failure.empty()) {
        fmt::print("{} on {}: {}\n", job.source->name, job.device->name, outcome.failure);
        ++totals.failures;
    }
    for (const Carried& kernel : outcome.kernels) {
        const std::string item = job.source->name + "/" + kernel.name;
        const auto verdict = exceptions.judge(item, *job.device, kernel.trip);
        if (!verdict.message.empty())
            fmt::print("{}\n", verdict.message);
        totals.failures += verdict.good ? 0 : 1;
        if (!kernel.trip.finding.empty())
            continue;
        ++totals.carried;
        ++totals.per_device[job.device->name];
        totals.distinct.insert(item);
    }
}

bool report(const Totals& totals, const oracle::Exceptions& exceptions, bool whole) {
    std::string devices;
    for (const auto& [device, count] : totals.per_device)
        devices += fmt::format(", {} {}", device, count);
    fmt::print("{} kernels came back as they were sent ({} distinct{}); {} excepted; {} failures\n",
               totals.carried, totals.distinct.size(), devices, exceptions.used(), totals.failures);
    bool good = totals.failures == 0;
    if (!whole)
        return good;
    for (const std::string& entry : exceptions.unseen()) {
        fmt::print("exceptions.tsv: there is no {}\n", entry);
        good = false;
    }
    if (totals.distinct.size() < promised_kernels || totals.per_device.size() < promised_devices) {
        fmt::print("too few: {} distinct kernels on {} devices are promised\n", promised_kernels,
                   promised_devices);
        good = false;
    }
    return good;
}

int run(const std::string& repository, std::string_view wanted) {
    const auto start = std::chrono::steady_clock::now();
    const std::vector<corpus::Source> sources =
        corpus::read_sources({.repository = repository, .packages = repository + "/build/corpus"});
    oracle::Exceptions exceptions(repository, "kernels");
    const std::vector<Job> jobs = jobs_of(sources, wanted);
    const std::vector<Outcome> outcomes = carry_all(jobs);
    Totals totals;
    for (size_t i = 0; i < jobs.size(); ++i)
        add(totals, exceptions, jobs[i], outcomes[i]);
    const bool good = report(totals, exceptions, wanted.empty());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    fmt::print("{} compilations, {:.1f} s\n", jobs.size(), seconds.count());
    return good ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) {
        fmt::print(stderr, "usage: genx_ir_kernels REPOSITORY [SOURCE]\n");
        return 2;
    }
    try {
        return run(argv[1], argc == 3 ? argv[2] : "");
    } catch (const std::exception& error) {
        fmt::print(stderr, "genx_ir_kernels: {}\n", error.what());
        return 2;
    }
}
