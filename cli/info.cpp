#include "cli/info.h"

#include "cli/file.h"
#include "compile/compile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>

namespace visor::cli {

namespace {

std::string_view kind_name(vm::ParameterKind kind) {
    switch (kind) {
    case vm::ParameterKind::value:
        return "value";
    case vm::ParameterKind::buffer:
        return "buffer";
    case vm::ParameterKind::local:
        return "local memory";
    case vm::ParameterKind::image:
        return "image";
    case vm::ParameterKind::sampler:
    case vm::ParameterKind::state_sampler:
        return "sampler";
    case vm::ParameterKind::variable:
        return "variable";
    case vm::ParameterKind::surface:
        return "surface";
    }
    return "";
}

std::string kernel_text(const vm::KernelFacts& kernel) {
    std::string text = fmt::format("{}\n", signature_text(kernel));
    text += fmt::format("  {}, SIMD{}, {} instructions", kernel.hand_written ? "hand-written" : "compiled",
                        kernel.simd == 0 ? "?" : fmt::format("{}", kernel.simd), kernel.instructions);
    if (kernel.slm_bytes > 0)
        text += fmt::format(", {} bytes of shared local memory", kernel.slm_bytes);
    if (kernel.required_group_size[0] > 0)
        text += fmt::format(", required work-group size {}", fmt::join(kernel.required_group_size, "x"));
    text += '\n';
    for (size_t i = 0; i < kernel.parameters.size(); ++i) {
        const vm::Parameter& parameter = kernel.parameters[i];
        text += fmt::format("  {:>2}  {:<16} {:<16} {}", i, parameter.name.empty() ? "-" : parameter.name,
                            parameter.type_name, kind_name(parameter.kind));
        if (parameter.bytes > 0)
            text += fmt::format(", {} bytes", parameter.bytes);
        text += '\n';
    }
    return text;
}

std::string variable_text(const char* name, std::string_view meaning) {
    const char* value = std::getenv(name);
    return fmt::format("  {:<16} {:<46} {}\n", name, meaning,
                       value == nullptr ? "not set" : fmt::format("= {}", value));
}

std::string build_text() {
    const std::string compiler = compile::compiler_version();
    std::string text = fmt::format("Visor {}, a virtual machine for Intel's vISA\n", vm::version());
    text +=
        fmt::format("compiler  {}\n", compiler.empty() ? "none found (package intel-opencl-icd)" : compiler);
    text += fmt::format("cache     {}\n", compile::cache_folder());
    text += "engines   interp\n";
    text += fmt::format(
        "limits    {} instructions of one hardware thread unless --fuel says otherwise, no time limit\n",
        grouped(default_fuel));
    text += "\ndevices (--device)\n" + device_table();
    text += "\nenvironment variables\n";
    text += variable_text("VISOR_CACHE_DIR", "folder of compiled kernels");
    text += variable_text("VISOR_LIBEXEC", "folder of Visor's worker programs");
    text += variable_text("NO_COLOR", "no colours when set");
    return text;
}

std::expected<std::string, Failure> file_text(const InfoRequest& request, const Console& console) {
    const auto content = read_file(request.file);
    if (!content)
        return invalid(content.error());
    if (vm::identify(*content, request.file) == vm::InputKind::launch_file)
        return not_yet(fmt::format("a launch file (`{}`)", request.file));
    vm::Context context(*isa::device_named(request.device));
    vm::LoadOptions options;
    options.device = request.device;
    options.compiler_options = request.compiler_options;
    options.color = console.color();
    std::string warnings;
    const auto program = context.load(request.file, *content, options, warnings);
    console.warning(warnings);
    if (!program)
        return std::unexpected(failure(program.error()));
    std::string text;
    for (const vm::KernelFacts& kernel : vm::kernels(**program)) {
        text += kernel_text(kernel);
        const auto missing = vm::not_executed(**program, kernel.name);
        if (!missing)
            return std::unexpected(failure(missing.error()));
        for (const std::string& line : *missing)
            text += fmt::format("  not executed: {}\n", line);
    }
    return text;
}

} // namespace

std::string device_table() {
    std::string text =
        fmt::format("  {:<6} {:>4} {:>6} {:>5} {:>10} {:>6} {:>9}  {}\n", "name", "GRF", "int64", "fp64",
                    "SLM", "group", "messages", "compiles, executes; description");
    for (const isa::Device& device : isa::devices())
        text +=
            fmt::format("  {:<6} {:>4} {:>6} {:>5} {:>10} {:>6} {:>9}  {}, {}; {}\n", device.name,
                        device.grf_bytes, device.int64 ? "yes" : "no", device.fp64 ? "yes" : "no",
                        device.slm_bytes, device.max_group_size, device.lsc ? "LSC" : "legacy",
                        device.compiles ? "yes" : "no", device.executes ? "yes" : "no", device.description);
    return text;
}

ExitCode info(const InfoRequest& request) {
    const Console console(request.talk.color, request.talk.quiet, request.talk.verbose);
    const auto text = request.file.empty() ? std::expected<std::string, Failure>(build_text())
                                           : file_text(request, console);
    if (!text) {
        console.report(text.error());
        return text.error().code;
    }
    std::fwrite(text->data(), 1, text->size(), stdout);
    if (std::fflush(stdout) != 0)
        return ExitCode::invalid;
    return ExitCode::clean;
}

} // namespace visor::cli
