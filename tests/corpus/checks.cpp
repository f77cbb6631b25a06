// corpus_checks REPOSITORY [--devices A,B] [--kernel NAME] [--seed N] [--verbose] WHAT...
//
// Runs kernels of others with all checkers, on made-up data (trial.h) of sizes that launches.tsv corrects
// where a kernel wants others. There is nothing to compare with: what is told is what the checkers say.
// Findings that somebody has looked at stand in findings.tsv with the reason; any other one fails, and so
// does an entry that nothing matches any more. WHAT is a part of a name in the list of sources.
#include "check/checkers.h"
#include "check/report.h"
#include "corpus.h"
#include "process/process.h"
#include "trial.h"
#include "tsv.h"
#include "vm/vm.h"
#include "workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
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
    uint64_t seed = 1;
    bool verbose = false;
    std::vector<std::string> what;
};

// What somebody has looked at.
struct Judged {
    std::string source;
    std::string kernel;
    std::string rule;
    uint32_t line = 0; // of the source; 0: any
    bool seen = false;
};

// A kernel whose made-up arguments would be wrong: words such as `n=128`, `global=64,1`, `buffer=fill:3`.
struct Wanted {
    std::string source;
    std::string kernel; // or "*"
    std::vector<std::string> words;
};

bool matches(const std::string& pattern, const std::string& name) {
    return pattern == "*" || pattern == name;
}

class Tally {
public:
    explicit Tally(const Request& request) : verbose_(request.verbose) {
        test::read_tsv(
            request.repository + "/tests/corpus/findings.tsv", [&](const std::vector<std::string>& row) {
                const auto line = row.at(3) == "*" ? 0 : std::stoul(row.at(3));
                judged_.push_back({row.at(0), row.at(1), row.at(2), static_cast<uint32_t>(line), false});
            });
    }

    void finding(const std::string& source, const check::Finding& finding, const check::Source& text) {
        const check::Spot spot = check::spot_of(finding, finding.party, text);
        const std::lock_guard lock(mutex_);
        if (finding.severity == check::Severity::note) {
            ++counts_["notes"];
            if (!verbose_)
                return;
        } else if (Judged* const known = entry(source, finding, spot)) {
            known->seen = true;
            ++counts_["judged findings"];
            return;
        } else {
            ++counts_["FINDINGS"];
            ++unknown_;
        }
        fmt::print("{}: {}\n{}\n", source, finding.function->name, check::render(finding, text));
        std::fflush(stdout);
    }
    void ended(const std::string& source, const std::string& kernel, const std::string& how,
               const std::string& detail) {
        const std::lock_guard lock(mutex_);
        ++counts_["launches: " + how];
        if (how != "clean" && how != "with findings")
            fmt::print("{}: {}: {}: {}\n", source, kernel, how, detail.substr(0, 300));
        std::fflush(stdout);
    }
    // Of what was run only.
    [[nodiscard]] size_t settle(const std::set<std::string>& run) const {
        size_t stale = 0;
        for (const Judged& one : judged_) {
            if (one.seen || !run.contains(one.source))
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
            return one.source == source && matches(one.kernel, finding.function->name) &&
                   one.rule == finding.rule && (one.line == 0 || one.line == spot.source_line);
        });
        return found == judged_.end() ? nullptr : &*found;
    }

    bool verbose_;
    std::mutex mutex_;
    std::vector<Judged> judged_;
    std::map<std::string, size_t> counts_;
    size_t unknown_ = 0;
};

// ---- arguments

void fill(std::vector<std::byte>& bytes, const vm::Parameter& parameter, const std::string& value) {
    const size_t step = parameter.element_known ? isa::size_of(parameter.element) : 4;
    for (size_t at = 0; at + step <= bytes.size(); at += step) {
        if (value == "iota") {
            const uint64_t number = at / step;
            std::memcpy(&bytes[at], &number, std::min<size_t>(step, sizeof number));
        } else if (parameter.element_known && parameter.element == isa::Type::f) {
            const float number = std::stof(value);
            std::memcpy(&bytes[at], &number, sizeof number);
        } else if (parameter.element_known && parameter.element == isa::Type::df) {
            const double number = std::stod(value);
            std::memcpy(&bytes[at], &number, sizeof number);
        } else {
            const auto number = static_cast<uint64_t>(std::stoll(value, nullptr, 0));
            std::memcpy(&bytes[at], &number, std::min<size_t>(step, sizeof number));
        }
    }
}

