// compare [--set first|second|third|fourth|fifth|images|idioms|all] [--sources FOLDER]
// [--devices A,B | --api DEVICE] [--rounds N] [--only WORD] [--threads N] [--intel FOLDER] [--out FOLDER]
// [--json FILE] [--latency N | --scaling N | --without PASS,...|all | --baseline BUILD]: Visor's JIT, PoCL
// and plain C++, where there is some, do the same work in turn, in one process; results are compared first.
// The measure is the CPU time of the process.
//   --intel FOLDER    where Intel's OpenCL runtime for CPUs is, if it is (build/intel-cpu, which
//                     scripts/setup intel-cpu makes); it works in a process of its own
//   --api DEVICE      Visor does it twice, called directly and as an OpenCL platform
//   --latency N       how long a launch waits for its first code, N times
//   --scaling N       what one CPU thread takes and what N take
//   --without PASSES  what code takes without each of these passes of the JIT
//   --baseline BUILD  what another build of Visor takes, in turn (it is asked by --serve yes)
//   --sources FOLDER  checkouts of public repositories that the fifth set names (fifth_set.json)
//   --json FILE       every round's figure (bench/results/README.md)
// Exit code 1: somebody failed, the results differ or the file cannot be written.
#include "baseline.h"
#include "intel.h"
#include "public_set.h"
#include "results.h"
#include "rounds.h"
#include "server.h"
#include "table.h"
#include "without.h"
#include "work.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <thread>

