// corpus_fallbacks REPOSITORY [--devices A,B] [--seconds N] [WHAT...]
//
// Which share of the corpus' executed instructions compiled code leaves to the interpreter. Launches each
// kernel of the list of sources (WHAT: a part of a name) on made-up data (trial.h) of sizes that launches.tsv
// corrects, on the JIT alone, and counts by mnemonic. Kernels without machine code count as interpreted
// whole. After
// --seconds no further source is begun; those are counted. Exit code 0: everything was reached.
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
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <regex>
#include <set>
#include <span>

namespace {

using namespace visor;

struct Request {
    std::string repository;
    std::string devices = "skl,dg2";
    int64_t seconds = 1'000'000;
    std::vector<std::string> what;
};

// Counts of one device.
struct Counts {
    size_t kernels = 0;
    size_t broken_off = 0; // by a fault, fuel or time: counted up to there
    size_t failed = 0;     // not launched
    size_t whole = 0;      // kernels without machine code
    uint64_t instructions = 0;
    uint64_t interpreted_whole = 0;                  // instructions of kernels without machine code
    std::map<std::string, uint64_t> left;            // instructions, by mnemonic
    std::map<std::string, std::set<std::string>> by; // kernels, by mnemonic
    std::map<std::string, size_t> reasons;           // why there was no machine code
};

class Tally {
public:
    void launched(const std::string& source, const std::string& kernel, const std::string& device,
                  const vm::RunReport& report) {
        const std::lock_guard lock(mutex_);
        Counts& counts = counts_[device];
        ++counts.kernels;
        if (report.error)
            ++counts.broken_off;
        counts.instructions += report.instructions;
        if (!report.native) {
            ++counts.whole;
            counts.interpreted_whole += report.instructions;
            ++counts.reasons[report.no_code];
            fmt::print("{}: {}: {}: no machine code: {}\n", source, kernel, device, report.no_code);
            return;
        }
        static const std::regex left("`([^`]+)` left to the interpreter ([0-9]+) times");
        const std::string& story = report.engine_story;
        for (std::sregex_iterator found(story.begin(), story.end(), left), end; found != end; ++found) {
            const std::string mnemonic = (*found)[1];
            counts.left[mnemonic] += std::stoull((*found)[2]);
            counts.by[mnemonic].insert(fmt::format("{} {}", source, kernel));
        }
    }
    void failed(const std::string& source, const std::string& kernel, const std::string& device,
                const std::string& why) {
        const std::lock_guard lock(mutex_);
        ++counts_[device].failed;
        fmt::print("{}: {}: {}: {}\n", source, kernel, device, why.substr(0, why.find('\n')));
    }
    void not_reached(const std::string& source) {
        const std::lock_guard lock(mutex_);
        not_reached_.insert(source);
    }

    // Whether everything was reached.
    [[nodiscard]] bool print() const {
        for (const auto& [device, counts] : counts_)
            print(device, counts);
        for (const std::string& source : not_reached_)
            fmt::print("{}: not reached\n", source);
        return not_reached_.empty();
    }

private:
    static void print(const std::string& device, const Counts& counts) {
        const auto share = [&](uint64_t part) {
            return 100.0 * static_cast<double>(part) /
                   static_cast<double>(std::max<uint64_t>(counts.instructions, 1));
        };
        uint64_t left = counts.interpreted_whole;
        for (const auto& [mnemonic, times] : counts.left)
            left += times;
        fmt::print("{}: {} kernels launched, {} of them broken off; {} not launched\n", device,
                   counts.kernels, counts.broken_off, counts.failed);
        fmt::print("{}: {} instructions, {} interpreted: {:.4f} %\n", device, counts.instructions, left,
                   share(left));
        fmt::print("  {:24} {:>12} {:8.4f} % {:>4} kernels\n", "(no machine code)", counts.interpreted_whole,
                   share(counts.interpreted_whole), counts.whole);
        std::vector<std::pair<uint64_t, std::string>> rows;
        for (const auto& [mnemonic, times] : counts.left)
            rows.emplace_back(times, mnemonic);
        std::ranges::sort(rows, std::greater{});
        for (const auto& [times, mnemonic] : rows)
            fmt::print("  {:24} {:>12} {:8.4f} % {:>4} kernels, such as {}\n", mnemonic, times, share(times),
                       counts.by.at(mnemonic).size(), *counts.by.at(mnemonic).begin());
        for (const auto& [reason, kernels] : counts.reasons)
            fmt::print("  no machine code for {} kernels: {}\n", kernels, reason);
    }