void set_sizes(test::Sizes& sizes, const std::string& value, unsigned& dimensions) {
    const std::vector<std::string> numbers = test::split(value, ',');
    for (size_t d = 0; d < 3; ++d)
        sizes[d] = d < numbers.size() ? std::stoull(numbers[d]) : 1;
    dimensions = static_cast<unsigned>(numbers.size());
}

// `global=X,Y local=X,Y NAME=NUMBER NAME=iota NAME=bytes:N NAME=local:BYTES`
void correct(test::Launch& launch, const vm::KernelFacts& kernel, const std::vector<std::string>& words,
             bool all) {
    for (const std::string& word : words) {
        const size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
        if (name == "global" || name == "local") {
            set_sizes(name == "global" ? launch.global : launch.local, value, launch.dimensions);
            continue;
        }
        bool found = false;
        for (size_t i = 0; i < kernel.parameters.size(); ++i) {
            if (kernel.parameters[i].name != name)
                continue;
            found = true;
            test::Argument& argument = launch.arguments[i];
            if (value.starts_with("local:"))
                argument.local_bytes = std::stoull(value.substr(6));
            else if (value.starts_with("bytes:"))
                argument.data.assign(std::stoull(value.substr(6)), std::byte{0});
            else
                fill(argument.data, kernel.parameters[i], value);
        }
        if (!found && all)
            throw std::runtime_error(fmt::format("launches.tsv: `{}` has no `{}`", kernel.name, name));
    }
}

machine::ImageShape shape_of(const std::string& type) {
    using enum machine::ImageShape;
    const bool array = type.contains("array");
    if (type.contains("image1d_buffer"))
        return d1_buffer;
    if (type.contains("image1d"))
        return array ? d1_array : d1;
    if (type.contains("image3d"))
        return d3;
    return array ? d2_array : d2;
}

launch::ArgumentValue image_value(const test::Argument& argument, uint64_t address) {
    const machine::ImageShape shape = shape_of(argument.type);
    const unsigned dimensions = machine::dimensions_of(shape);
    const machine::ImageFormat format = *machine::format_named("rgba32f");
    machine::Image image =
        machine::packed_image(shape, format,
                              {corpus::trial_image_size, dimensions > 1 ? corpus::trial_image_size : 1,
                               dimensions > 2 ? corpus::trial_image_size : 1},
                              machine::is_array(shape) ? 4 : 1);
    image.address = address;
    return image;
}

// Device memory of a launch, given back at its end.
class Arguments {
public:
    Arguments(vm::Context& context, const vm::KernelFacts& kernel, const test::Launch& launch)
        : context_(context) {
        for (size_t i = 0; i < launch.arguments.size(); ++i)
            values_.push_back(
                value_of(launch.arguments[i], fmt::format("argument {} `{}`", i, kernel.parameters[i].name)));
    }
    ~Arguments() {
        for (const uint64_t address : addresses_)
            context_.memory().free(address);
    }
    Arguments(const Arguments&) = delete;
    Arguments& operator=(const Arguments&) = delete;
    Arguments(Arguments&&) = delete;
    Arguments& operator=(Arguments&&) = delete;

    [[nodiscard]] std::span<const launch::ArgumentValue> values() const { return values_; }

private:
    launch::ArgumentValue value_of(const test::Argument& argument, const std::string& label) {
        switch (argument.kind) {
        case test::Argument::Kind::local:
            return launch::LocalBytes{argument.local_bytes};
        case test::Argument::Kind::value:
            return argument.data;
        case test::Argument::Kind::sampler:
            return machine::Sampler{.address = machine::AddressMode::clamp_to_edge};
        case test::Argument::Kind::array:
        case test::Argument::Kind::image:
            break;
        }
        const auto buffer = context_.allocate(argument.data.size(), label);
        if (!buffer)
            throw std::runtime_error(buffer.error().text);
        addresses_.push_back(buffer->address);
        std::ranges::copy(argument.data, context_.bytes_of(*buffer).begin());
        if (argument.kind == test::Argument::Kind::image)
            return image_value(argument, buffer->address);
        return *buffer;
    }

    vm::Context& context_;
    std::vector<launch::ArgumentValue> values_;
    std::vector<uint64_t> addresses_;
};

// ---- a source on a device

constexpr uint64_t fuel = 4'000'000; // of a hardware thread
constexpr double time_limit = 60;    // seconds

class Checked {
public:
    Checked(const Request& request, const std::vector<Wanted>& wanted, Tally& tally)
        : request_(request), wanted_(wanted), tally_(tally) {}

