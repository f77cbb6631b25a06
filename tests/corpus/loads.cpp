// corpus_loads REPOSITORY [--all] [--done FILE] [SOURCE]
//
// Compiles the corpus, or the sources whose names hold SOURCE, for each of their devices; every kernel has to
// load, to pass the verifier, and to be made of nothing but instructions that Visor executes. What is not
// executed stands in missing.tsv with its reason; an entry that is not needed any more is an error, too.
// With --all, every listed source is compiled for all five devices, and all the rest of hashcat's kernels,
// too: a matter of many hours. With --done, what FILE lists is left out and what passed is added to it: a run
// that was stopped goes on.
#include "corpus.h"
#include "tsv.h"
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
    std::string done;   // "": nothing is kept
    std::string wanted; // part of a source's name
    bool all = false;   // not only what the list asks for
};

struct Job {
    const corpus::Source* source;
    const isa::Device* device;

    [[nodiscard]] std::string name() const { return source->name + " " + device->name; }
};

struct Outcome {
    std::string failure;
    size_t kernels = 0;
    size_t instructions = 0;
    std::set<std::string> missing; // "sample_c: an OpenCL sampler has ..."
};

Outcome load(const Job& job) {
    Outcome outcome;
    const compile::Request request = corpus::request(*job.source, *job.device);
    vm::Context context(*job.device);
    vm::LoadOptions options;
    options.device = job.device->name;
    options.compiler_options = request.options;
    options.include_folders = request.include_folders;
    options.time_limit = request.time_limit;
    std::string warnings;
    const auto program = context.load(request.name, request.source, options, warnings);
    if (!program) {
        outcome.failure = program.error().text;
        return outcome;
    }
    for (const vm::KernelFacts& kernel : vm::kernels(**program)) {
        ++outcome.kernels;
        outcome.instructions += kernel.instructions;
        const auto missing = vm::not_executed(**program, kernel.name);
        if (!missing)
            outcome.failure = fmt::format("{}: {}", kernel.name, missing.error().text);
        else
            outcome.missing.insert(missing->begin(), missing->end());
    }
    return outcome;
}

// missing.tsv: what, why, by source and device; `*` is every device.
class Missing {
public:
    explicit Missing(const std::string& repository) {
        test::read_tsv(repository + "/tests/corpus/missing.tsv", [&](const std::vector<std::string>& row) {
            if (row.size() != 4)
                throw std::runtime_error("a row has four cells: source, device, what, reason");
            entries_[row[0] + " " + row[1]].push_back({row[2], false});
        });
    }

    // Whether an entry speaks of this.
    bool names(const Job& job, const std::string& what) {
        for (const std::string& key : {job.name(), job.source->name + " *"}) {
            for (Entry& entry : entries_[key]) {
                if (what.find(entry.what) != std::string::npos)
                    return entry.used = true;
            }
        }
        return false;
    }
    [[nodiscard]] std::vector<std::string> unused() const {
        std::vector<std::string> out;
        for (const auto& [key, list] : entries_) {
            for (const Entry& entry : list) {
                if (!entry.used)
                    out.push_back(key + ": " + entry.what);
            }
        }
        return out;
    }

private:
    struct Entry {
        std::string what;
        bool used;
    };
    std::map<std::string, std::vector<Entry>> entries_;
};

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
    explicit Report(const Request& request) : request_(request), known_(request.repository) {}

    void add(const Job& job, const Outcome& outcome) {
        const std::lock_guard lock(mutex_);
        kernels_ += outcome.kernels;
        instructions_ += outcome.instructions;
        std::set<std::string> problems = outcome.missing;
        if (!outcome.failure.empty())
            problems.insert(outcome.failure);
        for (const std::string& problem : problems) {
            if (known_.names(job, problem))
                ++excepted_;
            else
                fail(fmt::format("{}: {}", job.name(), problem));
        }
        if (problems.empty() && !request_.done.empty())
            std::ofstream(request_.done, std::ios::app) << job.name() << '\n';
    }
    // Only when nothing was left out.
    void look_for_unused() {
        for (const std::string& entry : known_.unused())
            fail(fmt::format("missing.tsv: nothing is missing any more: {}", entry));
    }
    [[nodiscard]] size_t failures() const { return failures_; }
    [[nodiscard]] std::string text() const {
        return fmt::format("{} kernels, {} instructions; {} excepted; {} failures", kernels_, instructions_,
                           excepted_, failures_);
    }

private:
    void fail(const std::string& line) {
        ++failures_;
        fmt::print("{}\n", line);
        std::fflush(stdout);
    }

    const Request& request_;
    Missing known_;
    std::mutex mutex_;
    size_t failures_ = 0;
    size_t kernels_ = 0;
    size_t instructions_ = 0;
    size_t excepted_ = 0;
};

int run(const Request& request) {
    const auto start = std::chrono::steady_clock::now();
    const corpus::Folders folders{.repository = request.repository,
                                  .packages = request.repository + "/build/corpus"};
    const std::vector<corpus::Source> sources =
        request.all ? corpus::read_all_sources(folders) : corpus::read_sources(folders);
    const std::vector<Job> jobs = jobs_of(sources, request);
    Report report(request);
    corpus::each_in_parallel(jobs.size(), [&](size_t at) {
        Outcome outcome;
        try {
            outcome = load(jobs[at]);
        } catch (const std::exception& error) {
            outcome.failure = error.what();
        }
        report.add(jobs[at], outcome);
    });
    if (request.wanted.empty() && request.done.empty())
        report.look_for_unused();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    fmt::print("{} compilations, {}; {:.1f} s\n", jobs.size(), report.text(), seconds.count());
    return report.failures() == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    const std::span<char*> words(argv, static_cast<size_t>(argc));
    Request request;
    size_t at = 1;
    if (at < words.size())
        request.repository = std::filesystem::absolute(words[at++]).string();
    for (; at < words.size() && std::string_view(words[at]).starts_with("--"); ++at) {
        if (std::string_view(words[at]) == "--all")
            request.all = true;
        else if (std::string_view(words[at]) == "--done" && at + 1 < words.size())
            request.done = words[++at];
        else
            break;
    }
    if (at < words.size())
        request.wanted = words[at++];
    if (request.repository.empty() || at < words.size()) {
        fmt::print(stderr, "usage: corpus_loads REPOSITORY [--all] [--done FILE] [SOURCE]\n");
        return 2;
    }
    try {
        return run(request);
    } catch (const std::exception& error) {
        fmt::print(stderr, "corpus_loads: {}\n", error.what());
        return 2;
    }
}
