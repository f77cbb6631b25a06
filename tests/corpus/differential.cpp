#include "differential.h"

#include "compare.h"
#include "examples/launch.h"
#include "hazards.h"
#include "process/process.h"
#include "trial.h"
#include "trial_arguments.h"
#include "vm/vm.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

namespace visor::corpus {

namespace {

struct Place {
    std::string device;
    std::unique_ptr<vm::Context> context;
    std::shared_ptr<const vm::Program> program;
};

// A launch's end on one of Visor's devices.
struct Outcome {
    std::string_view kind = agreed; // or why it ended early
    std::string detail;
    test::Launch launch; // the arrays as they were left
};

std::string first_line(const std::string& text) {
    std::string line = text.substr(0, text.find('\n'));
    std::ranges::replace(line, '\t', ' ');
    return line;
}

Outcome early_end(const vm::Error& error, machine::FaultKind fault) {
    Outcome outcome;
    outcome.detail = first_line(error.text);
    if (fault == machine::FaultKind::out_of_bounds || fault == machine::FaultKind::bad_register)
        outcome.kind = "outside"; // of a buffer, or of a private array
    else if (fault == machine::FaultKind::deadlock)
        outcome.kind = "deadlock";
    else if (error.kind == vm::ErrorKind::time)
        outcome.kind = "long";
    else if (error.kind == vm::ErrorKind::unsupported)
        outcome.kind = "unsupported";
    else if (error.kind == vm::ErrorKind::invalid)
        outcome.kind = "refused";
    else
        outcome.kind = faulted;
    return outcome;
}

constexpr uint64_t fuel = 4'000'000; // of a hardware thread
constexpr double time_limit = 30;    // seconds

Outcome run_on(const Place& place, const vm::KernelFacts& kernel, const test::Launch& launch, uint64_t order,
               std::optional<Hazards>* hazards) {
    const TrialArguments arguments(*place.context, kernel, launch);
    vm::RunSettings settings;
    settings.options.fuel = fuel;
    settings.options.timeout = time_limit;
    settings.options.seed = order;
    if (hazards != nullptr)
        settings.watcher = &hazards->emplace(arguments.buffers());
    const auto report =
        place.context->run(*place.program, launch.kernel, arguments.values(), geometry_of(launch), settings);
    if (!report)
        return early_end(report.error(), machine::FaultKind::none);
    if (report->error)
        return early_end(*report->error, report->fault.kind);
    Outcome outcome{.launch = launch};
    arguments.read_back(outcome.launch);
    return outcome;
}

// What the other place says goes to `said`.
std::optional<test::Launch> witness(const Comparison& comparison, test::Launch launch, std::string& said) {
    launch.options = fmt::format("{} -I{}", comparison.options,
                                 std::filesystem::path(comparison.path).parent_path().string());
    std::ostringstream kept;
    std::streambuf* const usual = std::cout.rdbuf(kept.rdbuf());
    const bool ran = test::run_on_pocl({.visor = "", .source = comparison.path, .device = "pocl"}, launch);
    std::cout.rdbuf(usual);
    said = kept.str();
    return ran ? std::optional(launch) : std::nullopt;
}

class Trials {
public:
    Trials(const Comparison& comparison, const Listener& listener)
        : comparison_(comparison), listener_(listener), source_(test::read_file(comparison.path)) {}

    void load_places();
    void run_all();

private:
    // Both: whether what the kernel wrote was compared, on all devices and on this one.
    bool run(const vm::KernelFacts& kernel, uint64_t seed);
    bool judge(const Place& place, const Outcome& outcome, const test::Launch& expected);
    std::string_view luck(const Place& place, const Outcome& outcome, const test::Launch& expected);
    std::optional<test::Launch> ask_witness(std::string& said);
    void say(std::string_view kind, const std::string& device, const std::string& detail);

