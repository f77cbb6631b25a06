// corpus_checks REPOSITORY [--devices A,B] [--kernel NAME] [--seed N] [--all] [--seconds N]
//               [--compile-seconds N] [--subroutines] [--binaries FOLDER] [--done FILE] [--verbose] WHAT...
//
// Runs kernels of others with all checkers, on made-up data (trial.h) of sizes that launches.tsv corrects
// where a kernel wants others. There is nothing to compare with: what is told is what the checkers say.
// Findings that somebody has looked at stand in findings.tsv with the reason; any other one fails, and so
// does an entry that nothing matches any more. WHAT is a part of a name in the list of sources. With --all
// all of hashcat's kernels are meant. Sources are taken by size, the smallest first; after --seconds no
// further one is begun, and those are named. Kernels of a source run one after the other, in its order.
// hashcat's sources take minutes to compile and the cache knows nothing of them, as macros name what they
// include: with --binaries what was compiled is kept in a folder that exists. With --subroutines functions of
// the source stay subroutines instead of being copied to where they are called, which takes the compiler
// seconds instead of minutes. With --done, what the table FILE lists is left out, in whichever form it was
// run, and what was compiled and run is added to it, with the number of launches that were clean, had
// findings (judged ones too), or ended otherwise.
#include "check/checkers.h"
#include "check/report.h"
#include "check/suppression.h"
#include "corpus.h"
#include "corrections.h"
#include "process/process.h"
#include "trial.h"
#include "trial_arguments.h"
#include "tsv.h"
#include "vm/vm.h"
#include "workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <span>

namespace {

using namespace visor;

struct Request {
    std::string repository;
    std::string devices = "skl,pvc";
    std::string kernel;
    std::string binaries; // folder of what was compiled; "": nothing is kept
    bool subroutines = false;
    std::string done; // table of what is through; "": nothing is kept
    uint64_t seed = 1;
    int64_t seconds = 1'000'000;  // after which no further source is begun
    double compile_seconds = 300; // of one source
    bool all = false;             // not only what the list asks for
    bool verbose = false;
    std::vector<std::string> what;

    // What became of functions, as tables say it.
    [[nodiscard]] const char* functions() const { return subroutines ? "subroutines" : "inlined"; }
};

// What somebody has looked at.
struct Judged {
    std::string source;
    std::string kernel;
    std::string rule;
    uint32_t line = 0; // of the source; 0: any
    bool seen = false;
};

class Tally {
public:
    explicit Tally(const Request& request) : verbose_(request.verbose) {
        test::read_tsv(
            request.repository + "/tests/corpus/findings.tsv", [&](const std::vector<std::string>& row) {
                if (row.at(4) != "*" && row.at(4) != "inlined" && row.at(4) != "subroutines")
                    throw std::runtime_error("findings.tsv: functions are `inlined`, `subroutines`, or `*`");
                if (row.at(4) != "*" && row.at(4) != request.functions())
                    return;
                const auto line = row.at(3) == "*" ? 0 : std::stoul(row.at(3));
                judged_.push_back({row.at(0), row.at(1), row.at(2), static_cast<uint32_t>(line), false});
            });
    }