    void run(const corpus::Source& source, const isa::Device& device) {
        vm::Context context(device);
        vm::LoadOptions options;
        options.device = device.name;
        options.compiler_options = source.options;
        options.include_folders = {std::filesystem::path(source.path).parent_path()};
        options.time_limit = 300;
        options.source_lines = true;
        std::string warnings;
        const std::string content = test::read_file(source.path);
        const auto program = context.load(source.path, content, options, warnings);
        if (!program)
            return tally_.ended(source.name, device.name, "not loaded", program.error().text);
        for (const vm::KernelFacts& kernel : vm::kernels(**program))
            if (request_.kernel.empty() || kernel.name == request_.kernel)
                run({source, content, **program, kernel}, context);
    }

private:
    struct Job {
        const corpus::Source& source;
        const std::string& content;
        const vm::Program& program;
        const vm::KernelFacts& kernel;
    };

    [[nodiscard]] test::Launch launch_of(const Job& job) const {
        auto launch = corpus::make_trial_with_images(job.kernel, job.content, request_.seed);
        if (!launch)
            throw std::runtime_error(launch.error());
        for (const Wanted& wanted : wanted_)
            if (wanted.source == job.source.name && matches(wanted.kernel, job.kernel.name))
                correct(*launch, job.kernel, wanted.words, wanted.kernel != "*");
        return std::move(*launch);
    }

    void run(const Job& job, vm::Context& context) {
        const test::Launch launch = launch_of(job);
        const Arguments arguments(context, job.kernel, launch);
        std::array<bool, check::kinds> all{};
        all.fill(true);
        check::Checkers checkers(all);
        vm::RunSettings settings;
        settings.options.fuel = fuel;
        settings.options.timeout = time_limit;
        settings.watcher = checkers.listener();
        launch::Geometry geometry{.dimensions = launch.dimensions};
        for (size_t d = 0; d < 3; ++d) {
            geometry.global[d] = launch.global[d];
            geometry.local[d] = static_cast<uint32_t>(launch.local[d]);
        }
        const auto report = context.run(job.program, job.kernel.name, arguments.values(), geometry, settings);
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
        tally_.finding(job.source.name, finding, text);
    }

    void end(const Job& job, const char* device, const std::expected<vm::RunReport, vm::Error>& report,
             const check::Findings& findings) {
        const std::string where = fmt::format("{} {}", job.source.name, device);
        if (!report)
            return tally_.ended(where, job.kernel.name, "refused", report.error().text);
        if (report->error)
            return tally_.ended(where, job.kernel.name, "broken off", report->error->text);
        const bool any = std::ranges::any_of(findings.all(), [](const check::Finding& finding) {
            return finding.severity == check::Severity::error;
        });
        tally_.ended(where, job.kernel.name, any ? "with findings" : "clean", "");
    }

    const Request& request_;
    const std::vector<Wanted>& wanted_;
    Tally& tally_;
};

int run_all(const Request& request) {
    std::vector<Wanted> wanted;
    test::read_tsv(request.repository + "/tests/corpus/launches.tsv",
                   [&](const std::vector<std::string>& row) {
                       wanted.push_back({row.at(0), row.at(1), test::split(row.at(2), ' ')});
                   });
    struct Job {
        corpus::Source source;
        const isa::Device* device;
    };
    std::vector<Job> jobs;
    std::set<std::string> run;
    for (const corpus::Source& source : corpus::read_sources(
             {.repository = request.repository, .packages = request.repository + "/build/corpus"}))
        for (const std::string& what : request.what)
            if (source.name.find(what) != std::string::npos && run.insert(source.name).second)
                for (const std::string& device : test::split(request.devices, ','))
                    jobs.push_back({source, isa::device_named(device)});
    Tally tally(request);
    corpus::each_in_parallel(jobs.size(), [&](size_t at) {
        try {
            Checked(request, wanted, tally).run(jobs[at].source, *jobs[at].device);
        } catch (const std::exception& error) {
            tally.ended(jobs[at].source.name, "", "FAILED", error.what());
        }
    });
    return tally.settle(request.kernel.empty() ? run : std::set<std::string>{}) == 0 && !run.empty() ? 0 : 1;
}

bool read_words(std::span<char*> words, Request& request) {
    if (words.size() < 3)
        return false;
    request.repository = words[1];
    for (size_t i = 2; i < words.size(); ++i) {
        const std::string_view word = words[i];
        const bool more = i + 1 < words.size();
        if (word == "--devices" && more)
            request.devices = words[++i];
        else if (word == "--kernel" && more)
            request.kernel = words[++i];
        else if (word == "--seed" && more)
            request.seed = std::stoull(words[++i]);
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
