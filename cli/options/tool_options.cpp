// The options of the verbs that run nothing.
#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "cli/options/words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace visor::cli {

std::expected<Request, Failure> parse_cc(std::span<const std::string> arguments) {
    auto compiler = take_compiler_words(arguments);
    if (!compiler)
        return std::unexpected(compiler.error());
    OptionParser parser("cc", "Compiles: `visor cc k.cl -DN=4 -Iinclude -cl-std=CL2.0 -o k.zebin`",
                        exit_codes_text);
    CcRequest request;
    std::string emit = "zebin";
    std::string seconds;
    parser.app().add_option("FILE", request.file, "OpenCL C or SPIR-V; - is standard input")->required();
    parser.text("-o", request.output,
                "Output (default: FILE's name with .zebin, .spv or .visaasm); - is standard output", "F");
    parser.text("--device", request.device, "skl (default) ...; help lists them", "D");
    parser.text("--compiler", request.compiler,
                "A version or a folder (default: VISOR_COMPILER, else the newest for the device)", "C");
    parser.text("--compiler-time", seconds, "CPU seconds that the compiler may take (default 60; 0: any)",
                "SECONDS");
    parser.text("--emit", emit, "zebin (default), spv, or visaasm: text to edit and run", "WHAT");
    parser.text("-k", request.kernel, "visaasm: this kernel only (default: all, in one text)", "NAME");
    parser.app().footer(fmt::format(
        "\n-D, -U, -I, -cl-*, -g, -gline-tables-only, -w and -Werror go to the OpenCL compiler.\n\n{}",
        exit_codes_text));
    const auto answer = parser.parse(std::move(compiler->rest), request.device, &request.file);
    if (!answer)
        return std::unexpected(answer.error());
    if (*answer)
        return **answer;
    constexpr std::array<std::string_view, 3> kinds{"zebin", "spv", "visaasm"};
    const auto kind = parse_choice("--emit", emit, kinds);
    if (!kind)
        return std::unexpected(kind.error());
    if (static_cast<Emit>(*kind) != Emit::visa_text && !request.kernel.empty())
        return usage("-k goes with --emit visaasm: the other outputs hold all kernels");
    const auto device = parse_device(request.device);
    if (!device)
        return std::unexpected(device.error());
    request.device = *device;
    if (!seconds.empty()) {
        const auto time = parse_seconds("--compiler-time", seconds);
        if (!time)
            return std::unexpected(time.error());
        request.compiler_time = *time;
    }
    request.emit = static_cast<Emit>(*kind);
    request.talk = parser.talk();
    request.compiler_options = std::move(compiler->options);
    request.include_folders = std::move(compiler->include_folders);
    return request;
}

std::expected<Request, Failure> parse_info(std::span<const std::string> arguments) {
    OptionParser parser("info", "Tells about this build, or about a file's kernels", exit_codes_text);
    InfoRequest request;
    parser.app().add_option("FILE", request.file, "OpenCL C, SPIR-V, zebin, vISA text, launch file");
    parser.text("--device", request.device, "skl (default) ...; help lists them", "D");
    parser.text("--options", request.compiler_options, "For the OpenCL compiler", "TEXT");
    parser.app().add_flag("--json", request.json, "One object on standard output");
    const auto answer = parser.parse({arguments.begin(), arguments.end()}, request.device, nullptr);
    if (!answer)
        return std::unexpected(answer.error());
    if (*answer)
        return **answer;
    if (!request.device.empty())
        if (const auto device = parse_device(request.device); !device)
            return std::unexpected(device.error());
    request.talk = parser.talk();
    return request;
}

namespace {

constexpr const char* device_words = "skl ... or any (default: the file's own, else any); help lists them";

// As compilers spell it; the option parser knows long names by two dashes.
std::vector<std::string> spell_werror(std::span<const std::string> arguments) {
    std::vector<std::string> words(arguments.begin(), arguments.end());
    std::ranges::replace(words, "-Werror", "--Werror");
    return words;
}

std::expected<Request, Failure> settle_check(CheckRequest request, const std::string& profile,
                                             const std::string& device, const std::string& max_errors) {
    if (!profile.empty()) {
        constexpr std::array<std::string_view, 2> profiles{"spec", "igc"};
        const auto choice = parse_choice("--profile", profile, profiles);
        if (!choice)
            return std::unexpected(choice.error());
        request.profile = static_cast<verify::Profile>(*choice);
    }
    const auto choice = parse_device_choice(device);
    if (!choice)
        return std::unexpected(choice.error());
    request.device = *choice;
    if (!max_errors.empty()) {
        const auto count = parse_count("--max-errors", max_errors);
        if (!count)
            return std::unexpected(count.error());
        request.max_errors = *count == 0 ? SIZE_MAX : *count;
    }
    return request;
}

} // namespace

