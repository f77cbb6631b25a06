#include "cli/command_line.h"

#include "cli/help.h"
#include "cli/info.h"
#include "cli/words.h"
#include "diagnostic/diagnostic.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace visor::cli {

namespace {

constexpr std::array<std::string_view, 3> verbs{"run", "cc", "info"};

// The option parser splits words; every value stays text until words.h judges it, so that messages are ours.
class Parser {
public:
    Parser(const std::string& verb, const std::string& description, const std::string& footer)
        : app_(description, "visor " + verb) {
        app_.set_help_flag("-h,--help", "This text");
        app_.footer("\n" + footer);
        app_.get_formatter()->column_width(34);
        app_.add_option("--color", color_, "auto (default), always, never; NO_COLOR is obeyed");
        app_.add_flag("-q", talk_.quiet, "Errors and the summary only");
        app_.add_flag("-v", talk_.verbose, "Signature, launch shape, counts");
    }

    CLI::App& app() { return app_; }
    CLI::Option* text(const std::string& names, std::string& target, const std::string& what,
                      const std::string& type) {
        return app_.add_option(names, target, what)->type_name(type);
    }
    // What the contract knows and this version does not do: accepted, so that the answer can say so.
    void later(const std::string& name, const std::string& what, bool takes_value) {
        CLI::Option* option = takes_value ? app_.add_option(name, ignored_, what) : app_.add_flag(name, what);
        if (takes_value)
            option->type_name("")->expected(0, 1000);
        option->group("Not supported yet (exit 3)");
        later_.push_back(option);
    }

    // Nothing: go on. A text: print it. `needs_file`: refused without one.
    std::expected<std::optional<PrintedAnswer>, Failure>
    parse(std::vector<std::string> words, const std::string& device, const std::string* needed_file);
    [[nodiscard]] const Talk& talk() const { return talk_; }

private:
    CLI::App app_;
    Talk talk_;
    std::string color_ = "auto";
    std::vector<std::string> ignored_;
    std::vector<CLI::Option*> later_;

