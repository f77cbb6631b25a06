// corpus_loads REPOSITORY [--all] [--compiler C] [--devices A,B] [--done FILE] [SOURCE]
//
// Compiles the corpus, or the sources whose names hold SOURCE, for each of their devices; every kernel has to
// load, to pass the verifier, and to be made of nothing but instructions that Visor executes. What does not
// stands in missing.tsv with its reason; an entry that is not needed any more is an error, too.
// With --compiler, that one compiles (`2.40`), and with --devices for these instead of the list's. With
// --all, every listed source is compiled for all five devices, and all the rest of hashcat's kernels, too: a
// matter of many hours. With --done, what FILE lists is left out and what passed is added to it: a run that
// was stopped goes on.
#include "corpus.h"
#include "missing.h"
#include "vm/vm.h"
#include "workers.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace visor;

struct Request {
    std::string repository;
    std::string compiler; // "": the newest that knows the device
    std::string devices;  // "": those of the list
    std::string done;     // "": nothing is kept
    std::string wanted;   // part of a source's name
    bool all = false;     // not only what the list asks for
};

struct Job {
    const corpus::Source* source;
    const isa::Device* device;

    [[nodiscard]] std::string name() const { return source->name + " " + device->name; }
};

struct Counts {
    size_t programs = 0;
    size_t not_compiled = 0; // refused by the compiler, with all their kernels
    size_t not_read = 0;     // refused by Visor, likewise
    size_t kernels = 0;      // of the others
    size_t loaded = 0;
    size_t instructions = 0;

    void add(const Counts& other) {
        programs += other.programs;
        not_compiled += other.not_compiled;
        not_read += other.not_read;
        kernels += other.kernels;
        loaded += other.loaded;
        instructions += other.instructions;
    }
};

struct Outcome {
    Counts counts{.programs = 1};
    std::set<std::string> problems; // "sample_c: an OpenCL sampler has ..."
};

// Why kernels were refused is among the warnings.
void load_kernels(const vm::Program& program, const std::string& warnings, Outcome& outcome) {
    for (const vm::KernelFacts& kernel : vm::kernels(program)) {
        ++outcome.counts.kernels;
        outcome.counts.instructions += kernel.instructions;
        const auto missing = vm::not_executed(program, kernel.name);
        if (!missing)
            outcome.problems.insert(fmt::format("{}: {}\n{}", kernel.name, missing.error().text, warnings));
        else
            outcome.problems.insert(missing->begin(), missing->end());
        if (missing && missing->empty())
            ++outcome.counts.loaded;
    }
}

// The line of the compiler's log that says why; a log may have thousands.
std::string reason_in(const std::string& log) {
    const size_t error = log.find("error:");
    const size_t begin = error == std::string::npos ? 0 : log.rfind('\n', error) + 1;
    return log.substr(begin, log.find('\n', begin) - begin);
}

Outcome load(const Job& job, const std::string& compiler) {
    Outcome outcome;
    const compile::Request request = corpus::request(*job.source, *job.device, compiler);
    const auto built = compile::compile(request);
    if (!built) {
        ++outcome.counts.not_compiled;
        outcome.problems.insert(
            fmt::format("not compiled: {}: {}", built.error().message, reason_in(built.error().log)));
        return outcome;
    }
    vm::Context context(*job.device);
    vm::LoadOptions options;
    options.device = job.device->name;
    options.compiler_options = request.options;
    std::string warnings;
    const std::string_view zebin{reinterpret_cast<const char*>(built->zebin.data()), built->zebin.size()};
    const auto program = context.load(request.name, zebin, options, warnings);
    if (!program) {
        ++outcome.counts.not_read;
        outcome.problems.insert(program.error().text);
    } else {
        load_kernels(**program, warnings, outcome);
    }
    return outcome;
}

std::set<std::string> read_done(const std::string& path) {
    std::set<std::string> done;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);)
        done.insert(line);
    return done;
}

std::vector<Job> jobs_of(const std::vector<corpus::Source>& sources, const Request& request) {
    const std::set<std::string> done = read_done(request.done);
    std::vector<Job> jobs;
    for (const corpus::Source& source : sources) {
        for (const isa::Device* device : source.devices) {
            const Job job{&source, device};
            if (source.name.find(request.wanted) != std::string::npos && !done.contains(job.name()))
                jobs.push_back(job);
        }
    }
    return jobs;
}

// Counts, and says at once what is wrong: a run may take hours.
class Report {
public:
    Report(const Request& request, const std::vector<corpus::Source>& sources)
        : request_(request), known_(request.repository + "/tests/corpus/missing.tsv", sources) {}