std::expected<Request, Failure> parse_as(std::span<const std::string> arguments) {
    OptionParser parser("as", "Assembles vISA text to a binary: `visor as k.visaasm -o k.isa`",
                        exit_codes_text);
    AsRequest request;
    std::string device;
    parser.app().add_option("FILE", request.file, "vISA text; - is standard input")->required();
    parser.text("-o", request.output, "Output (default: FILE's name with .isa); - is standard output", "F");
    parser.text("--device", device, device_words, "D");
    const auto answer = parser.parse({arguments.begin(), arguments.end()}, device, &request.file);
    if (!answer)
        return std::unexpected(answer.error());
    if (*answer)
        return **answer;
    request.talk = parser.talk();
    const auto choice = parse_device_choice(device);
    if (!choice)
        return std::unexpected(choice.error());
    request.device = *choice;
    return request;
}

std::expected<Request, Failure> parse_dis(std::span<const std::string> arguments) {
    OptionParser parser("dis", "Shows the vISA of a binary, a zebin or an OpenCL C file: `visor dis k.isa`",
                        exit_codes_text);
    DisRequest request;
    std::string device;
    parser.app()
        .add_option("FILE", request.file, "vISA binary or text, zebin, SPIR-V, OpenCL C; - is standard input")
        ->required();
    parser.text("-o", request.output, "Output (default: standard output)", "F");
    parser.text("--device", device, device_words, "D");
    parser.text("--options", request.compiler_options, "For the OpenCL compiler", "TEXT");
    const auto answer = parser.parse({arguments.begin(), arguments.end()}, device, &request.file);
    if (!answer)
        return std::unexpected(answer.error());
    if (*answer)
        return **answer;
    request.talk = parser.talk();
    const auto choice = parse_device_choice(device);
    if (!choice)
        return std::unexpected(choice.error());
    request.device = *choice;
    return request;
}

std::expected<Request, Failure> parse_check(std::span<const std::string> arguments) {
    OptionParser parser("check", "Checks vISA: `visor check k.visaasm --profile igc --device tgllp`",
                        check_text + std::string(exit_codes_text));
    CheckRequest request;
    std::string device;
    std::string profile;
    std::string max_errors;
    CLI::App& app = parser.app();
    app.add_option("FILE", request.files,
                   "vISA text or binary, zebin, SPIR-V, OpenCL C; - is standard input");
    parser.text("--profile", profile, "spec: the pages; igc: what the compiler takes", "P");
    parser.text("--device", device, device_words, "D");
    parser.text("--options", request.compiler_options, "For the OpenCL compiler", "TEXT");
    app.add_flag("--Werror", request.warnings_are_errors, "Warnings are errors; also -Werror");
    parser.text("--max-errors", max_errors, "Of each file (default 100; 0: all)", "N");
    app.add_flag("--snippet", request.snippet,
                 "FILE (default: standard input) is a fragment: .decl lines, then instructions");
    app.add_flag("--json", request.json, "One object on standard output");
    const auto answer = parser.parse(spell_werror(arguments), device, nullptr);
    if (!answer)
        return std::unexpected(answer.error());
    if (*answer)
        return **answer;
    request.talk = parser.talk();
    if (request.files.empty() && !request.snippet)
        return usage("visor check needs a FILE; see visor check --help");
    if (request.files.empty())
        request.files.emplace_back("-");
    return settle_check(std::move(request), profile, device, max_errors);
}

