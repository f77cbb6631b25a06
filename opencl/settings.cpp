#include "opencl/settings.h"

#include "diagnostic/diagnostic.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <thread>

namespace visor::opencl {

namespace {

std::string_view variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

void complain(const char* name, std::string_view value, std::string_view wanted) {
    fmt::print(stderr, "visor: error: {}=`{}` is not understood and has no effect: it takes {}\n", name,
               value, wanted);
}

template <class Number>
Number number_of(const char* name, Number otherwise) {
    const std::string_view text = variable(name);
    if (text.empty())
        return otherwise;
    Number number{};
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem == std::errc{} && end == text.data() + text.size() && number >= 0)
        return number;
    complain(name, text, "a number");
    return otherwise;
}

const isa::Device& device() {
    const isa::Device& otherwise = isa::device(isa::DeviceId::skl);
    const std::string_view name = variable("VISOR_DEVICE");
    if (name.empty())
        return otherwise;
    const isa::Device* found = isa::device_named(name);
    if (found != nullptr && found->executes)
        return *found;
    complain("VISOR_DEVICE", name, "the name of a device: `visor info` lists them");
    return otherwise;
}

vm::EngineKind engine() {
    const std::string_view name = variable("VISOR_ENGINE");
    if (name == "interp")
        return vm::EngineKind::interpreter;
    if (name == "jit")
        return vm::EngineKind::jit;
    if (!name.empty() && name != "auto")
        complain("VISOR_ENGINE", name, "auto, interp or jit");
    return vm::EngineKind::automatic;
}

void choose_checks(Settings& settings) {
    const std::string_view words = variable("VISOR_CHECK");
    for (std::string_view rest = words; !rest.empty();) {
        const std::string_view name = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), name.size() + 1));
        const auto found = std::ranges::find(check::kind_names, name);
        if (name == "all")
            settings.checks.fill(true);
        else if (found != check::kind_names.end())
            settings.checks[static_cast<size_t>(found - check::kind_names.begin())] = true;
        else
            complain("VISOR_CHECK", name,
                     fmt::format("all, or some of {}", fmt::join(check::kind_names, ",")));
    }
    settings.checking = std::ranges::find(settings.checks, true) != settings.checks.end();
}

} // namespace

Settings read_settings() {
    Settings settings;
    settings.device = &device();
    settings.engine = engine();
    choose_checks(settings);
    const uint32_t all = std::max(std::thread::hardware_concurrency(), 1U);
    settings.threads = number_of<uint32_t>("VISOR_THREADS", all);
    if (settings.threads == 0)
        settings.threads = all;
    settings.fuel = number_of<uint64_t>("VISOR_FUEL", 0);
    settings.timeout = number_of<double>("VISOR_TIMEOUT", 0);
    settings.seed = number_of<uint64_t>("VISOR_SEED", 0);
    settings.profiles.profile = variable("VISOR_PROFILE_OUT");
    settings.profiles.coverage = variable("VISOR_COVERAGE_OUT");
    settings.profiles.timeline = variable("VISOR_TIMELINE_OUT");
    settings.profiles.page = variable("VISOR_PAGE_OUT");
    settings.capture.folder = variable("VISOR_CAPTURE");
    if (auto chosen = capture::parse_selection(variable("VISOR_CAPTURE_LAUNCHES")))
        settings.capture.launches = std::move(*chosen);
    else
        complain("VISOR_CAPTURE_LAUNCHES", variable("VISOR_CAPTURE_LAUNCHES"),
                 "KERNEL, KERNEL:N, KERNEL:N..M or :N..M, with commas");
    settings.capture.mebibytes = number_of<uint64_t>("VISOR_CAPTURE_LIMIT", capture::default_mebibytes);
    if (const std::string_view text = variable("VISOR_DEBUG"); !text.empty()) {
        if (auto debugger = debug::parse_application_settings(text))
            settings.debug = std::move(*debugger);
        else
            complain("VISOR_DEBUG", text, "as `visor debug -- ./app` sets it");
    }
    settings.report = variable("VISOR_REPORT");
    settings.reports_results = !settings.report.empty() && variable("VISOR_REPORT_RESULTS") == "1";
    return settings;
}

} // namespace visor::opencl
