// The options of `visor run`.
#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "cli/options/words.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::cli {

namespace {

std::string default_engine() {
    const char* const chosen = std::getenv("VISOR_ENGINE");
    return chosen == nullptr || *chosen == '\0' ? "auto" : chosen;
}

struct RunWords {
    std::string engine = default_engine();
    std::string global, local, offset, groups;
    std::string seed, fuel, timeout, threads, hardware_threads, simd, slm;
    std::string compiler_time, trace_lanes, trace_group;
    std::string checks, seeds;
    std::vector<std::string> arguments, outputs, prints, surfaces, samplers, texts, dumps;
};

void add_run_options(OptionParser& parser, RunRequest& request, RunWords& words) {
    CLI::App& app = parser.app();
    app.add_option("FILE", request.file,
                   "OpenCL C, SPIR-V, zebin, vISA text, or a launch file (.json); - is standard input")
        ->required();
    parser.text("-k", request.launch.kernel, "The kernel; optional when there is one", "NAME");
    parser.text("-g", words.global, "Global size in work-items", "X[,Y[,Z]]");
    parser.text("-l", words.local, "Local size in work-items (default: a sensible choice)", "X[,Y[,Z]]");
    parser.text("--offset", words.offset, "Global offset", "X[,Y[,Z]]");
    app.add_option("-a", words.arguments, "Arguments: in order, by name or by index")
        ->type_name("[NAME|INDEX=]VALUE");
    app.add_option("--out", words.outputs, "After the run: write an array")
        ->type_name("NAME=FILE[:TYPE][:SHAPE]")
        ->allow_extra_args(false);
    app.add_option("--print", words.prints, "After the run: print an array")
        ->type_name("NAME[:N][:TYPE]")
        ->allow_extra_args(false);
    parser.text("--device", request.device, "skl (default) ...; help lists them", "D");
    app.add_option("--text", words.texts, "This text instead of a compiled kernel's own")
        ->type_name("KERNEL=FILE")
        ->allow_extra_args(false);
    parser.text("--engine", words.engine, "auto (default), interp, jit", "E");
    parser.text("--options", request.compiler_options, "For the OpenCL compiler: \"-cl-std=CL2.0 -DN=4\"",
                "TEXT");
    parser.text("--compiler", request.compiler,
                "A version or a folder (default: VISOR_COMPILER, else the newest for the device)", "C");
    parser.text("--compiler-time", words.compiler_time,
                "CPU seconds that the compiler may take (default 60; 0: any)", "SECONDS");
    parser.text("--seed", words.seed, "Another order of threads and lanes (default 0: the plain one)", "N");
    parser.text("--fuel", words.fuel,
                fmt::format("Instruction limit of a hardware thread (default {}; 0: none)", default_fuel),
                "N");
    parser.text("--timeout", words.timeout, "Wall-clock limit of the run (default: none)", "SECONDS");
    parser.text("--threads", words.threads,
                "CPU threads over work-groups (default 1: same order always; 0: all)", "N");
    app.add_flag("--time", request.time, "Compile, prepare and run times");
    app.add_flag("--json", request.json,
                 "One object on standard output with everything, printf output inside");
    parser.text(
        "--check", words.checks,
        fmt::format("Checkers: all, or some of {}; findings exit with 1", fmt::join(check::kind_names, ",")),
        "LIST");
    parser.text("--suppress", request.suppressions, "Findings to leave out: lines of rule, kernel and reason",
                "FILE");
    parser.text("--sarif", request.sarif, "The findings as SARIF 2.1.0", "FILE");
    parser.text("--seeds", words.seeds, "Run under several schedules, and tell of results that differ",
                "A..B");
    const std::string looking = "Looking inside";
    app.add_option("--dump", words.dumps, "Registers of a hardware thread at its end (default: 0:0)")
        ->type_name("NAME,...[@GROUP:THREAD]")
        ->allow_extra_args(false)
        ->group(looking);
    add_profile_options(parser, request.profiles, looking);
    parser.text("--trace", request.trace, "One JSON line for every instruction executed", "FILE")
        ->group(looking);
    parser.text("--trace-lanes", words.trace_lanes, "Only these channels: 0-7,12", "LANES")->group(looking);
    parser.text("--trace-group", words.trace_group, "Only this work-group: its number, or X,Y,Z", "G")
        ->group(looking);
}

void add_hand_written_options(OptionParser& parser, RunWords& words) {
    CLI::App& app = parser.app();
    const std::string hand_written = "Hand-written vISA text";
    parser.text("--groups", words.groups, "Size in work-groups, instead of -g and -l", "X[,Y[,Z]]")
        ->group(hand_written);
    parser.text("--hw-threads", words.hardware_threads, "Hardware threads of a work-group (default 1)", "N")
        ->group(hand_written);
    parser.text("--simd", words.simd, "8, 16 or 32 (default: the kernel's SimdSize)", "N")
        ->group(hand_written);
    parser.text("--slm", words.slm, "Shared local memory (default: the kernel's SLMSize)", "BYTES")
        ->group(hand_written);
    app.add_option("--bti", words.surfaces, "The surface of binding-table index N; outputs call it btiN")
        ->type_name("N=ARRAY")
        ->allow_extra_args(false)
        ->group(hand_written);
    app.add_option("--sampler", words.samplers, "The sampler of sampler index N: 0=nearest,clamp_edge")
        ->type_name("N=SAMPLER")
        ->allow_extra_args(false)
        ->group(hand_written);
}

// Where a value was given: parse it, store it, or keep the failure.
template <class Target, class Parse>
bool store(const std::string& text, Target& target, Failure& wrong, Parse parse) {
    if (text.empty())
        return true;
    auto value = parse(text);
    if (value)
        target = static_cast<std::remove_reference_t<decltype(*value)>>(*value);
    else
        wrong = value.error();
    return value.has_value();
}

bool store_sizes(const RunWords& words, LaunchRequest& request, Failure& wrong) {
    constexpr uint64_t most = UINT32_MAX;
    const auto extent = [&](const char* option, const std::string& text, Extent& target, uint64_t least) {
        return store(text, target, wrong,
                     [&](const std::string& given) { return parse_extent(option, given, least, most); });
    };
    const auto narrow = [&](const char* option, const std::string& text, std::optional<uint32_t>& target) {
        uint64_t number = 0;
        const bool good = store(text, number, wrong,
                                [&](const std::string& given) { return parse_count(option, given, most); });
        if (good && !text.empty())
            target = static_cast<uint32_t>(number);
        return good;
    };
    if (!extent("-g", words.global, request.global, 1) || !extent("-l", words.local, request.local, 1) ||
        !extent("--offset", words.offset, request.offset, 0) ||
        !extent("--groups", words.groups, request.groups, 1) ||
        !narrow("--hw-threads", words.hardware_threads, request.hardware_threads) ||
        !narrow("--simd", words.simd, request.simd) || !narrow("--slm", words.slm, request.slm_bytes))
        return false;
    if (request.simd && *request.simd != 8 && *request.simd != 16 && *request.simd != 32) {
        wrong = {ExitCode::usage, fmt::format("--simd takes 8, 16 or 32, given `{}`", *request.simd)};
        return false;
    }
    if (request.hardware_threads == 0U) {
        wrong = {ExitCode::usage, "--hw-threads takes at least 1"};
        return false;
    }
    return true;
}

bool store_settings(const RunWords& words, RunRequest& request, Failure& wrong) {
    const auto count = [&](const char* option, const std::string& text, uint64_t& target, uint64_t most) {
        return store(text, target, wrong,
                     [&](const std::string& given) { return parse_count(option, given, most); });
    };
    constexpr std::array<std::string_view, 3> engines{"auto", "interp", "jit"};
    size_t engine = 0;
    uint64_t threads = request.threads;
    const bool good =
        count("--fuel", words.fuel, request.fuel, UINT64_MAX) &&
        count("--threads", words.threads, threads, 1024) &&
        store(words.timeout, request.timeout, wrong,
              [](const std::string& given) { return parse_seconds("--timeout", given); }) &&
        store(words.compiler_time, request.compiler_time, wrong,
              [](const std::string& given) { return parse_seconds("--compiler-time", given); }) &&
        store(words.engine, engine, wrong,
              [&](const std::string& given) {
                  return parse_choice("--engine (or VISOR_ENGINE)", given, engines);
              }) &&
        store(request.device, request.device, wrong,
              [](const std::string& given) { return parse_device(given); });
    request.engine = static_cast<vm::EngineKind>(engine);
    request.threads = static_cast<uint32_t>(threads);
    return good;
}

template <class Item, class Parse>
bool store_all(const std::vector<std::string>& texts, std::vector<Item>& target, Failure& wrong,
               Parse parse) {
    for (const std::string& text : texts) {
        auto item = parse(text);
        if (!item) {
            wrong = {ExitCode::usage, item.error()};
            return false;
        }
        target.push_back(std::move(*item));
    }
    return true;
}

std::expected<StateText, std::string> parse_surface(std::string_view text) {
    const size_t equals = text.find('=');
    const auto index = parse_unsigned(text.substr(0, equals));
    constexpr uint64_t highest = 239; // what the hardware keeps for surfaces of the user
    if (equals == std::string_view::npos || !index || *index > highest)
        return std::unexpected(
            fmt::format("--bti takes N=ARRAY with N from 0 to {}, given `{}`", highest, text));
    auto value = parse_value(text.substr(equals + 1));
    if (!value)
        return std::unexpected(value.error());
    if (std::holds_alternative<machine::Sampler>(*value))
        return std::unexpected(fmt::format("--bti takes an array or an image, given `{}`", text));
    return StateText{static_cast<uint32_t>(*index), std::string(text.substr(equals + 1)), std::move(*value)};
}

// `N=[sampler:]FILTER,ADDRESS[,normalized]`
std::expected<StateText, std::string> parse_sampler_state(std::string_view text) {
    const size_t equals = text.find('=');
    const auto index = parse_unsigned(text.substr(0, equals));
    constexpr uint64_t highest = 15;
    if (equals == std::string_view::npos || !index || *index > highest)
        return std::unexpected(
            fmt::format("--sampler takes N=FILTER,ADDRESS with N from 0 to {}, given `{}`", highest, text));
    std::string_view words = text.substr(equals + 1);
    constexpr std::string_view prefix = "sampler:";
    if (words.starts_with(prefix))
        words.remove_prefix(prefix.size());
    const auto sampler = parse_sampler(words);
    if (!sampler)
        return std::unexpected(fmt::format("--sampler: {}", sampler.error()));
    return StateText{static_cast<uint32_t>(*index), std::string(words), *sampler};
}

std::expected<TextFile, std::string> parse_text(std::string_view text) {
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
        return std::unexpected(fmt::format("--text takes KERNEL=FILE, given `{}`", text));
    return TextFile{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

// `G`, or `X,Y[,Z]`
std::expected<trace::GroupChoice, std::string> parse_group(std::string_view text) {
    const auto ids = parse_extent("", text, 0, UINT32_MAX);
    if (ids && ids->dimensions > 1) {
        std::array<uint32_t, 3> id{};
        for (size_t d = 0; d < ids->dimensions; ++d)
            id[d] = static_cast<uint32_t>(ids->size[d]);
        return id;
    }
    const auto number = parse_unsigned(text);
    if (!number)
        return std::unexpected(fmt::format("`{}` is no work-group: give its number, or X,Y,Z", text));
    return *number;
}

// NAME,...[@GROUP:THREAD]
std::expected<trace::RegisterChoice, std::string> parse_dump(std::string_view text) {
    trace::RegisterChoice choice;
    std::string_view names = text.substr(0, text.find('@'));
    if (names.size() != text.size()) {
        const std::string_view place = text.substr(names.size() + 1);
        const size_t colon = place.find(':');
        const auto group = parse_group(place.substr(0, colon));
        if (!group)
            return std::unexpected(fmt::format("--dump: {}", group.error()));
        choice.group = *group;
        const auto thread = colon == std::string_view::npos ? std::expected<uint64_t, std::string>(0)
                                                            : parse_unsigned(place.substr(colon + 1));
        if (!thread || *thread > UINT32_MAX)
            return std::unexpected(fmt::format("--dump: `{}` is no hardware thread's number",
                                               place.substr(std::min(colon + 1, place.size()))));
        choice.thread = static_cast<uint32_t>(*thread);
    }
    while (true) {
        const size_t comma = names.find(',');
        if (names.substr(0, comma).empty())
            return std::unexpected(fmt::format("--dump takes NAME,...[@GROUP:THREAD], given `{}`", text));
        choice.names.emplace_back(names.substr(0, comma));
        if (comma == std::string_view::npos)
            return choice;
        names.remove_prefix(comma + 1);
    }
}

// "0-7,12" as bits
std::expected<uint32_t, Failure> parse_lanes(std::string_view text) {
    uint32_t lanes = 0;
    for (std::string_view rest = text;;) {
        const std::string_view part = rest.substr(0, rest.find(','));
        const size_t dash = part.find('-');
        const auto first = parse_unsigned(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : parse_unsigned(part.substr(dash + 1));
        constexpr uint64_t highest = 31;
        if (!first || !last || *first > *last || *last > highest)
            return usage(fmt::format("--trace-lanes takes channels from 0 to {}, such as 0-7,12; given `{}`",
                                     highest, text));
        for (uint64_t lane = *first; lane <= *last; ++lane)
            lanes |= 1U << lane;
        if (part.size() == rest.size())
            return lanes;
        rest.remove_prefix(part.size() + 1);
    }
}

bool store_trace(const RunWords& words, RunRequest& request, Failure& wrong) {
    if (request.trace.empty() && !(words.trace_lanes + words.trace_group).empty()) {
        wrong = {ExitCode::usage, "--trace-lanes and --trace-group narrow a trace: give --trace FILE"};
        return false;
    }
    if (!words.trace_group.empty()) {
        const auto group = parse_group(words.trace_group);
        if (!group) {
            wrong = {ExitCode::usage, "--trace-group: " + group.error()};
            return false;
        }
        request.trace_choice.group = *group;
    }
    return store(words.trace_lanes, request.trace_choice.lanes, wrong,
                 [](const std::string& given) { return parse_lanes(given); });
}

bool store_seeds(const RunWords& words, RunRequest& request, Failure& wrong) {
    const auto seeds = parse_seeds(words.seed, words.seeds);
    if (!seeds) {
        wrong = seeds.error();
        return false;
    }
    request.seed = seeds->first;
    request.last_seed = seeds->last;
    return true;
}

// Options that each are right and together are not.
std::expected<void, Failure> check_together(const RunRequest& request) {
    for (size_t i = 0; i < request.texts.size(); ++i)
        for (size_t before = 0; before < i; ++before)
            if (request.texts[before].kernel == request.texts[i].kernel)
                return usage(fmt::format("--text gives kernel `{}` two texts", request.texts[i].kernel));
    if (!request.json)
        return {};
    const bool output =
        std::ranges::any_of(request.outputs, [](const OutputRequest& out) { return out.path == "-"; });
    if (output || request.trace == "-")
        return usage("--json has standard output to itself: write the other to a file");
    return {};
}

} // namespace

std::expected<std::array<bool, check::kinds>, Failure> parse_checks(std::string_view text) {
    std::array<bool, check::kinds> chosen{};
    for (std::string_view rest = text;;) {
        const std::string_view name = rest.substr(0, rest.find(','));
        const auto found = std::ranges::find(check::kind_names, name);
        if (name == "all")
            chosen.fill(true);
        else if (found != check::kind_names.end())
            chosen[static_cast<size_t>(found - check::kind_names.begin())] = true;
        else
            return usage(fmt::format(
                "--check takes all, or some of {}; given `{}`{}", fmt::join(check::kind_names, ","), name,
                did_you_mean(name, {check::kind_names.begin(), check::kind_names.end()})));
        if (name.size() == rest.size())
            return chosen;
        rest.remove_prefix(name.size() + 1);
    }
}

namespace {

// What the verbs are told apart by.
struct RunVerbWords {
    const char* name;
    const char* description;
};
RunVerbWords words_for(RunVerb verb) {
    switch (verb) {
    case RunVerb::report:
        return {"report", "Runs a kernel, or an application behind `--`, and writes a page of what it cost: "
                          "`visor report -o saxpy.html saxpy.cl -g 1024 -a ...`"};
    case RunVerb::debug:
        return {"debug", "Runs a kernel on the interpreter, stops, and goes back: `visor debug saxpy.cl -g "
                         "1024 -a ...`"};
    case RunVerb::run:
        break;
    }
    return {"run",
            "Runs a kernel: `visor run saxpy.cl -g 1024 -a y=zeros:f32:1024 -a @x.npy 2.5 1024 --print y:8`"};
}

std::expected<Request, Failure> debug_request(RunRequest run, const DebugWords& words) {
    const auto choice = debugger_choice(words);
    if (!choice)
        return std::unexpected(choice.error());
    DebugRequest request{.run = std::move(run), .debugger = *choice};
    if (request.run.engine == vm::EngineKind::jit)
        return usage("--engine jit: a debugger runs the interpreter");
    if (request.run.last_seed)
        return usage("--seeds: a debugger runs one schedule, --seed N");
    return request;
}

std::expected<Request, Failure> parse_run_as(RunVerb verb, std::span<const std::string> arguments) {
    const auto dashes = std::ranges::find(arguments, "--");
    if (dashes != arguments.end())
        return parse_application(verb, {arguments.begin(), dashes}, {dashes + 1, arguments.end()});
    const bool is_report = verb == RunVerb::report;
    const RunVerbWords about = words_for(verb);
    OptionParser parser(about.name, about.description, std::string(value_text) + exit_codes_text);
    RunRequest request;
    DebugWords debugging;
    if (is_report)
        add_page_option(parser, request.profiles);
    if (verb == RunVerb::debug)
        add_debug_options(parser, debugging);
    RunWords words;
    CaptureWords capture;
    add_run_options(parser, request, words);
    add_hand_written_options(parser, words);
    if (verb == RunVerb::run)
        add_capture_options(parser, capture, "Capture");
    bool debugs = false;
    if (verb == RunVerb::run)
        parser.app()
            .add_flag("--debug", debugs, "Stop in its kernels, at a prompt: `visor debug -- ./app`")
            ->group("Applications: visor run ... -- ./app");
    const auto answer = parser.parse(separate_negative_values(arguments), request.device, &request.file);
    if (!answer)
        return std::unexpected(answer.error());
    if (*answer)
        return **answer;
    request.talk = parser.talk();
    if (debugs)
        return usage("--debug is for applications: visor run --debug -- ./app; a kernel: visor debug FILE");
    auto captured = parse_capture(capture);
    if (!captured)
        return std::unexpected(captured.error());
    request.capture = std::move(*captured);
    Failure wrong;
    if (!store_sizes(words, request.launch, wrong) || !store_settings(words, request, wrong) ||
        !store_all(words.arguments, request.launch.arguments, wrong, parse_argument) ||
        !store_all(words.outputs, request.outputs, wrong, parse_output) ||
        !store_all(words.prints, request.prints, wrong, parse_print) ||
        !store_all(words.surfaces, request.launch.surfaces, wrong, parse_surface) ||
        !store_all(words.samplers, request.launch.samplers, wrong, parse_sampler_state) ||
        !store_all(words.texts, request.texts, wrong, parse_text) ||
        !store_all(words.dumps, request.dumps, wrong, parse_dump) || !store_trace(words, request, wrong) ||
        !store_seeds(words, request, wrong) ||
        !store(words.checks, request.checks, wrong,
               [](const std::string& given) { return parse_checks(given); }))
        return std::unexpected(wrong);
    if (is_report && words.checks.empty())
        request.checks.fill(true);
    if (auto good = check_together(request); !good)
        return std::unexpected(good.error());
    if (verb == RunVerb::debug)
        return debug_request(std::move(request), debugging);
    return request;
}

} // namespace

std::expected<Request, Failure> parse_run(std::span<const std::string> arguments) {
    return parse_run_as(RunVerb::run, arguments);
}
std::expected<Request, Failure> parse_report(std::span<const std::string> arguments) {
    return parse_run_as(RunVerb::report, arguments);
}
std::expected<Request, Failure> parse_debug(std::span<const std::string> arguments) {
    return parse_run_as(RunVerb::debug, arguments);
}

} // namespace visor::cli
