// The options of `visor run -- app`: those before the dashes.
#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "cli/options/words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::cli {

namespace {

// Values go on to the platform as they are written; here only whether they can be understood is looked at.
template <class Parse>
void look_at(const std::string& text, std::optional<Failure>& wrong, const Parse& parse) {
    if (text.empty() || wrong)
        return;
    const auto value = parse(text);
    if (!value)
        wrong = value.error();
}

// The first word that cannot be understood.
std::optional<Failure> mistake_in(const ApplicationRequest& request) {
    constexpr std::array<std::string_view, 3> engines{"auto", "interp", "jit"};
    constexpr uint64_t most_threads = 1024;
    std::optional<Failure> wrong;
    look_at(request.device, wrong, parse_device);
    look_at(request.engine, wrong,
            [&](const std::string& given) { return parse_choice("--engine", given, engines); });
    look_at(request.threads, wrong,
            [](const std::string& given) { return parse_count("--threads", given, most_threads); });
    look_at(request.fuel, wrong,
            [](const std::string& given) { return parse_count("--fuel", given, UINT64_MAX); });
    look_at(request.timeout, wrong,
            [](const std::string& given) { return parse_seconds("--timeout", given); });
    look_at(request.checks, wrong, parse_checks);
    return wrong;
}

} // namespace

std::expected<Request, Failure> parse_application(RunVerb verb, std::span<const std::string> options,
                                                  std::span<const std::string> command) {
    const bool is_report = verb == RunVerb::report;
    OptionParser parser(
        is_report ? "report ... -- APP ARGUMENTS..." : "run ... -- APP ARGUMENTS...",
        is_report
            ? "Runs an application as `visor run` does, and writes a page of what its kernels cost"
            : "Runs an application with Visor as its only OpenCL platform: `visor run --check=all -- ./app`",
        exit_codes_text);
    ApplicationRequest request;
    if (is_report) {
        add_page_option(parser, request.profiles);
        request.checks = "all";
    }
    parser.text("--device", request.device, "skl (default) ...; help lists them", "D");
    parser.text("--compiler", request.compiler,
                "A version or a folder (default: VISOR_COMPILER, else the newest for the device)", "C");
    parser.text("--engine", request.engine, "auto (default), interp, jit", "E");
    parser.text("--threads", request.threads, "CPU threads over work-groups (default: all)", "N");
    std::string seed;
    std::string seeds;
    parser.text("--seed", seed, "Another order of threads and lanes (default 0: the plain one)", "N");
    parser.text("--seeds", seeds,
                "Run it under several schedules, and tell of launches that leave other bytes in memory",
                "A..B");
    parser.text("--fuel", request.fuel, "Instruction limit of a hardware thread (default: none)", "N");
    parser.text("--timeout", request.timeout, "Wall-clock limit of a launch (default: none)", "SECONDS");
    parser.text(
        "--check", request.checks,
        fmt::format("Checkers: all, or some of {}; findings exit with 1", fmt::join(check::kind_names, ",")),
        "LIST");
    add_profile_options(parser, request.profiles, "");
    CaptureWords capture;
    add_capture_options(parser, capture, "");
    const auto answer = parser.parse({options.begin(), options.end()}, request.device, nullptr);
    if (!answer)
        return std::unexpected(answer.error());
    if (*answer)
        return **answer;
    request.talk = parser.talk();
    request.capture = capture.folder;
    request.capture_launches = capture.launches;
    request.capture_limit = capture.limit;
    std::optional<Failure> wrong = mistake_in(request);
    if (const auto captured = parse_capture(capture); !wrong && !captured)
        wrong = captured.error();
    const auto schedules = parse_seeds(seed, seeds);
    if (!wrong && !schedules)
        wrong = schedules.error();
    if (wrong)
        return std::unexpected(*wrong);
    request.seed = schedules->first;
    request.last_seed = schedules->last;
    if (command.empty())
        return usage("behind `--` stands the application to run: visor run -- ./app arguments");
    request.command.assign(command.begin(), command.end());
    return request;
}

} // namespace visor::cli