    void add(const Job& job, const compile::CompilerFacts& compiler, const Outcome& outcome) {
        const corpus::Missing::Judged judged =
            known_.judge(job.source->name, *job.device, compiler, outcome.problems);
        const std::lock_guard lock(mutex_);
        counts_[job.device].add(outcome.counts);
        excepted_ += judged.excepted;
        failures_ += judged.left.size();
        for (const std::string& problem : judged.left)
            fmt::print("{}: {}\n", job.name(), problem);
        std::fflush(stdout);
        if (outcome.problems.empty() && judged.left.empty() && !request_.done.empty())
            std::ofstream(request_.done, std::ios::app) << job.name() << '\n';
    }
    [[nodiscard]] size_t failures() const { return failures_; }
    void print() const {
        fmt::print("| device | programs | not compiled | not read | kernels | loaded | instructions |\n"
                   "|---|---|---|---|---|---|---|\n");
        Counts all;
        for (const auto& [device, counts] : counts_) {
            print(device->name, counts);
            all.add(counts);
        }
        print("all", all);
        fmt::print("{} excepted; {} failures\n", excepted_, failures_);
    }

private:
    static void print(const std::string& name, const Counts& counts) {
        fmt::print("| {} | {} | {} | {} | {} | {} | {} |\n", name, counts.programs, counts.not_compiled,
                   counts.not_read, counts.kernels, counts.loaded, counts.instructions);
    }

    const Request& request_;
    corpus::Missing known_;
    std::mutex mutex_;
    size_t failures_ = 0;
    size_t excepted_ = 0;
    std::map<const isa::Device*, Counts> counts_; // devices lie in their order
};

// Which compiler each device gets.
std::map<const isa::Device*, compile::CompilerFacts> compilers_of(const std::vector<Job>& jobs,
                                                                  const std::string& name) {
    std::map<const isa::Device*, compile::CompilerFacts> compilers;
    for (const Job& job : jobs) {
        if (!compilers.contains(job.device))
            compilers[job.device] = corpus::compiler_for(name, *job.device);
    }
    for (const auto& [device, compiler] : compilers)
        fmt::print("{}: {}\n", device->name, compiler.title);
    std::fflush(stdout);
    return compilers;
}

std::vector<corpus::Source> sources_of(const Request& request) {
    const corpus::Folders folders{.repository = request.repository,
                                  .packages = request.repository + "/build/corpus"};
    std::vector<corpus::Source> sources =
        request.all ? corpus::read_all_sources(folders) : corpus::read_sources(folders);
    if (!request.devices.empty()) {
        for (corpus::Source& source : sources)
            source.devices = corpus::devices_named(request.devices);
    }
    return sources;
}

int run(const Request& request) {
    const auto start = std::chrono::steady_clock::now();
    const std::vector<corpus::Source> sources = sources_of(request);
    const std::vector<Job> jobs = jobs_of(sources, request);
    const auto compilers = compilers_of(jobs, request.compiler);
    Report report(request, sources);
    corpus::each_in_parallel(jobs.size(), [&](size_t at) {
        Outcome outcome;
        try {
            outcome = load(jobs[at], request.compiler);
        } catch (const std::exception& error) {
            outcome.problems.insert(error.what());
        }
        report.add(jobs[at], compilers.at(jobs[at].device), outcome);
    });
    report.print();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    fmt::print("{} compilations; {:.1f} s\n", jobs.size(), seconds.count());
    return report.failures() == 0 ? 0 : 1;
}

bool read_words(std::span<char*> words, Request& request) {
    if (words.size() < 2)
        return false;
    request.repository = std::filesystem::absolute(words[1]).string();
    const std::map<std::string_view, std::string*> options{
        {"--compiler", &request.compiler}, {"--devices", &request.devices}, {"--done", &request.done}};
    for (size_t at = 2; at < words.size(); ++at) {
        const std::string_view word = words[at];
        if (const auto option = options.find(word); option != options.end() && at + 1 < words.size())
            *option->second = words[++at];
        else if (word == "--all")
            request.all = true;
        else if (word.starts_with("--") || !request.wanted.empty())
            return false;
        else
            request.wanted = word;
    }
    return true;
}

} // namespace

int main(int argc, char** argv) {
    try {
        Request request;
        if (!read_words({argv, static_cast<size_t>(argc)}, request)) {
            fmt::print(stderr, "usage: corpus_loads REPOSITORY [--all] [--compiler C] [--devices A,B] "
                               "[--done FILE] [SOURCE]\n");
            return 2;
        }
        return run(request);
    } catch (const std::exception& error) {
        fmt::print(stderr, "corpus_loads: {}\n", error.what());
        return 2;
    }
}