    Failure unknown_word(const std::vector<std::string>& extras);
};

Failure Parser::unknown_word(const std::vector<std::string>& extras) {
    const auto option = std::find_if(extras.begin(), extras.end(), [](const std::string& word) {
        return word.starts_with('-') && word.size() > 1;
    });
    if (option == extras.end())
        return {ExitCode::usage,
                fmt::format("unexpected `{}`; arguments of the kernel go behind -a, see {} --help",
                            extras.front(), app_.get_name())};
    std::vector<std::string> names;
    for (const CLI::Option* known : app_.get_options()) {
        for (const std::string& name : known->get_lnames())
            names.push_back("--" + name);
        for (const std::string& name : known->get_snames())
            names.push_back("-" + name);
    }
    const std::string word = option->substr(0, option->find('='));
    return {ExitCode::usage, fmt::format("unknown option `{}`{}; see {} --help", word,
                                         did_you_mean(word, {names.begin(), names.end()}), app_.get_name())};
}

std::expected<std::optional<PrintedAnswer>, Failure>
Parser::parse(std::vector<std::string> words, const std::string& device, const std::string* needed_file) {
    std::reverse(words.begin(), words.end()); // as CLI11 wants it
    try {
        app_.parse(words);
    } catch (const CLI::CallForHelp&) {
        return PrintedAnswer{app_.help()};
    } catch (const CLI::ExtrasError&) {
        return std::unexpected(unknown_word(app_.remaining()));
    } catch (const CLI::ParseError& error) {
        if (device == "help") // which needs no FILE
            return PrintedAnswer{device_table()};
        return usage(fmt::format("{}; see {} --help", error.what(), app_.get_name()));
    }
    if (device == "help")
        return PrintedAnswer{device_table()};
    constexpr std::array<std::string_view, 3> choices{"auto", "always", "never"};
    const auto color = parse_choice("--color", color_, choices);
    if (!color)
        return std::unexpected(color.error());
    talk_.color = static_cast<ColorWish>(*color);
    for (const CLI::Option* option : later_)
        if (option->count() > 0)
            return not_yet(fmt::format("{} of {}", option->get_name(), app_.get_name()));
    if (needed_file != nullptr && needed_file->empty())
        return usage(fmt::format("{} needs a FILE; see {} --help", app_.get_name(), app_.get_name()));
    return std::nullopt;
}

struct RunWords {
    std::string engine = "auto";
    std::string global, local, offset, groups;
    std::string seed, fuel, timeout, threads, hardware_threads, simd, slm;
    std::vector<std::string> arguments, outputs, prints, surfaces;
};

void add_run_options(Parser& parser, RunRequest& request, RunWords& words) {
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

std::expected<Request, Failure> parse_run(std::span<const std::string> arguments) {
    if (std::find(arguments.begin(), arguments.end(), "--") != arguments.end())
        return not_yet("running an application (`visor run -- app`)");
    Parser parser(
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

std::expected<Request, Failure> parse_cc(std::span<const std::string> arguments) {
    auto compiler = take_compiler_words(arguments);
    if (!compiler)
        return std::unexpected(compiler.error());
    Parser parser("cc", "Compiles: `visor cc k.cl -DN=4 -Iinclude -cl-std=CL2.0 -o k.zebin`",
                  exit_codes_text);
    CcRequest request;
    std::string emit = "zebin";
    parser.app().add_option("FILE", request.file, "OpenCL C or SPIR-V; - is standard input")->required();
    parser.text("-o", request.output,
                "Output (default: FILE's name with .zebin or .spv); - is standard output", "F");
    parser.text("--device", request.device, "skl (default) ...; help lists them", "D");
    parser.text("--emit", emit, "zebin (default) or spv", "WHAT");
    parser.app().footer(
        fmt::format("\n-D, -U, -I, -cl-*, -w and -Werror go to the OpenCL compiler.\n\n{}", exit_codes_text));
    const auto answer = parser.parse(std::move(compiler->rest), request.device, &request.file);
    if (!answer)
        return std::unexpected(answer.error());
    if (*answer)
        return **answer;
    constexpr std::array<std::string_view, 3> kinds{"zebin", "spv", "visaasm"};
    const auto kind = parse_choice("--emit", emit, kinds);
    if (!kind)
        return std::unexpected(kind.error());
    if (*kind == 2)
        return not_yet("--emit visaasm");
    const auto device = parse_device(request.device);
    if (!device)
        return std::unexpected(device.error());
    request.device = *device;
    request.emit = static_cast<Emit>(*kind);
    request.talk = parser.talk();
    request.compiler_options = std::move(compiler->options);
    request.include_folders = std::move(compiler->include_folders);
    return request;
}

std::expected<Request, Failure> parse_info(std::span<const std::string> arguments) {
    Parser parser("info", "Tells about this build, or about a file's kernels", exit_codes_text);
    InfoRequest request;
    parser.app().add_option("FILE", request.file, "OpenCL C, SPIR-V, zebin or vISA text");
    parser.text("--device", request.device, "skl (default) ...; help lists them", "D");
    parser.text("--options", request.compiler_options, "For the OpenCL compiler", "TEXT");
    parser.later("--json", "One object on standard output", false);
    const auto answer = parser.parse({arguments.begin(), arguments.end()}, request.device, nullptr);
    if (!answer)
        return std::unexpected(answer.error());
    if (*answer)
        return **answer;
    const auto device = parse_device(request.device);
    if (!device)
        return std::unexpected(device.error());
    request.device = *device;
    request.talk = parser.talk();
    return request;
}

std::expected<Request, Failure> unknown_verb(const std::string& word) {
    std::error_code ignored;
    const std::vector<std::string_view> known(verbs.begin(), verbs.end());
    if (word.starts_with('-'))
        return usage(fmt::format("expected a verb before `{}`; verbs: {}", word, fmt::join(verbs, " ")));
    if (std::filesystem::exists(word, ignored))
        return usage(fmt::format("`{}` is a file; to run it: visor run {}", word, word));
    return usage(fmt::format("unknown verb `{}`{}; verbs: {}", word, did_you_mean(word, known),
                             fmt::join(verbs, " ")));
}

} // namespace

std::expected<Request, Failure> parse_command_line(const std::vector<std::string>& arguments) {
    if (arguments.empty())
        return usage(fmt::format("a verb is missing; verbs: {}; see visor --help", fmt::join(verbs, " ")));
    const std::string& verb = arguments.front();
    const auto rest = std::span(arguments).subspan(1);
    if (verb == "run")
        return parse_run(rest);
    if (verb == "cc")
        return parse_cc(rest);
    if (verb == "info")
        return parse_info(rest);
    if (verb == "--version")
        return PrintedAnswer{fmt::format("visor {}\n", vm::version())};
    if (verb == "-h" || verb == "--help" || verb == "help")
        return PrintedAnswer{std::string(overview_text) + exit_codes_text};
    return unknown_verb(verb);
}

} // namespace visor::cli