namespace visor::compare {

namespace {

struct Request {
    std::vector<std::string> devices;
    unsigned rounds = 9;
    unsigned threads = 1;
    std::string set; // "": first, or all when `only` looks for something
    std::string only;
    std::string sources; // of checkouts; "": none
    std::string folder;
    std::string json; // a file; "": none
    std::string intel = VISOR_COMPARE_INTEL;
    std::string command;
    unsigned latency = 0;             // rounds; 0: that is not asked for
    unsigned scaling = 0;             // threads, likewise
    std::string baseline;             // a build folder; "": none
    bool serves = false;              // it answers another program (server.h)
    std::vector<std::string> without; // passes, one by one; empty: that is not asked for
    bool api = false;                 // the one device as an OpenCL platform, too
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
    Request request{.command = command_of(arguments)};
    for (size_t i = 1; i < arguments.size(); i += 2) {
        const std::string_view option = arguments[i];
        if (i + 1 == arguments.size())
            return std::nullopt;
        const std::string_view value = arguments[i + 1];
        const auto given = number(value);
        if (option == "--devices")
            request.devices = split(value);
        else if (option == "--api") {
            request.devices = {std::string(value)};
            request.api = true;
        } else if (option == "--set" &&
                   (value == "first" || value == "second" || value == "third" || value == "fourth" ||
                    value == "fifth" || value == "images" || value == "idioms" || value == "all"))
            request.set = value;
        else if (option == "--only")
            request.only = value;
        else if (option == "--sources" && !value.empty())
            request.sources = value;
        else if (option == "--out")
            request.folder = value;
        else if (option == "--json" && !value.empty())
            request.json = value;
        else if (option == "--intel")
            request.intel = value;
        else if (option == "--rounds" && given)
            request.rounds = *given;
        else if (option == "--latency" && given)
            request.latency = *given;
        else if (option == "--baseline" && !value.empty())
            request.baseline = value;
        else if (option == "--serve")
            request.serves = true;
        else if (option == "--without" && !value.empty())
            request.without = split(value);
        else if (option == "--scaling" && given)
            request.scaling = *given;
        else if (option == "--threads" && given)
            request.threads = *given;
        else
            return std::nullopt;
    }
    if (request.devices.empty())
        request.devices = request.set == "images" ? std::vector<std::string>{"skl"}
                                                  : std::vector<std::string>{"skl", "pvc"};
    return request;
}

// Beside PoCL and native.
std::vector<std::string> columns(const Request& request, const Intel& intel) {
    std::vector<std::string> all;
    if (intel.is_there())
        all.emplace_back(intel_column);
    for (const std::string& device : request.devices)
        all.push_back("Visor, " + device);
    if (request.api)
        all.push_back(fmt::format("Visor, {} through OpenCL", request.devices.front()));
    return all;
}

std::vector<Contender> contenders_of(const Work& work, const Request& request, Intel& intel) {
    std::vector<Contender> contenders;
    contenders.push_back({.name = "PoCL", .runner = pocl_runner(work)});
    contenders.push_back({.name = "native", .runner = native_runner(work)});
    if (intel.is_there())
        contenders.push_back({.name = intel_column, .runner = intel.runner(work)});
    for (const std::string& device : request.devices)
        contenders.push_back(
            {.name = "Visor on " + device, .runner = visor_runner(work, device, request.threads)});
    if (request.api)
        contenders.push_back({.name = "Visor's platform", .runner = visor_api_runner(work)});
    return contenders;
}

// Whoever fails has a ratio of 0; without PoCL there is no row.
std::optional<Row> compare(const Work& work, const Request& request, Intel& intel) {
    std::vector<Contender> contenders = contenders_of(work, request, intel);
    check(work, contenders);
    if (!contenders.front().fine)
        return std::nullopt;
    measure_rounds(work, contenders, request.rounds, request.threads);
    const auto ratios = [&](const Contender& one) {
        std::vector<double> all;
        for (size_t round = 0; round < one.seconds.size(); ++round)
            all.push_back(contenders.front().seconds[round].cpu / one.seconds[round].cpu);
        return all;
    };
    const auto is_fine = [&](const Contender& one) { // a failure of Intel's is none of ours
        return one.fine || (&one == &contenders[1] && work.native == nullptr) || one.name == intel_column;
    };
    std::vector<double> pocl;
    for (const Seconds& seconds : contenders[0].seconds)
        pocl.push_back(1e3 * seconds.cpu);
    Row row{.name = work.name,
            .pocl_ms = median(pocl),
            .native_ratio = median(ratios(contenders[1])),
            .wanted_ratio = work.wanted_ratio,
            .all_fine = std::ranges::all_of(contenders, is_fine)};
    const auto keep = [&](const Contender& one, const std::string& column, const char* unit,
                          std::vector<double> rounds) {
        if (one.fine)
            row.series.push_back({work.name, column, unit, std::move(rounds)});
    };
    keep(contenders[0], "PoCL", "ms", pocl);
    keep(contenders[1], "native", "speedup", ratios(contenders[1]));
    const std::vector<std::string> names = columns(request, intel);
    for (size_t i = 0; i < names.size(); ++i) {
        const Contender& one = contenders[2 + i];
        row.ratios.push_back(one.fine ? median(ratios(one)) : 0);
        row.stories.push_back(one.name + ": " + (one.fine ? one.runner->story() : "failed"));
        keep(one, names[i], "speedup", ratios(one));
    }
    return row;
}

std::string set_of(const Request& request) {
    return !request.set.empty() ? request.set : request.only.empty() ? "first" : "all";
}

const char* description_of(const std::string& set) {
    return set == "images" ? public_images_file : set == "idioms" ? idioms_file : fifth_set_file;
}

// None: what describes it has errors, or there is nothing.
std::optional<std::vector<Work>> wanted_work(const Request& request) {
    const std::string set = set_of(request);
    std::vector<Work> work;
    const auto add = [&](const char* name, std::vector<Work> (*make)()) {
        if (set == name || set == "all")
            std::ranges::move(make(), std::back_inserter(work));
    };
    add("first", first_set);
    add("second", second_set);
    add("third", third_set);
    add("fourth", fourth_set);
    if (set == "images") // not of "all": pvc has none
        work = image_set();
    std::erase_if(work, [&](const Work& one) { return !one.name.contains(request.only); });
    if (set != "fifth" && set != "all" && set != "images" && set != "idioms")
        return work;
    auto others = public_set(description_of(set), request.only, request.sources);
    if (!others || (set == "fifth" && others->empty()))
        return std::nullopt;
    std::ranges::move(*others, std::back_inserter(work));
    return work;
}

// What platforms read when they are first asked.
void set_environment(const Request& request) {
    const std::string threads = std::to_string(request.threads);
    setenv("VISOR_JIT_TIER", "best", 1); // what is measured is not how quickly it is made
    setenv("POCL_MAX_PTHREAD_COUNT", threads.c_str(), 1);
    if (!request.api)
        return;
    setenv("OCL_ICD_VENDORS", VISOR_COMPARE_VENDORS, 1);
    setenv("VISOR_DEVICE", request.devices.front().c_str(), 1);
    setenv("VISOR_THREADS", threads.c_str(), 1);
    setenv("VISOR_ENGINE", "jit", 1);
}

struct Measured {
    std::vector<Series> series{};
    std::vector<Reference> references{};
};

// Prints the table; an exit code.
int tell_ratios(const std::vector<Work>& all, const Request& request, Measured& measured) {
    std::vector<std::string> options{"--set", set_of(request)};
    if (!request.sources.empty())
        options.insert(options.end(), {"--sources", request.sources});
    Intel intel(request.intel, request.threads, options);
    const std::vector<std::string> names = columns(request, intel);
    std::vector<Row> rows;
    bool fine = true;
    for (const Work& work : all) {
        const auto row = compare(work, request, intel);
        if (!row) {
            fine = false;
            continue;
        }
        fine = fine && row->all_fine;
        std::cerr << markdown(names, {*row});
        for (const std::string& story : row->stories)
            std::cerr << story << '\n';
        std::ranges::copy(row->series, std::back_inserter(measured.series));
        if (row->wanted_ratio > 0)
            measured.references.push_back({.kernel = row->name, .native = row->wanted_ratio});
        rows.push_back(*row);
    }
    std::cout << markdown(names, rows);
    if (!request.folder.empty()) {
        std::ofstream(request.folder + "/compare.md") << markdown(names, rows);
        std::ofstream(request.folder + "/compare.svg") << svg(names, rows);
    }
    return fine ? 0 : 1;
}

int measure(const Request& request, Measured& measured) {
    Request wanted = request;
    if (request.serves && request.set.empty())
        wanted.set = "all";
    if (request.latency == 0)
        set_environment(request);
    const auto work = wanted_work(wanted);
    if (!work)
        return 1;
    if (request.latency != 0)
        return tell_latency(*work, request.devices, request.latency, measured.series);
    if (request.serves)
        return serve(*work, request.threads);
    if (request.scaling != 0)
        return tell_scaling(*work, request.devices, request.scaling, request.rounds, measured.series);
    if (!request.baseline.empty())
        return tell_baseline(*work, request.devices,
                             {.build = request.baseline,
                              .sources = request.sources,
                              .set = request.set == "images" ? request.set : ""}, // the others are in "all"
                             request.rounds, request.threads, measured.series);
    if (!request.without.empty())
        return tell_without(*work, request.devices, request.without, request.rounds, request.threads,
                            measured.series);
    return tell_ratios(*work, request, measured);
}

Conditions conditions_of(const Request& request) {
    const auto today =
        std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
    std::ostringstream cpuinfo;
    cpuinfo << std::ifstream("/proc/cpuinfo").rdbuf();
    return {.date = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(today.year()),
                                static_cast<unsigned>(today.month()), static_cast<unsigned>(today.day())),
            .machine = machine_of(cpuinfo.str(), std::thread::hardware_concurrency()),
            .command = request.command};
}

int run(const Request& request) {
    Measured measured;
    if (request.json.empty())
        return measure(request, measured);
    const Conditions conditions = conditions_of(request);
    std::ofstream file(request.json); // before the work, which takes minutes
    const int code = file ? measure(request, measured) : 1;
    file << json(conditions, measured.series, measured.references) << std::flush;
    if (!file) {
        std::cerr << request.json << ": cannot be written\n";
        return 1;
    }
    return code;
}

} // namespace

} // namespace visor::compare

int main(int argc, char** argv) {
    const auto request = visor::compare::request_of(std::span(argv, static_cast<size_t>(argc)));
    if (!request) {
        std::cerr << "compare [--set first|second|third|fourth|fifth|images|idioms|all] [--sources FOLDER] "
                     "[--devices A,B | --api DEVICE] [--rounds N] [--only WORD] [--threads N] [--intel "
                     "FOLDER] [--out FOLDER] [--json FILE] "
                     "[--latency N | --scaling N | --without PASS,...|all | --baseline BUILD]\n";
        return 2;
    }
    return visor::compare::run(*request);
}
