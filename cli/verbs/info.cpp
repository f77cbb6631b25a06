#include "cli/verbs/info.h"

#include "cli/launch/job_file.h"
#include "cli/report/installation.h"
#include "cli/report/json_report.h"
#include "compile/compile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <vector>

namespace visor::cli {

namespace {

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
        if (!parameter.access.empty())
            text += fmt::format(", {}", parameter.access);
        text += '\n';
    }
    return text;
}

std::string variable_text(const char* name, std::string_view meaning) {
    const char* value = std::getenv(name);
    return fmt::format("  {:<20} {:<46} {}\n", name, meaning,
                       value == nullptr ? "not set" : fmt::format("= {}", value));
}

// The newest first, which is taken where it knows the device.
std::string compiler_text(const compile::CompilerList& compilers) {
    std::string text;
    for (const compile::CompilerFacts& one : compilers.found)
        text += fmt::format("compiler  {}, {}: {}\n", one.title, one.library, fmt::join(one.devices, " "));
    if (compilers.found.empty())
        text = "compiler  none found: the package intel-opencl-icd of Debian 12 has one, or `scripts/setup "
               "compiler`\n";
    for (const std::string& problem : compilers.problems)
        text += fmt::format("          {}\n", problem);
    return text;
}

// What holds the processes that compile, and what this system does not have.
std::string worker_text() {
    const compile::WorkerConfinement found = compile::worker_confinement();
    std::vector<std::string> held;
    std::vector<std::string> missing;
    const auto add = [&](bool is_held, std::string what) {
        (is_held ? held : missing).push_back(std::move(what));
    };
    add(found.limits, "limits of memory, files and processes");
    add(found.no_new_privs, "no new privileges");
    add(found.system_calls, "system calls (seccomp)");
    add(found.landlock > 0,
        found.landlock > 0 ? fmt::format("files (Landlock {})", found.landlock) : "files (Landlock)");
    return fmt::format("workers   confined by {}{}\n",
                       held.empty() ? "nothing" : fmt::format("{}", fmt::join(held, ", ")),
                       missing.empty() ? "" : fmt::format("; not by {}", fmt::join(missing, ", ")));
}

std::string build_text() {
    std::string text = fmt::format("Visor {}, a virtual machine for Intel's vISA\n", vm::version());
    text += compiler_text(compile::list_compilers());
    text += fmt::format("cache     {}\n", compile::cache_folder());
    text += worker_text();
    text += vm::has_jit() ? "engines   interp, jit\n" : "engines   interp\n";
    text += fmt::format(
        "limits    {} instructions of one hardware thread unless --fuel says otherwise, no time limit\n",
        grouped(default_fuel));
    text += "\ndevices (--device)\n" + device_table();
    text += "\nenvironment variables\n";
    for (const EnvironmentVariable& variable : environment_variables)
        text += variable_text(variable.name, variable.meaning);
    return text;
}

FileFacts facts_of(const InfoRequest& request, const Console& console) {
    FileFacts facts;
    facts.file = request.file;
    auto file = read_job(request.file, request.device, request.compiler_options);
    if (!file) {
        facts.failure = std::move(file.error());
        return facts;
    }
    Job& job = file->job;
    facts.device = job.device;
    vm::Context context(*isa::device_named(job.device));
    job.load.device = job.device;
    job.load.color = console.color();
    std::string warnings = job.remark;
    const auto program = context.load(job.program_name, job.program, job.load, warnings);
    console.warning(warnings);
    if (!warnings.empty())
        facts.warnings.push_back(std::move(warnings));
    if (!program) {
        facts.failure = failure(program.error());
        return facts;
    }
    for (vm::KernelFacts& kernel : vm::kernels(**program)) {
        auto missing = vm::not_executed(**program, kernel.name);
        if (!missing) {
            facts.failure = failure(missing.error());
            return facts;
        }
        facts.kernels.push_back(std::move(kernel));
        facts.not_executed.push_back(std::move(*missing));
    }
    return facts;
}

} // namespace

ExitCode info(const InfoRequest& request) {
    const Console console(request.talk.color, request.talk.quiet, request.talk.verbose);
    std::string text;
    ExitCode code = ExitCode::clean;
    if (request.file.empty()) {
        text = request.json ? json_of_build() : build_text();
    } else {
        const FileFacts facts = facts_of(request, console);
        if (facts.failure) {
            console.report(*facts.failure);
            code = facts.failure->code;
        }
        for (size_t i = 0; i < facts.kernels.size(); ++i) {
            text += kernel_text(facts.kernels[i]);
            for (const std::string& line : facts.not_executed[i])
                text += fmt::format("  not executed: {}\n", line);
        }
        if (request.json)
            text = json_of(facts);
    }
    text = Console::for_output(std::move(text));
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (std::fflush(stdout) != 0)
        return ExitCode::invalid;
    return code;
}

} // namespace visor::cli