    const Comparison& comparison_;
    const Listener& listener_;
    std::string source_;
    std::vector<Place> places_;
    // Of the launch at hand.
    vm::KernelFacts kernel_;
    uint64_t seed_ = 0;
    test::Launch start_;
    std::optional<Hazards> hazards_;
};

void Trials::say(std::string_view kind, const std::string& device, const std::string& detail) {
    listener_.verdict({kind, kernel_.name, device, seed_, detail});
}

std::optional<test::Launch> Trials::ask_witness(std::string& said) {
    listener_.asks_witness();
    auto launch = witness(comparison_, start_, said);
    listener_.has_witness();
    return launch;
}

void Trials::load_places() {
    for (const std::string& name : comparison_.devices) {
        const isa::Device* device = isa::device_named(name);
        if (device == nullptr)
            continue;
        Place place{.device = name, .context = std::make_unique<vm::Context>(*device)};
        vm::LoadOptions options;
        options.device = name;
        options.compiler = comparison_.compiler;
        options.compiler_options = comparison_.options;
        options.include_folders = {std::filesystem::path(comparison_.path).parent_path()};
        options.time_limit = 120;
        std::string warnings;
        auto program = place.context->load(comparison_.path, source_, options, warnings);
        if (program) {
            place.program = *program;
            places_.push_back(std::move(place));
        } else {
            const bool compiler = program.error().text.find("unsupported by Visor") == std::string::npos;
            say(compiler ? "not compiled" : "unsupported", name, first_line(program.error().text));
        }
    }
}

void Trials::run_all() {
    if (places_.empty())
        return;
    uint64_t number = 0;
    uint64_t compared = 0;
    for (const vm::KernelFacts& kernel : vm::kernels(*places_.front().program)) {
        if (compared == comparison_.most)
            return;
        bool was_compared = false;
        for (uint64_t seed = 1; seed <= comparison_.seeds; ++seed, ++number) {
            if (number < comparison_.first ||
                (!comparison_.kernel.empty() && kernel.name != comparison_.kernel))
                continue;
            listener_.begins(number, kernel.name);
            if (run(kernel, seed))
                was_compared = true;
        }
        if (was_compared) {
            ++compared;
            listener_.compared(kernel.name);
        }
    }
}

// What was seen of a launch that leaves its result to luck; "" when nothing was.
std::string_view luck_in(const Hazards& hazards) {
    if (hazards.race)
        return "race";
    if (hazards.uninitialised)
        return "uninitialised";
    return hazards.divergent ? "divergent barrier" : "";
}

// Why results of this launch may differ without anybody being wrong; "" when they may not. Code for one
// device may show what another's hides: of many stores of a uniform address the compiler may leave one.
std::string_view Trials::luck(const Place& place, const Outcome& outcome, const test::Launch& expected) {
    for (const Place& any : places_) {
        std::optional<Hazards> hazards;
        static_cast<void>(run_on(any, kernel_, start_, 0, &hazards));
        if (const std::string_view seen = hazards ? luck_in(*hazards) : ""; !seen.empty())
            return seen;
    }
    for (const uint64_t order : {1U, 2U}) {
        const Outcome again = run_on(place, kernel_, start_, order, nullptr);
        if (again.kind != agreed || !identical(again.launch, outcome.launch))
            return "order";
    }
    std::string said;
    const auto again = ask_witness(said);
    if (!again || !identical(*again, expected))
        return "witness unstable";
    return hazards_->shared_atomics ? "atomics" : "";
}

bool Trials::judge(const Place& place, const Outcome& outcome, const test::Launch& expected) {
    if (outcome.kind != agreed) {
        // The first place got through.
        say(outcome.kind == "outside" || outcome.kind == "deadlock" ? faulted : outcome.kind, place.device,
            outcome.detail);
        return false;
    }
    const std::string found = difference(outcome.launch, expected);
    if (found.empty()) {
        const bool wrote = !identical(outcome.launch, start_);
        say(agreed, place.device, std::string(wrote ? "" : wrote_nothing));
        return wrote;
    }
    const std::string_view reason = luck(place, outcome, expected);
    say(reason.empty() ? disagreed : reason, place.device, found);
    return reason.empty();
}

bool Trials::run(const vm::KernelFacts& kernel, uint64_t seed) {
    kernel_ = kernel;
    seed_ = seed;
    const auto set_aside = [&](std::string_view kind, const std::string& detail) {
        for (const Place& place : places_)
            say(kind, place.device, detail);
        return false;
    };
    auto trial = make_trial(kernel, source_, seed);
    if (!trial)
        return set_aside("images", trial.error());
    start_ = std::move(*trial);
    const Outcome first = run_on(places_.front(), kernel_, start_, 0, &hazards_);
    if (first.kind != agreed)
        return set_aside(first.kind, first.detail);
    if (hazards_->outside)
        return set_aside("outside", "");
    std::string said;
    const auto expected = ask_witness(said);
    if (!expected)
        return set_aside("no witness", first_line(said));
    bool compared = judge(places_.front(), first, *expected);
    for (const Place& place : std::span(places_).subspan(1))
        compared = judge(place, run_on(place, kernel_, start_, 0, nullptr), *expected) && compared;
    return compared;
}

} // namespace

void compare(const Comparison& comparison, const Listener& listener) {
    Trials trials(comparison, listener);
    trials.load_places();
    trials.run_all();
}

} // namespace visor::corpus
