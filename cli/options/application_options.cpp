// The options of `visor run -- app`: those before the dashes.
#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "cli/options/words.h"
#include "debug/session.h"

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
    if (!wrong && request.debugger && request.engine == "jit")
        wrong = Failure{ExitCode::usage, "--engine jit: a debugger runs the interpreter"};
    if (!wrong && request.debugger && request.last_seed)
        wrong = Failure{ExitCode::usage, "--seeds: a debugger runs one schedule, --seed N"};
    return wrong;
}

struct ApplicationVerb {
    const char* name;
    const char* description;
};
ApplicationVerb verb_words(RunVerb verb) {
    switch (verb) {
    case RunVerb::report:
        return {"report ... -- APP ARGUMENTS...",
                "Runs an application as `visor run` does, and writes a page of what its kernels cost"};
    case RunVerb::debug:
        return {"debug ... -- APP ARGUMENTS...",
                "Runs an application as `visor run` does, and stops in its kernels: `visor debug -- ./app`"};
    case RunVerb::run:
        break;
    }
    return {"run ... -- APP ARGUMENTS...",
            "Runs an application with Visor as its only OpenCL platform: `visor run --check=all -- ./app`"};
}

// As they are written, where the request has them in another form.
struct ApplicationWords {
    std::string seed{}, seeds{};
    CaptureWords capture{};
    DebugWords debugging{};
    bool debugs = false;
};
void add_application_options(OptionParser& parser, RunVerb verb, ApplicationRequest& request,
                             ApplicationWords& words) {
    if (verb == RunVerb::debug)
        add_debug_options(parser, words.debugging);
    else if (verb == RunVerb::run)
        parser.app().add_flag("--debug", words.debugs,
                              "Stop in its kernels, at a prompt: `visor debug -- ./app`");
    else
        add_page_option(parser, request.profiles);
    parser.text("--device", request.device, "skl (default) ...; help lists them", "D");
    parser.text("--compiler", request.compiler,
                "A version or a folder (default: VISOR_COMPILER, else the newest for the device)", "C");
    parser.text("--engine", request.engine, "auto (default), interp, jit", "E");
    parser.text("--threads", request.threads, "CPU threads over work-groups (default: all)", "N");
    parser.text("--seed", words.seed, "Another order of threads and lanes (default 0: the plain one)", "N");
    parser.text("--seeds", words.seeds,
                "Run it under several schedules, and tell of launches that leave other bytes in memory",
                "A..B");
    parser.text("--fuel", request.fuel, "Instruction limit of a hardware thread (default: none)", "N");
    parser.text("--timeout", request.timeout, "Wall-clock limit of a launch (default: none)", "SECONDS");
    parser.text(
        "--check", request.checks,
        fmt::format("Checkers: all, or some of {}; findings exit with 1", fmt::join(check::kind_names, ",")),
        "LIST");
    add_profile_options(parser, request.profiles, "");
    add_capture_options(parser, words.capture, "");
}

} // namespace

void add_debug_options(OptionParser& parser, DebugWords& words) {
    parser.app().add_flag("--dap", words.dap, "Speak the Debug Adapter Protocol on standard streams");
    parser.text("--port", words.port, "Speak it with the first client of this port of the loopback", "N");
    parser.text("--gdb", words.gdb,
                "Speak gdb's remote protocol with the first client of this port of the loopback", "PORT");
    parser.app().add_flag("--stop-at-end", words.stop_at_end,
                          "Stop when a launch has ended, to go back from there");
    parser.text("--history", words.history, "MiB of moments to go back to (default 512)", "MIB");
}

std::expected<DebuggerChoice, Failure> debugger_choice(const DebugWords& words) {
    DebuggerChoice choice;
    choice.stop_at_end = words.stop_at_end;
    const auto number = [](const char* name, const std::string& text, uint64_t otherwise, uint64_t most) {
        return text.empty() ? std::expected<uint64_t, Failure>(otherwise) : parse_count(name, text, most);
    };
    const auto port = number("--port", words.port, 0, UINT16_MAX);
    const auto gdb = number("--gdb", words.gdb, 0, UINT16_MAX);
    const auto history =
        number("--history", words.history, choice.history_mebibytes, visor::debug::most_history_mebibytes);
    if (!port || !gdb || !history)
        return std::unexpected(!port ? port.error() : !gdb ? gdb.error() : history.error());
    if (*gdb != 0 && (words.dap || *port != 0))
        return usage("--gdb: there is one client, which speaks one protocol");
    choice.port = static_cast<uint16_t>(*gdb != 0 ? *gdb : *port);
    choice.history_mebibytes = *history;
    if (*gdb != 0)
        choice.protocol = visor::debug::Protocol::gdb;
    else if (words.dap || choice.port != 0)
        choice.protocol = visor::debug::Protocol::dap;
    return choice;
}

std::expected<Request, Failure> parse_application(RunVerb verb, std::span<const std::string> options,
                                                  std::span<const std::string> command) {
    const ApplicationVerb about = verb_words(verb);
    OptionParser parser(about.name, about.description, exit_codes_text);
    ApplicationRequest request;
    ApplicationWords words{.debugs = verb == RunVerb::debug};
    if (verb == RunVerb::report)
        request.checks = "all";
    add_application_options(parser, verb, request, words);
    const auto answer = parser.parse({options.begin(), options.end()}, request.device, nullptr);
    if (!answer)
        return std::unexpected(answer.error());
    if (*answer)
        return **answer;
    request.talk = parser.talk();
    request.capture = words.capture.folder;
    request.capture_launches = words.capture.launches;
    request.capture_limit = words.capture.limit;
    if (const auto captured = parse_capture(words.capture); !captured)
        return std::unexpected(captured.error());
    const auto schedules = parse_seeds(words.seed, words.seeds);
    if (!schedules)
        return std::unexpected(schedules.error());
    request.seed = schedules->first;
    request.last_seed = schedules->last;
    if (words.debugs) {
        const auto choice = debugger_choice(words.debugging);
        if (!choice)
            return std::unexpected(choice.error());
        request.debugger = *choice;
    }
    if (const std::optional<Failure> wrong = mistake_in(request))
        return std::unexpected(*wrong);
    if (command.empty())
        return usage("behind `--` stands the application to run: visor run -- ./app arguments");
    request.command.assign(command.begin(), command.end());
    return request;
}

} // namespace visor::cli