    // Whether it is one that nobody has judged.
    bool finding(const std::string& source, const check::Finding& finding, const check::Source& text) {
        const check::Spot spot = check::spot_of(finding, finding.party, text);
        const std::lock_guard lock(mutex_);
        if (finding.severity == check::Severity::note) {
            ++counts_["notes"];
            if (!verbose_)
                return false;
        } else if (Judged* const known = entry(source, finding, spot)) {
            known->seen = true;
            ++counts_["judged findings"];
            return false;
        } else {
            ++counts_["FINDINGS"];
            ++unknown_;
        }
        fmt::print("{}: {}\n{}\n", source, finding.function->name, check::render(finding, text));
        std::fflush(stdout);
        return finding.severity != check::Severity::note;
    }
    void ended(const std::string& source, const std::string& kernel, const std::string& how,
               const std::string& detail) {
        const std::lock_guard lock(mutex_);
        ++counts_["launches: " + how];
        if (how != "clean" && how != "with findings")
            fmt::print("{}: {}: {}: {}\n", source, kernel, how, detail.substr(0, 300));
        std::fflush(stdout);
    }
    // A row of the table of what is through.
    void through(const std::string& file, const std::string& row) {
        const std::lock_guard lock(mutex_);
        const bool is_new = !std::filesystem::exists(file);
        std::ofstream(file, std::ios::app)
            << (is_new ? "source\tdevice\tended\tbroken_off\tfunctions\n" : "") << row << '\n';
    }
    void ran(const std::string& source) {
        const std::lock_guard lock(mutex_);
        ran_.insert(source);
    }
    void not_reached(const std::string& source) {
        const std::lock_guard lock(mutex_);
        ++counts_["sources not reached"];
        not_reached_.push_back(source);
    }
    // Of what was run only; `whole`: all of its kernels.
    [[nodiscard]] size_t settle(bool whole) const {
        size_t stale = 0;
        for (const std::string& source : not_reached_)
            fmt::print("{}: not reached\n", source);
        for (const Judged& one : judged_) {
            if (one.seen || !whole || !not_reached_.empty() ||
                !std::ranges::any_of(ran_, [&](const std::string& source) {
                    return check::matches_wildcard(one.source, source);
                }))
                continue;
            ++stale;
            fmt::print("findings.tsv: nothing matches `{} {} {} {}` any more\n", one.source, one.kernel,
                       one.rule, one.line);
        }
        for (const auto& [name, count] : counts_)
            fmt::print("{:>8} {}\n", count, name);
        return unknown_ + stale;
    }

private:
    Judged* entry(const std::string& source, const check::Finding& finding, const check::Spot& spot) {
        const auto found = std::ranges::find_if(judged_, [&](const Judged& one) {
            return check::matches_wildcard(one.source, source) &&
                   check::matches_wildcard(one.kernel, finding.function->name) && one.rule == finding.rule &&
                   (one.line == 0 || one.line == spot.source_line);
        });
        return found == judged_.end() ? nullptr : &*found;
    }

    bool verbose_;
    std::mutex mutex_;
    std::vector<Judged> judged_;
    std::map<std::string, size_t> counts_;
    std::set<std::string> ran_; // sources
    std::vector<std::string> not_reached_;
    size_t unknown_ = 0;
};

// ---- a source on a device

constexpr uint64_t fuel = 4'000'000; // of a hardware thread
constexpr double time_limit = 60;    // seconds

class Checked {
public:
    Checked(const Request& request, const corpus::Corrections& corrections, Tally& tally)
        : request_(request), corrections_(corrections), tally_(tally) {}

    void run(const corpus::Source& source, const isa::Device& device) {
        const std::string content = test::read_file(source.path);
        const auto binary = binary_of(source, device);
        if (!binary)
            return tally_.ended(source.name, device.name, "not compiled", binary.error());
        vm::Context context(device);
        std::string warnings;
        const auto program = context.load(source.path, *binary, {.device = device.name}, warnings);
        if (!program)
            return tally_.ended(source.name, device.name, "not loaded", program.error().text);
        tally_.ran(source.name);
        for (const vm::KernelFacts& kernel : vm::kernels(**program))
            if (request_.kernel.empty() || kernel.name == request_.kernel)
                run({source, content, **program, kernel}, context);
        if (!request_.done.empty() && request_.kernel.empty() && !unknown_findings_)
            tally_.through(request_.done, fmt::format("{}\t{}\t{}\t{}\t{}", source.name, device.name, ended_,
                                                      broken_off_, request_.functions()));
    }

private:
    struct Job {
        const corpus::Source& source;
        const std::string& content;
        const vm::Program& program;
        const vm::KernelFacts& kernel;
    };

