// corpus_runs REPOSITORY [OPTION...] [WHAT...]
//
// Runs kernels whose purpose nobody told it, on Visor and on PoCL, with the same made-up data, and compares
// what they leave in their buffers. WHAT is a part of a name in the list of sources, an OpenCL C file, or a
// folder of such files; without any it is the whole list. A disagreement fails, but for those that
// differs.tsv explains; what cannot be compared is counted under its reason.
//
//   --compiler C    this one compiles (`2.40`) instead of the newest that knows the device
//   --devices A,B   instead of pvc,skl,icllp,tgllp,dg2; the first is the one that is listened to
//   --seeds N       launches of each kernel, each with data of its own (2)
//   --options TEXT  for the compiler, of files and folders
//   --kernel NAME   no other
//   --most N        of each source the first N kernels that can be compared
//   --at-least N    fail where on a device fewer kernels are compared
//   --seconds N     begin no further source after this time; what was left out is counted
//   --log FILE      what became of every launch, a line each, added at the end
//   --done FILE     leave out the sources that FILE lists, and add each one that is through
//   --verbose       every launch to standard output, too
//
// Each source has a process of its own, which the witness may bring down.
#include "corpus.h"
#include "differential.h"
#include "examples/launch.h"
#include "process/process.h"
#include "tally.h"
#include "tsv.h"
#include "workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <span>

namespace {

using namespace visor;

constexpr int skipped = 77;                // as CMakeLists.txt tells ctest
constexpr int seconds_for_a_source = 3600; // with its compilation for each device

struct Request {
    std::string program; // this one
    std::string repository;
    std::string compiler;
    std::string devices = "pvc,skl,icllp,tgllp,dg2";
    std::string seeds = "2";
    std::string options;
    std::string kernel;
    std::string log;
    std::string done;
    double seconds = 0;
    bool verbose = false;
    uint64_t first = 0;
    uint64_t most = UINT64_MAX;
    size_t at_least = 0;
    std::string one; // the path of the only source; set for the process of a source
    std::vector<std::string> what;
};

struct Job {
    std::string name;
    std::string path;
    std::string options;
};

// ---- the process of a source: a line for each launch

int run_one(const Request& request) {
    const corpus::Comparison comparison{.path = request.one,
                                        .options = request.options,
                                        .compiler = request.compiler,
                                        .devices = test::split(request.devices, ','),
                                        .seeds = std::stoull(request.seeds),
                                        .first = request.first,
                                        .most = request.most,
                                        .kernel = request.kernel};
    const auto line = [](const std::string& text) {
        fmt::print("{}\n", text);
        std::fflush(stdout);
    };
    corpus::compare(
        comparison,
        {.begins = [&](uint64_t launch,
                       const std::string& kernel) { line(fmt::format("begin\t{}\t{}", launch, kernel)); },
         .asks_witness = [&] { line("asks"); },
         .has_witness = [&] { line("has"); },
         .verdict =
             [&](const corpus::Verdict& verdict) {
                 line(fmt::format("verdict\t{}\t{}\t{}\t{}\t{}", verdict.kind, verdict.kernel, verdict.device,
                                  verdict.seed, verdict.detail));
             },
         .compared = [&](const std::string& kernel) { line(fmt::format("compared\t{}", kernel)); }});
    return 0;
}

// ---- all of them

// Where the process of a source goes on when it was brought down.
struct Rest {
    uint64_t first = 0;         // the launch; 0: it is through
    uint64_t most = UINT64_MAX; // kernels
};

// Hands the lines of a process on.
Rest take(const Job& job, const test::Finished& finished, const Rest& from, corpus::Tally& tally) {
    Rest next = from;
    bool in_witness = false;
    std::string kernel;
    for (const std::string& line : test::split(finished.out, '\n')) {
        const std::vector<std::string> cells = test::split(line, '\t');
        if (cells[0] == "begin" && cells.size() == 3) {
            next.first = std::stoull(cells[1]) + 1;
            kernel = cells[2];
        } else if (cells[0] == "asks" || cells[0] == "has") {
            in_witness = cells[0] == "asks";
        } else if (cells[0] == "compared") {
            --next.most;
        } else if (cells[0] == "verdict" && cells.size() == 6) {
            // What concerns the source as a whole is told again by each process of it.
            if (from.first == 0 || !cells[2].empty())
                tally.add(job.name, {cells[1], cells[2], cells[3], cells[4], cells[5]});
        }
    }
    if (finished.exit_code == 0)
        return {};
    const std::string end =
        fmt::format("exit code {}: {}", finished.exit_code,
                    finished.err.substr(0, std::min<size_t>(finished.err.find('\n'), 200)));
    tally.add(job.name,
              {.kind = std::string(in_witness ? "crash" : corpus::faulted), .kernel = kernel, .detail = end});
    return next.first == from.first ? Rest{} : next;
}

void run_job(const Job& job, const Request& request, corpus::Tally& tally) {
    Rest rest{.first = 0, .most = request.most};
    do {
        const test::Finished finished = test::run(
            {request.program, request.repository, "--one", job.path, "--options", job.options, "--compiler",
             request.compiler, "--devices", request.devices, "--seeds", request.seeds, "--kernel",
             request.kernel, "--first", std::to_string(rest.first), "--most", std::to_string(rest.most)},
            {}, "", seconds_for_a_source);
        rest = take(job, finished, rest, tally);
    } while (rest.first != 0);
    tally.finish(job.name);
}

std::set<std::string> read_lines(const std::string& path) {
    std::set<std::string> lines;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);)
        lines.insert(line);
    return lines;
}

