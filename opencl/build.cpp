// Builds programs from sources, SPIR-V and binaries: compiles in worker processes, one for each concurrent
// caller, then loads into the context's memory, one at a time.
#include "compile/compile.h"
#include "launch/zebin.h"
#include "opencl/extensions.h"
#include "opencl/limits.h"
#include "opencl/program.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <span>
#include <unistd.h>

namespace visor::opencl {

namespace {

constexpr std::string_view object_mark = "VISOR object 1\n";
constexpr std::string_view library_mark = "VISOR library 1\n";

const isa::Device& device_of(const _cl_context& context) {
    return context.machine.device();
}

BuildResult failed(cl_int code, std::string log) {
    return {.code = code, .log = std::move(log), .built = {}};
}

// `refused`: this step's error code for a failed build.
BuildResult failed(const compile::Failure& failure, cl_int refused, cl_int bad_options) {
    std::string log = failure.log;
    if (!log.empty() && !log.ends_with('\n'))
        log += '\n';
    log += failure.message + "\n";
    using enum compile::FailureKind;
    switch (failure.kind) {
    case bad_option:
        return failed(bad_options, std::move(log));
    case build_error:
        return failed(refused, std::move(log));
    default: // not an error of the program: recorded for `visor run`
        platform().record.failed(failure.kind == time_limit ? vm::ErrorKind::time : vm::ErrorKind::compiler,
                                 "error: " + failure.message);
        return failed(refused, std::move(log));
    }
}

std::string text_of(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Prestarts the code generator for a program that was compiled just now. The machine code of one that was
// compiled before is mostly cached, too, and the process would take CPU time for nothing.
void expect_launches(const compile::Output& output) {
    if (!output.from_cache && platform().settings.engine != vm::EngineKind::interpreter)
        vm::expect_native();
}

// The zebin's kernels in the context's memory.
BuildResult load(_cl_context& context, std::string zebin, const std::string& options, std::string log) {
    vm::LoadOptions load;
    load.device = device_of(context).name;
    load.compiler_options = options;
    std::string warnings;
    const _cl_context::MachineLock machine_lock(context);
    auto loaded = context.machine.load(built_source_name, zebin, load, warnings);
    if (!loaded) {
        if (loaded.error().kind == vm::ErrorKind::unsupported)
            platform().record.failed(loaded.error().kind, loaded.error().text);
        return failed(CL_BUILD_PROGRAM_FAILURE, log + loaded.error().text + "\n");
    }
    if (const std::vector<std::string> undefined = vm::undefined_names(**loaded); !undefined.empty())
        return failed(CL_BUILD_PROGRAM_FAILURE,
                      fmt::format("{}error: nothing defines `{}`\n", log, fmt::join(undefined, "`, `")));
    if (!warnings.empty()) // a compiler bug: few applications show the build log
        platform().record.noted(warnings);
    BuildResult out{.code = CL_SUCCESS, .log = log + warnings, .built = {}};
    out.built.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    out.built.zebin = std::move(zebin);
    out.built.loaded = std::move(*loaded);
    return out;
}

// Removes options that the compiler does not know.
std::string without(std::string options, std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) {
        for (size_t at = options.find(word); at != std::string::npos; at = options.find(word, at + 1)) {
            const size_t end = at + word.size();
            const bool is_word =
                (at == 0 || options[at - 1] == ' ') && (end == options.size() || options[end] == ' ');
            if (is_word)
                options.erase(at, word.size());
        }
    }
    return options;
}

// Reports a long build on a terminal, with the number of cached builds so far.
void report_progress(std::string_view text) {
    const uint64_t cached = platform().cached_builds;
    platform().record.print_once(fmt::format("visor: {}; {} build{} from the cache so far", text,
                                             cached == 0 ? "no" : std::to_string(cached),
                                             cached == 1 ? " came" : "s came"));
}

std::expected<compile::Output, compile::Failure> compiled(const compile::Request& request) {
    auto output = compile::compile(request);
    if (output && output->from_cache)
        ++platform().cached_builds;
    return output;
}

compile::Request request_for(const _cl_context& context, const std::string& options) {
    compile::Request request;
    if (isatty(STDERR_FILENO) != 0)
        request.on_wait = report_progress;
    request.name = built_source_name;
    request.device = device_of(context).name;
    request.options = without(options, {"-cl-kernel-arg-info", "-create-library", "-enable-link-options"});
    request.needs_kernels = false;
    request.time_limit = build_seconds;
    return request;
}

compile::Request request_for(_cl_program& program, const std::string& options) {
    compile::Request request = request_for(*program.context, options);
    if (program.origin == Origin::il) {
        request.language = compile::Language::spirv;
        request.source = specialized(program.source, program.constants);
        return request;
    }
    request.source = source_preamble(target()) + program.source;
    request.options += fmt::format("{}{}", request.options.empty() ? "" : " ", compiler_switches());
    if (platform().settings.needs_source_lines())
        request.options = "-gline-tables-only " + request.options;
    return request;
}

// A temporary folder with header files, for one compilation.
class HeaderFolder {
public:
    explicit HeaderFolder(const std::map<std::string, std::string>& headers) {
        std::string name = (std::filesystem::temp_directory_path() / "visor-headers-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            return;
        path_ = name;
        for (const auto& [header, content] : headers)
            good_ = write(header, content) && good_;
    }
    ~HeaderFolder() {
        std::error_code ignored;
        if (!path_.empty())
            std::filesystem::remove_all(path_, ignored);
    }
    HeaderFolder(const HeaderFolder&) = delete;
    HeaderFolder& operator=(const HeaderFolder&) = delete;
    HeaderFolder(HeaderFolder&&) = delete;
    HeaderFolder& operator=(HeaderFolder&&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] bool is_whole() const { return good_ && !path_.empty(); }

private:
    // Rejects names that lead out of the folder.
    bool write(const std::string& header, const std::string& content) const {
        const std::filesystem::path relative = std::filesystem::path(header).lexically_normal();
        if (relative.empty() || relative.is_absolute() || *relative.begin() == "..")
            return false;
        const std::filesystem::path file = std::filesystem::path(path_) / relative;
        std::error_code problem;
        std::filesystem::create_directories(file.parent_path(), problem);
        std::ofstream out(file, std::ios::binary);
        out << content;
        return static_cast<bool>(out);
    }

    std::string path_;
    bool good_ = true;
};

void add(std::string& out, std::string_view part) {
    const uint64_t bytes = part.size();
    out.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    out += part;
}

std::optional<std::vector<std::string>> modules_in(std::string_view rest) {
    std::vector<std::string> out;
    while (!rest.empty()) {
        uint64_t bytes = 0;
        if (rest.size() < sizeof bytes)
            return std::nullopt;
        std::memcpy(&bytes, rest.data(), sizeof bytes);
        rest.remove_prefix(sizeof bytes);
        if (bytes > rest.size() || !is_spirv(rest.substr(0, bytes)))
            return std::nullopt;
        out.emplace_back(rest.substr(0, bytes));
        rest.remove_prefix(bytes);
    }
    return out.empty() ? std::nullopt : std::optional(std::move(out));
}

std::string why_unreadable(const Diagnostics& diagnostics) {
    const auto& all = diagnostics.all();
    return all.empty() ? "it cannot be read" : all.front().message;
}

// "": this zebin runs on the device.
std::string problem_of(std::string_view zebin, const isa::Device& device) {
    const auto bytes = std::as_bytes(std::span(zebin));
    if (!launch::is_elf(bytes))
        return "this binary is none that Visor made, and no ELF file";
    if (const auto machine = launch::machine_code_target(bytes))
        return fmt::format("this binary is machine code for {}; there is no vISA in it, and Visor runs vISA",
                           *machine);
    Diagnostics diagnostics;
    const auto read = launch::read_zebin(bytes, diagnostics);
    if (!read)
        return fmt::format("this binary cannot be used: {}", why_unreadable(diagnostics));
    if (read->device && *read->device != device.id)
        return fmt::format("this binary was compiled for {}, and the device is {}",
                           isa::device(*read->device).name, device.name);
    return {};
}

} // namespace

BuildResult build_executable(_cl_program& program, const std::string& options) {
    _cl_context& context = *program.context;
    // SPIR-V has non-uniform groups, as OpenCL C 2.0.
    const std::string language = program.origin == Origin::il ? "-cl-std=CL3.0 " + options : options;
    if (program.origin == Origin::binary || program.origin == Origin::linked) {
        std::unique_lock guard(program.facts);
        const Built before = program.built;
        guard.unlock();
        if (!before.modules.empty())
            return link_modules(context, before.modules, options);
        if (before.zebin.empty())
            return failed(CL_INVALID_BINARY, "");
        return load(context, before.zebin, language, "");
    }
    auto output = compiled(request_for(program, options));
    if (!output)
        return failed(output.error(), CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS);
    expect_launches(*output);
    return load(context, text_of(output->zebin), language, std::move(output->log));
}

BuildResult compile_module(_cl_program& program, const std::string& options,
                           const std::map<std::string, std::string>& headers) {
    BuildResult out;
    out.built.type = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    if (program.origin == Origin::il) {
        out.built.modules.push_back(specialized(program.source, program.constants));
        return out;
    }
    compile::Request request = request_for(program, options);
    request.product = compile::Product::spirv;
    std::optional<HeaderFolder> folder;
    if (!headers.empty()) {
        folder.emplace(headers);
        if (!folder->is_whole())
            return failed(CL_COMPILE_PROGRAM_FAILURE, "visor: a header cannot be had by its name\n");
        request.include_folders.push_back(folder->path());
    }
    auto output = compiled(request);
    if (!output)
        return failed(output.error(), CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_COMPILER_OPTIONS);
    out.log = std::move(output->log);
    out.built.modules.push_back(text_of(output->zebin));
    return out;
}

BuildResult link_modules(_cl_context& context, const std::vector<std::string>& modules,
                         const std::string& options) {
    if (options.contains("-create-library")) {
        BuildResult out;
        out.built.type = CL_PROGRAM_BINARY_TYPE_LIBRARY;
        out.built.modules = modules;
        return out;
    }
    compile::Request request = request_for(context, options);
    request.language = compile::Language::modules;
    request.modules = modules;
    auto output = compiled(request);
    if (!output)
        return failed(output.error(), CL_LINK_PROGRAM_FAILURE, CL_INVALID_LINKER_OPTIONS);
    expect_launches(*output);
    BuildResult out =
        load(context, text_of(output->zebin), "-cl-std=CL3.0 " + options, std::move(output->log));
    if (out.code == CL_BUILD_PROGRAM_FAILURE)
        out.code = CL_LINK_PROGRAM_FAILURE;
    return out;
}

std::string to_binary(const Built& built) {
    if (built.modules.empty())
        return built.zebin;
    std::string out(built.type == CL_PROGRAM_BINARY_TYPE_LIBRARY ? library_mark : object_mark);
    for (const std::string& module : built.modules)
        add(out, module);
    return out;
}

std::expected<Built, std::string> from_binary(std::string_view binary, const isa::Device& device) {
    Built out;
    for (const std::string_view mark : {object_mark, library_mark}) {
        if (!binary.starts_with(mark))
            continue;
        auto modules = modules_in(binary.substr(mark.size()));
        if (!modules)
            return std::unexpected("this binary of Visor's own is damaged");
        out.type =
            mark == object_mark ? CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT : CL_PROGRAM_BINARY_TYPE_LIBRARY;
        out.modules = std::move(*modules);
        return out;
    }
    if (std::string problem = problem_of(binary, device); !problem.empty())
        return std::unexpected(std::move(problem));
    out.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    out.zebin = binary;
    return out;
}

} // namespace visor::opencl