    // With source lines, which change no instruction (ruling 94).
    [[nodiscard]] std::expected<std::string, std::string> binary_of(const corpus::Source& source,
                                                                    const isa::Device& device) const {
        std::string name = fmt::format("{}-{}-{}.zebin", source.name, device.name, request_.functions());
        std::ranges::replace(name, '/', '-');
        const std::filesystem::path kept = std::filesystem::path(request_.binaries) / name;
        if (!request_.binaries.empty() && std::filesystem::exists(kept))
            return test::read_file(kept.string());
        compile::Request wanted = corpus::request(source, device);
        wanted.options += " -gline-tables-only";
        if (request_.subroutines) // FLAG_FCALL_FORCE_SUBROUTINE
            wanted.options += " -igc_opts 'FunctionControl=2'";
        wanted.time_limit = request_.compile_seconds;
        const auto output = compile::compile(wanted);
        if (!output)
            return std::unexpected(output.error().message);
        std::string binary(reinterpret_cast<const char*>(output->zebin.data()), output->zebin.size());
        if (!request_.binaries.empty())
            std::ofstream(kept, std::ios::binary) << binary;
        return binary;
    }

    [[nodiscard]] test::Launch launch_of(const Job& job) const {
        auto launch = corpus::make_trial_with_images(job.kernel, job.content, request_.seed);
        if (!launch)
            throw std::runtime_error(launch.error());
        corrections_.apply(job.source.name, job.kernel, kept_, *launch);
        return std::move(*launch);
    }

    void run(const Job& job, vm::Context& context) {
        const test::Launch launch = launch_of(job);
        const corpus::TrialArguments arguments(context, job.kernel, launch);
        std::array<bool, check::kinds> all{};
        all.fill(true);
        check::Checkers checkers(all);
        vm::RunSettings settings;
        const uint64_t wanted = corrections_.fuel(job.source.name, job.kernel.name);
        settings.options.fuel = wanted != 0 ? wanted : fuel;
        settings.options.timeout = time_limit;
        settings.watcher = checkers.listener();
        const auto report = context.run(job.program, job.kernel.name, arguments.values(),
                                        corpus::geometry_of(launch), settings);
        test::Launch after = launch;
        arguments.read_back(after);
        for (size_t i = 0; i < after.arguments.size(); ++i)
            if (after.arguments[i].kind == test::Argument::Kind::array)
                kept_[job.kernel.parameters[i].name] = std::move(after.arguments[i].data);
        for (const check::Finding& finding : checkers.findings().all())
            tell(job, finding);
        end(job, context.device().name, report, checkers.findings());
    }

    void tell(const Job& job, const check::Finding& finding) {
        const auto sources = vm::sources_of(job.program, job.kernel.name);
        check::Source text;
        if (sources)
            for (const vm::KernelSource& source : *sources)
                if (source.function == finding.function)
                    text = {source.name, source.text};
        if (tally_.finding(job.source.name, finding, text))
            unknown_findings_ = true;
    }

    void end(const Job& job, const char* device, const std::expected<vm::RunReport, vm::Error>& report,
             const check::Findings& findings) {
        const std::string where = fmt::format("{} {}", job.source.name, device);
        if (!report || report->error) {
            ++broken_off_;
            return tally_.ended(where, job.kernel.name, report ? "broken off" : "refused",
                                report ? report->error->text : report.error().text);
        }
        const bool any = std::ranges::any_of(findings.all(), [](const check::Finding& finding) {
            return finding.severity == check::Severity::error;
        });
        ++ended_;
        tally_.ended(where, job.kernel.name, any ? "with findings" : "clean", "");
    }