void add_files(const std::string& path, const Request& request, std::vector<Job>& jobs) {
    if (!std::filesystem::is_directory(path)) {
        jobs.push_back({path, path, request.options});
        return;
    }
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
        if (entry.is_regular_file() && entry.path().extension() == ".cl")
            files.push_back(entry.path().string());
    }
    std::ranges::sort(files);
    for (const std::string& file : files)
        jobs.push_back({file, file, request.options});
}

std::vector<Job> jobs_of(const Request& request) {
    const std::vector<corpus::Source> sources = corpus::read_sources(
        {.repository = request.repository, .packages = request.repository + "/build/corpus"});
    std::vector<Job> jobs;
    for (const std::string& what : request.what.empty() ? std::vector<std::string>{""} : request.what) {
        if (std::filesystem::exists(what)) {
            add_files(what, request, jobs);
            continue;
        }
        for (const corpus::Source& source : sources) {
            if (source.name.find(what) != std::string::npos)
                jobs.push_back({source.name, source.path, source.options});
        }
    }
    const std::set<std::string> done = read_lines(request.done);
    std::erase_if(jobs, [&](const Job& job) { return done.contains(job.name); });
    return jobs;
}

// The compiler for each device. Throws where there is none.
void tell_compilers(const Request& request) {
    for (const isa::Device* device : corpus::devices_named(request.devices))
        fmt::print("{}: {}\n", device->name, corpus::compiler_for(request.compiler, *device).title);
    std::fflush(stdout);
}

bool enough(const corpus::Tally& tally, const std::vector<std::string>& devices, size_t at_least) {
    bool all = true;
    for (const std::string& device : devices) {
        if (tally.compared_on(device) < at_least) {
            fmt::print("{}: fewer than {} kernels were compared\n", device, at_least);
            all = false;
        }
    }
    return all;
}

int run_all(const Request& request) {
    if (!test::pocl_is_there()) {
        fmt::print("PoCL is missing: there is nothing to compare with (`scripts/setup test` installs it)\n");
        return std::getenv("VISOR_TEST_NEEDS_POCL") != nullptr ? 1 : skipped;
    }
    tell_compilers(request);
    const std::vector<Job> jobs = jobs_of(request);
    const auto start = std::chrono::steady_clock::now();
    const auto passed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    corpus::Tally tally({.differs = request.repository + "/tests/corpus/differs.tsv",
                         .log = request.log,
                         .done = request.done},
                        request.verbose);
    std::atomic<size_t> left_out = 0;
    corpus::each_in_parallel(jobs.size(), [&](size_t at) {
        if (request.seconds > 0 && passed() > request.seconds) {
            ++left_out;
            return;
        }
        try {
            run_job(jobs[at], request, tally);
        } catch (const std::exception& error) {
            tally.add(jobs[at].name, {.kind = std::string(corpus::faulted), .detail = error.what()});
        }
    });
    const std::vector<std::string> devices = test::split(request.devices, ',');
    tally.print(devices);
    fmt::print("{} sources, {} of them left out for want of time; {:.0f} s; {} launches to explain\n",
               jobs.size(), left_out.load(), passed(), tally.suspicious());
    return tally.suspicious() == 0 && left_out < jobs.size() && enough(tally, devices, request.at_least) ? 0
                                                                                                         : 1;
}

bool read_words(std::span<char*> words, Request& request) {
    if (words.size() < 2)
        return false;
    request.program = std::filesystem::read_symlink("/proc/self/exe").string();
    request.repository = std::filesystem::absolute(words[1]).string();
    const std::map<std::string_view, std::string*> options{
        {"--compiler", &request.compiler}, {"--devices", &request.devices}, {"--seeds", &request.seeds},
        {"--options", &request.options},   {"--kernel", &request.kernel},   {"--log", &request.log},
        {"--done", &request.done},         {"--one", &request.one}};
    for (size_t i = 2; i < words.size(); ++i) {
        const std::string_view word = words[i];
        const bool more = i + 1 < words.size();
        if (const auto option = options.find(word); option != options.end() && more)
            *option->second = words[++i];
        else if (word == "--seconds" && more)
            request.seconds = std::stod(words[++i]);
        else if (word == "--first" && more)
            request.first = std::stoull(words[++i]);
        else if (word == "--most" && more)
            request.most = std::stoull(words[++i]);
        else if (word == "--at-least" && more)
            request.at_least = std::stoull(words[++i]);
        else if (word == "--verbose")
            request.verbose = true;
        else if (word.starts_with("--"))
            return false;
        else
            request.what.emplace_back(word);
    }
    return true;
}

} // namespace

int main(int argc, char** argv) {
    try {
        Request request;
        if (!read_words({argv, static_cast<size_t>(argc)}, request)) {
            fmt::print(stderr, "usage: corpus_runs REPOSITORY [OPTION...] [WHAT...] (see runs.cpp)\n");
            return 2;
        }
        return request.one.empty() ? run_all(request) : run_one(request);
    } catch (const std::exception& error) {
        fmt::print(stderr, "corpus_runs: {}\n", error.what());
        return 2;
    }
}