    std::mutex mutex_;
    std::map<std::string, Counts> counts_;
    std::set<std::string> not_reached_;
};

constexpr uint64_t fuel = 400'000; // of a hardware thread
constexpr double time_limit = 60;  // seconds
constexpr double compile_limit = 600;

// All kernels of a source on a device.
class Source {
public:
    Source(const corpus::Source& source, const isa::Device& device, const corpus::Corrections& corrections,
           Tally& tally)
        : source_(source), device_(device), corrections_(corrections), tally_(tally) {}

    void run() {
        const std::string content = test::read_file(source_.path);
        compile::Request wanted = corpus::request(source_, device_);
        wanted.time_limit = compile_limit;
        const auto output = compile::compile(wanted);
        if (!output)
            return tally_.failed(source_.name, "", device_.name, "not compiled: " + output.error().message);
        const std::string binary(reinterpret_cast<const char*>(output->zebin.data()), output->zebin.size());
        vm::Context context(device_);
        std::string warnings;
        const auto program = context.load(source_.path, binary, {.device = device_.name}, warnings);
        if (!program)
            return tally_.failed(source_.name, "", device_.name, "not loaded: " + program.error().text);
        for (const vm::KernelFacts& kernel : vm::kernels(**program))
            if (const auto error = launch(context, **program, kernel, content))
                tally_.failed(source_.name, kernel.name, device_.name, *error);
    }

private:
    std::optional<std::string> launch(vm::Context& context, const vm::Program& program,
                                      const vm::KernelFacts& kernel, const std::string& content) {
        auto trial = corpus::make_trial_with_images(kernel, content, 1);
        if (!trial)
            return trial.error();
        corrections_.apply(source_.name, kernel, kept_, *trial);
        const corpus::TrialArguments arguments(context, kernel, *trial);
        vm::RunSettings settings{.engine = vm::EngineKind::jit};
        settings.options.fuel = fuel;
        settings.options.timeout = time_limit;
        const auto report =
            context.run(program, kernel.name, arguments.values(), corpus::geometry_of(*trial), settings);
        if (!report)
            return report.error().text;
        arguments.read_back(*trial);
        for (size_t i = 0; i < trial->arguments.size(); ++i)
            if (trial->arguments[i].kind == test::Argument::Kind::array)
                kept_[kernel.parameters[i].name] = std::move(trial->arguments[i].data);
        tally_.launched(source_.name, kernel.name, device_.name, *report);
        return std::nullopt;
    }

    const corpus::Source& source_;
    const isa::Device& device_;
    const corpus::Corrections& corrections_;
    Tally& tally_;
    corpus::Kept kept_; // by the kernels of the source that have run
};

struct Work {
    corpus::Source source;
    const isa::Device* device;
};

int run_all(const Request& request) {
    const corpus::Corrections corrections(request.repository + "/tests/corpus/launches.tsv");
    std::vector<Work> work;
    for (const corpus::Source& source : corpus::read_sources(
             {.repository = request.repository, .packages = request.repository + "/build/corpus"}))
        if (request.what.empty() || std::ranges::any_of(request.what, [&](const std::string& what) {
                return source.name.contains(what);
            }))
            for (const isa::Device* device : corpus::devices_named(request.devices))
                if (std::ranges::find(source.devices, device) != source.devices.end())
                    work.push_back({source, device});
    // The largest last: of what time does not suffice for, as little as can be is left.
    std::ranges::stable_sort(work, {}, [](const Work& one) { return corpus::bytes_of(one.source); });
    Tally tally;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(request.seconds);
    corpus::each_in_parallel(work.size(), [&](size_t at) {
        const Work& one = work[at];
        if (std::chrono::steady_clock::now() >= end)
            return tally.not_reached(one.source.name);
        try {
            Source(one.source, *one.device, corrections, tally).run();
        } catch (const std::exception& error) {
            tally.failed(one.source.name, "", one.device->name, error.what());
        }
    });
    return tally.print() && !work.empty() ? 0 : 1;
}

bool read_words(std::span<char*> words, Request& request) {
    if (words.size() < 2)
        return false;
    request.repository = std::filesystem::absolute(words[1]).string();
    for (size_t i = 2; i < words.size(); ++i) {
        const std::string_view word = words[i];
        const bool more = i + 1 < words.size();
        if (word == "--devices" && more)
            request.devices = words[++i];
        else if (word == "--seconds" && more)
            request.seconds = std::stoll(words[++i]);
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
            fmt::print(stderr,
                       "usage: corpus_fallbacks REPOSITORY [--devices A,B] [--seconds N] [WHAT...]\n");
            return 2;
        }
        // Tier 2 code, unless the caller asks for tier 1.
        setenv("VISOR_JIT_TIER", "best", 0);
        return run_all(request);
    } catch (const std::exception& error) {
        fmt::print(stderr, "corpus_fallbacks: {}\n", error.what());
        return 2;
    }
}