    const Request& request_;
    const corpus::Corrections& corrections_;
    Tally& tally_;
    corpus::Kept kept_;     // by the kernels of the source that have run
    size_t ended_ = 0;      // launches
    size_t broken_off_ = 0; // or refused
    bool unknown_findings_ = false;
};

struct Work {
    corpus::Source source;
    const isa::Device* device;
    uintmax_t bytes;
    size_t number; // in the order of the list
};

// Pairs of a source and a device.
std::set<std::string> read_done(const std::string& path) {
    std::set<std::string> done;
    if (!path.empty() && std::filesystem::exists(path))
        test::read_tsv(
            path, [&](const std::vector<std::string>& row) { done.insert(row.at(0) + " " + row.at(1)); });
    return done;
}

// The smallest first: of what time does not suffice for, as little as can be is left.
std::vector<Work> work_of(const Request& request, std::set<std::string>& names) {
    const corpus::Folders folders{.repository = request.repository,
                                  .packages = request.repository + "/build/corpus"};
    const std::set<std::string> done = read_done(request.done);
    std::vector<Work> work;
    for (const corpus::Source& source :
         request.all ? corpus::read_all_sources(folders) : corpus::read_sources(folders))
        for (const std::string& what : request.what)
            if (source.name.find(what) != std::string::npos && names.insert(source.name).second)
                for (const std::string& device : test::split(request.devices, ','))
                    if (!done.contains(source.name + " " + device))
                        work.push_back(
                            {source, isa::device_named(device), corpus::bytes_of(source), work.size()});
    std::ranges::sort(work, {}, [](const Work& one) { return std::pair(one.bytes, one.number); });
    return work;
}

int run_all(const Request& request) {
    const corpus::Corrections corrections(request.repository + "/tests/corpus/launches.tsv");
    std::set<std::string> names;
    const std::vector<Work> work = work_of(request, names);
    Tally tally(request);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(request.seconds);
    corpus::each_in_parallel(work.size(), [&](size_t at) {
        if (std::chrono::steady_clock::now() >= end)
            return tally.not_reached(work[at].source.name);
        try {
            Checked(request, corrections, tally).run(work[at].source, *work[at].device);
        } catch (const std::exception& error) {
            tally.ended(work[at].source.name, "", "FAILED", error.what());
        }
    });
    return tally.settle(request.kernel.empty()) == 0 && !names.empty() ? 0 : 1;
}

bool read_words(std::span<char*> words, Request& request) {
    if (words.size() < 3)
        return false;
    request.repository = std::filesystem::absolute(words[1]).string();
    for (size_t i = 2; i < words.size(); ++i) {
        const std::string_view word = words[i];
        const bool more = i + 1 < words.size();
        if (word == "--devices" && more)
            request.devices = words[++i];
        else if (word == "--kernel" && more)
            request.kernel = words[++i];
        else if (word == "--seed" && more)
            request.seed = std::stoull(words[++i]);
        else if (word == "--seconds" && more)
            request.seconds = std::stoll(words[++i]);
        else if (word == "--compile-seconds" && more)
            request.compile_seconds = std::stod(words[++i]);
        else if (word == "--binaries" && more)
            request.binaries = words[++i];
        else if (word == "--done" && more)
            request.done = words[++i];
        else if (word == "--subroutines")
            request.subroutines = true;
        else if (word == "--all")
            request.all = true;
        else if (word == "--verbose")
            request.verbose = true;
        else if (word.starts_with("--"))
            return false;
        else
            request.what.emplace_back(word);
    }
    return !request.what.empty();
}

} // namespace

int main(int argc, char** argv) {
    try {
        Request request;
        if (!read_words({argv, static_cast<size_t>(argc)}, request)) {
            fmt::print(stderr, "usage: corpus_checks REPOSITORY [OPTION...] WHAT... (see checks.cpp)\n");
            return 2;
        }
        return run_all(request);
    } catch (const std::exception& error) {
        fmt::print(stderr, "corpus_checks: {}\n", error.what());
        return 2;
    }
}