std::expected<Request, Failure> parse_diff(std::span<const std::string> arguments) {
    OptionParser parser("diff", "Compares two files by meaning: `visor diff old.visaasm new.visaasm`",
                        diff_text + std::string(exit_codes_text));
    DiffRequest request;
    std::string device, most, runs;
    const char* const files = "vISA text or binary, zebin, SPIR-V, OpenCL C; - is standard input";
    parser.app().add_option("A", request.first, files)->required();
    parser.app().add_option("B", request.second, files)->required();
    parser.text("-k", request.kernel, "This kernel only (default: all, and functions)", "NAME");
    parser.text("--device", device,
                "skl ... or any (default: the files' own, else one that has what they use); help lists them",
                "D");
    parser.text("--options", request.compiler_options, "For the OpenCL compiler", "TEXT");
    parser.text("--most", most, "Differences shown of each kernel (default 10, no more than 1000)", "N");
    parser.text("--runs", runs,
                "Compare what kernels do instead: run each N times on both sides with the same drawn inputs",
                "N");
    parser.app().add_flag("--json", request.json, "One object on standard output");
    const auto answer = parser.parse({arguments.begin(), arguments.end()}, device, nullptr);
    if (!answer)
        return std::unexpected(answer.error());
    if (*answer)
        return **answer;
    constexpr uint64_t most_runs = 1'000'000;
    const auto run_count =
        runs.empty() ? std::expected<uint64_t, Failure>(0) : parse_count("--runs", runs, most_runs);
    if (!run_count)
        return std::unexpected(run_count.error());
    request.runs = static_cast<uint32_t>(*run_count);
    if (request.first == "-" && request.second == "-")
        return usage("standard input is one file: A or B has to be another");
    const auto choice = parse_device_choice(device);
    if (!choice)
        return std::unexpected(choice.error());
    request.device = *choice;
    const auto count = most.empty() ? request.most : parse_count("--most", most);
    if (!count)
        return std::unexpected(count.error());
    if (*count == 0)
        return usage("--most takes a number from 1 on");
    request.most = *count;
    request.talk = parser.talk();
    return request;
}

std::expected<Request, Failure> parse_reduce(std::span<const std::string> arguments) {
    const auto dashes = std::ranges::find(arguments, "--");
    OptionParser parser("reduce", "Makes vISA text smaller: `visor reduce k.visaasm -- COMMAND...`",
                        reduce_text + std::string(exit_codes_text));
    ReduceRequest request;
    std::string device, seconds, tests;
    parser.app().add_option("FILE", request.file, "vISA text; - is standard input")->required();
    parser.text("-o", request.output,
                "Output (default: FILE's name with .reduced.visaasm); - is standard output", "F");
    parser.text("--device", device, device_words, "D");
    parser.text("--timeout", seconds, "Wall-clock limit of each COMMAND (default 60; 0: none)", "SECONDS");
    parser.text("--tests", tests, "Ends after so many runs of COMMAND (default: none)", "N");
    const auto answer = parser.parse({arguments.begin(), dashes}, device, &request.file);
    if (!answer)
        return std::unexpected(answer.error());
    if (*answer)
        return **answer;
    if (dashes != arguments.end())
        request.command.assign(dashes + 1, arguments.end());
    if (request.command.empty())
        return usage("visor reduce needs a command: visor reduce FILE -- COMMAND...");
    const auto choice = parse_device_choice(device);
    if (!choice)
        return std::unexpected(choice.error());
    request.device = *choice;
    const auto time = seconds.empty() ? request.test_seconds : parse_seconds("--timeout", seconds);
    if (!time)
        return std::unexpected(time.error());
    const auto most = tests.empty() ? 0 : parse_count("--tests", tests);
    if (!most)
        return std::unexpected(most.error());
    request.test_seconds = *time;
    request.most_tests = *most;
    request.talk = parser.talk();
    return request;
}

std::expected<Request, Failure> parse_isa(std::span<const std::string> arguments) {
    OptionParser parser("isa", "The instruction reference: `visor isa scatter_scaled`", exit_codes_text);
    IsaRequest request;
    parser.app().add_option("NAME", request.name, "An instruction; without it, the list of all");
    parser.app().add_flag("--coverage", request.coverage, "What Visor does with each instruction");
    parser.app().add_flag("--json", request.json, "One object on standard output");
    parser.app().add_flag("--fidelity", request.fidelity, "How near results are to the pages");
    const auto answer = parser.parse({arguments.begin(), arguments.end()}, "", nullptr);
    if (!answer)
        return std::unexpected(answer.error());
    if (*answer)
        return **answer;
    request.talk = parser.talk();
    return request;
}

} // namespace visor::cli
