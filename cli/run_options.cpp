// The options of `visor run`.
#include "cli/help.h"
#include "cli/option_parser.h"
#include "cli/words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace visor::cli {

namespace {

struct RunWords {
    std::string engine = "auto";
    std::string global, local, offset, groups;
    std::string seed, fuel, timeout, threads, hardware_threads, simd, slm;
    std::vector<std::string> arguments, outputs, prints, surfaces;
};

void add_run_options(OptionParser& parser, RunRequest& request, RunWords& words) {
    CLI::App& app = parser.app();
    app.add_option("FILE", request.file, "OpenCL C, SPIR-V, zebin or vISA text; - is standard input")
        ->required();
    parser.text("-k", request.kernel, "The kernel; optional when there is one", "NAME");
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
    parser.text("--engine", words.engine, "auto (default), interp, jit", "E");
    parser.text("--options", request.compiler_options, "For the OpenCL compiler: \"-cl-std=CL2.0 -DN=4\"",
                "TEXT");
    parser.text("--seed", words.seed, "Another order of threads (default 0: the plain one)", "N");
    parser.text("--fuel", words.fuel,
                fmt::format("Instruction limit of a hardware thread (default {}; 0: none)", default_fuel),
                "N");
    parser.text("--timeout", words.timeout, "Wall-clock limit of the run (default: none)", "SECONDS");
    parser.text("--threads", words.threads,
                "CPU threads over work-groups (default 1: same order always; 0: all)", "N");
    app.add_flag("--time", request.time, "Compile, prepare and run times");
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
    parser.later("--check", "Checkers", true);
    parser.later("--trace", "Trace of every instruction", true);
    parser.later("--trace-lanes", "", true);
    parser.later("--trace-group", "", true);
    parser.later("--text", "Replace one kernel's text", true);
    parser.later("--dump", "Final registers", true);
    parser.later("--sampler", "Samplers of hand-written text", true);
    parser.later("--json", "One object on standard output", false);
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

bool store_sizes(const RunWords& words, RunRequest& request, Failure& wrong) {
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
        count("--seed", words.seed, request.seed, UINT64_MAX) &&
        count("--fuel", words.fuel, request.fuel, UINT64_MAX) &&
        count("--threads", words.threads, threads, 1024) &&
        store(words.timeout, request.timeout, wrong,
              [](const std::string& given) { return parse_seconds("--timeout", given); }) &&
        store(words.engine, engine, wrong,
              [&](const std::string& given) { return parse_choice("--engine", given, engines); }) &&
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

std::expected<SurfaceText, std::string> parse_surface(std::string_view text) {
    const size_t equals = text.find('=');
    const auto index = parse_unsigned(text.substr(0, equals));
    constexpr uint64_t highest = 239; // what the hardware keeps for surfaces of the user
    if (equals == std::string_view::npos || !index || *index > highest)
        return std::unexpected(
            fmt::format("--bti takes N=ARRAY with N from 0 to {}, given `{}`", highest, text));
    auto value = parse_value(text.substr(equals + 1));
    if (!value)
        return std::unexpected(value.error());
    return SurfaceText{static_cast<uint32_t>(*index), std::string(text.substr(equals + 1)),
                       std::move(*value)};
}

} // namespace

std::expected<Request, Failure> parse_run(std::span<const std::string> arguments) {
    if (std::find(arguments.begin(), arguments.end(), "--") != arguments.end())
        return not_yet("running an application (`visor run -- app`)");
    OptionParser parser(
        "run",
        "Runs a kernel: `visor run saxpy.cl -g 1024 -a y=zeros:f32:1024 -a @x.npy 2.5 1024 --print y:8`",
        std::string(value_text) + exit_codes_text);
    RunRequest request;
    RunWords words;
    add_run_options(parser, request, words);
    const auto answer = parser.parse(separate_negative_values(arguments), request.device, &request.file);
    if (!answer)
        return std::unexpected(answer.error());
    if (*answer)
        return **answer;
    request.talk = parser.talk();
    Failure wrong;
    if (!store_sizes(words, request, wrong) || !store_settings(words, request, wrong) ||
        !store_all(words.arguments, request.arguments, wrong, parse_argument) ||
        !store_all(words.outputs, request.outputs, wrong, parse_output) ||
        !store_all(words.prints, request.prints, wrong, parse_print) ||
        !store_all(words.surfaces, request.surfaces, wrong, parse_surface))
        return std::unexpected(wrong);
    return request;
}

} // namespace visor::cli
